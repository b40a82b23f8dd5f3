"""Pages made by code: small PDFs written by hand, and images with colours in known places."""

from __future__ import annotations

import io
import os
import random
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from audit_core.rendering.page_images import PageImages

MakeImages = Callable[..., PageImages]

#: Colours of the corners of an upright test image: top left, top right, bottom left, bottom right.
CORNERS = ((220, 20, 20), (20, 200, 20), (20, 20, 220), (230, 200, 10))


def pdf_bytes(pages: list[tuple[str, str]], *, extra: dict[int, str] | None = None, trailer: str = "") -> bytes:
    """Return a PDF of (page entries, content stream) pairs; `extra` holds further objects, numbered from 9000."""
    objects = {1: "<< /Type /Catalog /Pages 2 0 R >>"}
    kids = []
    for number, (entries, content) in enumerate(pages):
        page, stream = 3 + 2 * number, 4 + 2 * number
        kids.append(f"{page} 0 R")
        objects[page] = f"<< /Type /Page /Parent 2 0 R /Contents {stream} 0 R {entries} >>"
        objects[stream] = f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"
    objects[2] = f"<< /Type /Pages /Count {len(pages)} /Kids [{' '.join(kids)}] >>"
    objects |= extra or {}
    out = bytearray(b"%PDF-1.7\n")
    offsets = {}
    for number in sorted(objects):
        offsets[number] = len(out)
        out += f"{number} 0 obj\n{objects[number]}\nendobj\n".encode("latin-1")
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, offset in offsets.items():
        out += f"{number} 1\n{offset:010d} 00000 n \n".encode()
    out += f"trailer\n<< /Size {max(objects) + 1} /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def endless_pdf() -> bytes:
    """Return a one-page PDF whose drawing takes many hours: forms that draw forms, eight times ten each."""
    extra = {}
    for level in range(9):
        body = "0 0 1 rg 0 0 400 400 re f " * 10 if level == 0 else f"/F{level - 1} Do " * 10
        inner = f"/Resources << /XObject << /F{level - 1} {9000 + level - 1} 0 R >> >>" if level else ""
        extra[9000 + level] = (
            f"<< /Type /XObject /Subtype /Form /BBox [0 0 400 400] {inner} /Length {len(body)} >>\n"
            f"stream\n{body}\nendstream"
        )
    entries = "/MediaBox [0 0 400 400] /Resources << /XObject << /F8 9008 0 R >> >>"
    return pdf_bytes([(entries, "/F8 Do " * 10)], extra=extra)


def png_chunk(kind: bytes, body: bytes) -> bytes:
    """Return one PNG chunk with its length and checksum."""
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


def image_bytes(image: Image.Image, kind: str, **options: object) -> bytes:
    """Return the image as a file of the format `kind`."""
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def cornered(width: int = 64, height: int = 96) -> Image.Image:
    """Return an image whose four quarters have the colours of `CORNERS`."""
    image = Image.new("RGB", (width, height))
    for number, colour in enumerate(CORNERS):
        left, top = (number % 2) * width // 2, (number // 2) * height // 2
        image.paste(colour, (left, top, left + width // 2, top + height // 2))
    return image


def noise(width: int, height: int, seed: int = 7) -> Image.Image:
    """Return an image of random grey pixels, which does not compress."""
    return Image.frombytes("L", (width, height), random.Random(seed).randbytes(width * height))


def write(path: Path, data: bytes, *, age_seconds: int = 60) -> Path:
    """Write a file whose modification time lies in the past, as that of a dataset's files does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    moment = time.time() - age_seconds
    os.utime(path, (moment, moment))
    return path


def near(found: tuple[int, ...], wanted: tuple[int, ...], tolerance: int = 24) -> bool:
    """Return whether two colours differ by at most `tolerance` in each channel (lossy formats)."""
    return all(abs(one - other) <= tolerance for one, other in zip(found[:3], wanted, strict=True))


def wait_until(condition: Callable[[], bool], *, seconds: float = 30) -> None:
    """Return as soon as `condition` holds; fail when it does not within `seconds`."""
    deadline = time.monotonic() + seconds
    pause = threading.Event()
    while not condition():
        assert time.monotonic() < deadline, "the condition never held"
        pause.wait(0.002)
