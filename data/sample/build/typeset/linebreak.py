"""Paragraphs broken into lines by total cost, as good typesetting programs do it."""

from __future__ import annotations

from dataclasses import dataclass, field

from typeset.fonts import Face, text_width
from typeset.richtext import Bit, Fragment, bits_width


@dataclass
class Line:
    """One line: runs of bits with their x offset from the left edge, its width, note marks in it, and its words."""

    runs: list[tuple[float, list[Bit]]] = field(default_factory=list)
    width: float = 0.0
    notes: list[str] = field(default_factory=list)
    divided: bool = False


def break_lines(
    parts: list[Fragment], face: Face, width: float, *, align: str, kerned: bool, first_indent: float = 0.0
) -> list[Line]:
    """Lines no wider than `width` points (an unbreakable part may be); align "justify", "left", "center", "right"."""
    if not parts:
        return []
    space = text_width(" ", face, kerned)
    widths = [bits_width(part.bits, kerned) for part in parts]
    hyphen = text_width("-", face, kerned)
    ends = _best_ends(parts, widths, space, hyphen, width, first_indent, align == "justify")
    lines, start = [], 0
    for end in ends:
        indent = first_indent if start == 0 else 0.0
        lines.append(
            _set_line(
                parts[start:end],
                widths[start:end],
                face,
                space,
                width - indent,
                indent,
                kerned,
                align if end < len(parts) or align != "justify" else "left",
            )
        )
        start = end
    return lines


def _natural(parts: list[Fragment], widths: list[float], space: float, hyphen: float) -> tuple[float, int]:
    gaps = sum(1 for part in parts[:-1] if part.glue == "space")
    total = sum(widths) + gaps * space + (hyphen if parts[-1].glue == "hyphen" else 0.0)
    return total, gaps


def _best_ends(
    parts: list[Fragment], widths: list[float], space: float, hyphen: float, width: float, indent: float, justify: bool
) -> list[int]:
    count = len(parts)
    best: list[float] = [0.0] + [float("inf")] * count
    back = [0] * (count + 1)
    for start in range(count):
        if best[start] == float("inf"):
            continue
        room = width - (indent if start == 0 else 0.0)
        for end in range(start + 1, count + 1):
            natural, gaps = _natural(parts[start:end], widths[start:end], space, hyphen)
            if natural - gaps * space * (0.18 if justify else 0.0) > room + 0.01 and end > start + 1:
                break
            cost = best[start] + _line_cost(natural, gaps, space, room, justify, last=end == count)
            if end < count and parts[end - 1].glue == "none":
                continue
            if parts[end - 1].glue == "hyphen":
                cost += 40.0 + (400.0 if start and parts[start - 1].glue == "hyphen" else 0.0)
            if (end < count and cost < best[end]) or (end == count and cost <= best[end]):
                best[end], back[end] = cost, start
    ends, at = [], count
    while at:
        ends.append(at)
        at = back[at]
    return ends[::-1]


def _line_cost(natural: float, gaps: int, space: float, room: float, justify: bool, *, last: bool) -> float:
    slack = room - natural
    if last:
        return 30.0 if natural < 0.18 * room else 0.0
    if not justify:
        return 10.0 + 1000.0 * (max(slack, 0.0) / room) ** 2
    per_gap = slack / (max(gaps, 1) * space)
    scaled = per_gap / (0.6 if per_gap > 0 else 0.18)
    return float((10.0 + 100.0 * abs(scaled) ** 3) if slack > -room * 0.02 else 1e6 + abs(slack))


def _set_line(
    parts: list[Fragment],
    widths: list[float],
    face: Face,
    space: float,
    room: float,
    indent: float,
    kerned: bool,
    align: str,
) -> Line:
    hyphen = text_width("-", face, kerned)
    natural, gaps = _natural(parts, widths, space, hyphen)
    gap = space + (room - natural) / gaps if align == "justify" and gaps else space
    shift = {"center": (room - natural) / 2, "right": room - natural}.get(align, 0.0)
    line, x, glued = Line(), indent + shift, False
    for number, (part, part_width) in enumerate(zip(parts, widths, strict=True)):
        bits = list(part.bits)
        last = number == len(parts) - 1
        if last and part.glue == "hyphen":
            bits.append(Bit("-", bits[-1].face, bits[-1].rise))
            line.divided = True
        if glued:
            line.runs[-1] = (line.runs[-1][0], _joined(line.runs[-1][1] + bits))
        else:
            line.runs.append((x, bits))
        x += part_width + (gap if part.glue == "space" and not last else 0.0)
        glued = part.glue != "space"
        line.notes += part.notes
    line.width = x - indent + (hyphen if line.divided else 0.0)
    return line


def _joined(bits: list[Bit]) -> list[Bit]:
    out: list[Bit] = []
    for bit in bits:
        if out and out[-1][1:] == bit[1:]:
            out[-1] = out[-1]._replace(text=out[-1].text + bit.text)
        else:
            out.append(bit)
    return out
