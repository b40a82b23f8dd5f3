"""Pages as a PDF with real text in the standard fonts, a trim (CropBox) inside a bleed, and page labels."""

from __future__ import annotations

import zlib
from pathlib import Path

from typeset.blocks import Rect
from typeset.surface import CircleOp, PathOp, Surface, TextOp

_NAMES = {
    ("serif", ""): "Times-Roman",
    ("serif", "b"): "Times-Bold",
    ("serif", "i"): "Times-Italic",
    ("serif", "bi"): "Times-BoldItalic",
    ("sans", ""): "Helvetica",
    ("sans", "b"): "Helvetica-Bold",
    ("sans", "i"): "Helvetica-Oblique",
    ("sans", "bi"): "Helvetica-BoldOblique",
}
_FONTS = {name: f"F{number}" for number, name in enumerate(_NAMES.values(), start=1)}
_SLUG_ROOM = 24.0  # points above the page that crop marks and a line need
_KAPPA = 0.5523  # control-point distance of a quarter circle


def write_pdf(
    pages: list[Surface], labels: list[str | None], path: Path, *, title: str, author: str, crop: Rect
) -> None:
    """Write the pages; one wider than high is stored upright and carries /Rotate 90.

    `crop` is what the sheet (MediaBox) has beyond the page as shown (CropBox): left, top, right, bottom in points. Where
    there is room for it, the sheet bears crop marks and a line that no reader of the cropped page sees.
    """
    objects: list[bytes] = []

    def add(body: bytes) -> int:
        objects.append(body)
        return len(objects)

    catalog, tree, info = add(b""), add(b""), add(b"")
    font_ids = {
        short: add(f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>".encode())
        for name, short in _FONTS.items()
    }
    fonts = " ".join(f"/{short} {number} 0 R" for short, number in font_ids.items())
    kids = []
    left, top, right, bottom = crop
    for page in pages:
        stream = zlib.compress(_content(page, crop, title).encode("latin-1"), 9)
        content = add(f"<< /Length {len(stream)} /Filter /FlateDecode >>\nstream\n".encode() + stream + b"\nendstream")
        turned = page.width > page.height
        wide, high = (page.height, page.width) if turned else (page.width, page.height)
        kids.append(
            add(
                f"<< /Type /Page /Parent {tree} 0 R /MediaBox [0 0 {_n(wide + left + right)} {_n(high + top + bottom)}] "
                f"/CropBox [{_n(left)} {_n(bottom)} {_n(wide + left)} {_n(high + bottom)}] "
                f"{'/Rotate 90 ' if turned else ''}/Resources << /Font << {fonts} >> >> /Contents {content} 0 R >>".encode()
            )
        )
    numbers = " ".join(f"{index} << /P {_string(label or '')} >>" for index, label in enumerate(labels))
    objects[catalog - 1] = (
        f"<< /Type /Catalog /Pages {tree} 0 R /Lang (en) /PageLabels << /Nums [ {numbers} ] >> >>"
    ).encode("latin-1")
    objects[tree - 1] = (
        f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{kid} 0 R' for kid in kids)}] >>"
    ).encode()
    objects[info - 1] = f"<< /Title {_string(title)} /Author {_string(author)} >>".encode("latin-1")
    path.write_bytes(_assembled(objects, root=catalog, info=info))


def _assembled(objects: list[bytes], *, root: int, info: int) -> bytes:
    out, offsets = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    out += (
        f"trailer\n<< /Size {len(objects) + 1} /Root {root} 0 R /Info {info} 0 R >>\nstartxref\n{start}\n%%EOF\n"
    ).encode()
    return bytes(out)


def _content(page: Surface, crop: Rect, title: str) -> str:
    turned = page.width > page.height
    wide, high = (page.height, page.width) if turned else (page.width, page.height)
    left, top, _, bottom = crop
    # The shown page is the user space turned clockwise: shown (u, v) is user (height - v, u), then the crop.
    matrix = f"0 1 -1 0 {_n(page.height + left)} {_n(bottom)} cm" if turned else f"1 0 0 1 {_n(left)} {_n(bottom)} cm"
    out = [*(_slug(wide, high, crop, title) if top >= _SLUG_ROOM else []), matrix, "1 J 1 j"]
    for op in page.ops:
        if isinstance(op, TextOp):
            out.append(_text(op, page.height))
        elif isinstance(op, PathOp):
            steps = [
                f"{_n(x)} {_n(page.height - y)} {'l' if number else 'm'}" for number, (x, y) in enumerate(op.points)
            ]
            out.append(_painted(op, steps + (["h"] if op.closed else [])))
        else:
            out.append(_painted(op, _circle_steps(op, page.height)))
    return "\n".join(out)


def _slug(wide: float, high: float, crop: Rect, title: str) -> list[str]:
    # Printer's marks outside the crop: short lines at the corners and the title above.
    left, _, _, bottom = crop
    out = ["0 0 0 RG 0.4 w"]
    for x, y in ((left, bottom), (left + wide, bottom), (left, bottom + high), (left + wide, bottom + high)):
        sx, sy = (-1 if x == left else 1), (-1 if y == bottom else 1)
        out.append(
            f"{_n(x + 3 * sx)} {_n(y)} m {_n(x + 9 * sx)} {_n(y)} l S {_n(x)} {_n(y + 3 * sy)} m {_n(x)} {_n(y + 9 * sy)} l S"
        )
    return [
        *out,
        f"BT 0 g /F5 6 Tf {_n(left + 20)} {_n(bottom + high + 14)} Td {_string('SHEET PROOF: ' + title)} Tj ET",
    ]


def _text(op: TextOp, height: float) -> str:
    font = _FONTS[_NAMES[(op.face.family, op.face.style)]]
    turn = "0 1 -1 0" if op.angle else "1 0 0 1"
    return (
        f"BT {_colour(op.colour)} rg /{font} {_n(op.face.size)} Tf {turn} {_n(op.x)} {_n(height - op.y)} Tm "
        f"{_string(op.text)} Tj ET"
    )


def _painted(op: PathOp | CircleOp, steps: list[str]) -> str:
    paint = {(True, True): "B", (True, False): "f", (False, True): "S", (False, False): "n"}
    setup = []
    if op.fill is not None:
        setup.append(f"{_colour(op.fill)} rg")
    if op.stroke:
        setup.append(f"{_colour(op.colour)} RG {_n(op.stroke)} w")
    return " ".join([*setup, *steps, paint[(op.fill is not None, bool(op.stroke))]])


def _circle_steps(op: CircleOp, height: float) -> list[str]:
    x, y, r, k = op.x, height - op.y, op.radius, op.radius * _KAPPA
    quarters = [
        ((x + r, y + k), (x + k, y + r), (x, y + r)),
        ((x - k, y + r), (x - r, y + k), (x - r, y)),
        ((x - r, y - k), (x - k, y - r), (x, y - r)),
        ((x + k, y - r), (x + r, y - k), (x + r, y)),
    ]
    return (
        [f"{_n(x + r)} {_n(y)} m"]
        + [" ".join(f"{_n(a)} {_n(b)}" for a, b in quarter) + " c" for quarter in quarters]
        + ["h"]
    )


def _string(text: str) -> str:
    # WinAnsi has no minus sign; an en dash is the customary stand-in.
    body = text.replace("\u2212", "\u2013").encode("cp1252").decode("latin-1")
    return "(" + body.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") + ")"


def _colour(colour: tuple[int, int, int]) -> str:
    return " ".join(_n(part / 255) for part in colour)


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
