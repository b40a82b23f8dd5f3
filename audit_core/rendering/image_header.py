"""What a PNG, JPEG or WebP file holds, read from its structure without decoding a pixel.

The container is walked to its end, so that a truncated file is found before a browser shows half a page; checksums of
PNG data are verified. Formats: PNG third edition (W3C 2025), JPEG ITU-T T.81, WebP RFC 9649, EXIF 2.32 (orientation).
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass

from audit_core.errors import PageUnavailable

#: Orientations of EXIF that swap width and height.
_LYING = frozenset({5, 6, 7, 8})

_MEBIBYTE = 1 << 20
#: How far a compressed PNG chunk may unpack before the file counts as a decompression bomb.
_UNPACKED_LIMIT = {b"zTXt": _MEBIBYTE, b"iTXt": _MEBIBYTE, b"iCCP": 16 * _MEBIBYTE}
#: How much text all chunks of a PNG may hold together, unpacked.
_ALL_TEXT_LIMIT = 64 * _MEBIBYTE

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_OTHER_FORMATS = (
    (b"GIF8", "a GIF"), (b"BM", "a BMP"), (b"II*\0", "a TIFF"), (b"MM\0*", "a TIFF"), (b"\0\0\0\x0cjP ", "a JPEG 2000"),
    (b"<svg", "an SVG"), (b"<?xml", "an XML or SVG"), (b"<!DOCTYPE", "an HTML"), (b"<html", "an HTML"),
)  # fmt: skip

_TRUNCATED = "the file ends too early (truncated): copy it again"
_JPEG_MARKER = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")
_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
#: Frames that browsers draw: baseline, extended and progressive Huffman coding.
_COMMON_FRAMES = frozenset({0xC0, 0xC1, 0xC2})


@dataclass(frozen=True, slots=True)
class ImageHeader:
    """An image file: `format` is PNG, JPEG or WEBP; `width` and `height` are the stored pixels, before the orientation.

    `orientation` is EXIF's (1 to 8, 1 = upright). `needs_conversion` is True where browsers differ or fail on the way
    the pixels are stored (four-colour or arithmetic-coded JPEG). `lossless` says whether the stored pixels are exact.
    """

    format: str
    width: int
    height: int
    orientation: int = 1
    needs_conversion: bool = False
    lossless: bool = False

    @property
    def shown_size(self) -> tuple[int, int]:
        """Width and height in pixels as a reader sees them, after the orientation."""
        return (self.height, self.width) if self.orientation in _LYING else (self.width, self.height)

    @property
    def served_as_is(self) -> bool:
        """Whether the file's bytes can go to the browser unchanged."""
        return self.orientation == 1 and not self.needs_conversion


def is_pdf(start: bytes) -> bool:
    """Return whether the first 1,024 bytes of a file are those of a PDF (readers accept some bytes before the mark)."""
    return b"%PDF-" in start[:1024] and not start.startswith((_PNG, _JPEG, b"RIFF"))


def read_header(data: bytes, *, max_pixels: int) -> ImageHeader:
    """Return the header of an image file, its structure checked to the end.

    Raises:
        PageUnavailable: not a PNG, JPEG or WebP; truncated or corrupt; animated; more than `max_pixels` pixels; a PNG
            whose text unpacks to an unreasonable size.
    """
    try:
        if data.startswith(_PNG):
            return _png(data, max_pixels)
        if data.startswith(_JPEG):
            return _jpeg(data, max_pixels)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data, max_pixels)
    except (struct.error, IndexError):
        raise PageUnavailable(_TRUNCATED) from None
    raise PageUnavailable(_not_an_image(data))


def _not_an_image(data: bytes) -> str:
    if not data:
        return "the file is empty: copy it again"
    if data[4:8] == b"ftyp":
        return "the file is an AVIF, HEIC or film: convert it to PNG, JPEG or WebP"
    start = data[:256].lstrip()
    for magic, kind in _OTHER_FORMATS:
        if start.startswith(magic):
            return f"the file is {kind} file: convert it to PNG, JPEG or WebP"
    return "the file is not an image (its content is neither PNG, JPEG nor WebP, whatever its name says)"


def _corrupt(what: str) -> PageUnavailable:
    return PageUnavailable(f"the image is corrupt ({what}): copy it again")


def _check_size(width: int, height: int, max_pixels: int) -> None:
    if width < 1 or height < 1:
        raise _corrupt(f"it says it has {width} x {height} pixels")
    if width * height > max_pixels:
        raise PageUnavailable(
            f"the image has {width:,} x {height:,} = {width * height:,} pixels, more than the {max_pixels:,} allowed: "
            "make it smaller or raise ASSAY_MAX_IMAGE_PIXELS"
        )


# --- PNG -----------------------------------------------------------------------------------------------------------


def _png(data: bytes, max_pixels: int) -> ImageHeader:
    width, height = struct.unpack_from(">II", data, 16)
    if data[12:16] != b"IHDR":
        raise _corrupt("a PNG without a header")
    _check_size(width, height, max_pixels)
    orientation, texts, pixels_seen = 1, 0, False
    position = 8
    while True:
        length, kind = struct.unpack_from(">I4s", data, position)
        if position + 12 + length > len(data):
            raise PageUnavailable(_TRUNCATED)
        body = memoryview(data)[position + 8 : position + 8 + length]
        if not kind[0] & 0x20:  # a critical chunk: browsers refuse the file when its checksum is wrong
            (checksum,) = struct.unpack_from(">I", data, position + 8 + length)
            if zlib.crc32(body, zlib.crc32(kind)) != checksum:
                raise _corrupt(f"wrong checksum in {kind.decode('latin-1')!r}")
        if kind == b"IEND":
            break
        pixels_seen = pixels_seen or kind == b"IDAT"
        if kind == b"acTL" and struct.unpack_from(">I", body)[0] > 1:
            raise PageUnavailable("the image is animated: a page must be one still picture")
        if kind == b"eXIf":
            orientation = _orientation(bytes(body))
        texts += _unpacked_length(kind, bytes(body)) if kind in (b"tEXt", *_UNPACKED_LIMIT) else 0
        if texts > _ALL_TEXT_LIMIT:
            raise PageUnavailable("the texts inside the PNG unpack to more than 64 MB (a decompression bomb)")
        position += 12 + length
    if not pixels_seen:
        raise _corrupt("a PNG without pixels")
    return ImageHeader("PNG", width, height, orientation, lossless=True)


def _unpacked_length(kind: bytes, body: bytes) -> int:
    """Return how many bytes a text or profile chunk holds; unpacks at most one byte more than is allowed."""
    packed = body.split(b"\0", 1)[-1][1:]  # after the keyword: one byte for the method, then the data
    if kind == b"iTXt":
        flag, rest = body.split(b"\0", 1)[-1][:1], body.split(b"\0", 1)[-1][2:]
        packed = rest.split(b"\0", 2)[-1]
        if flag != b"\x01":
            return len(body)
    if kind == b"tEXt":
        return len(body)
    limit = _UNPACKED_LIMIT[kind]
    try:
        unpacked = len(zlib.decompressobj().decompress(packed, limit + 1))
    except zlib.error:
        return len(body)  # browsers skip an ancillary chunk that cannot be unpacked
    if unpacked > limit:
        raise PageUnavailable(
            f"a {kind.decode()} chunk of the PNG unpacks to more than {limit // _MEBIBYTE} MB (a decompression bomb): "
            "save the image without it"
        )
    return unpacked


# --- JPEG ----------------------------------------------------------------------------------------------------------


def _jpeg(data: bytes, max_pixels: int) -> ImageHeader:
    header: ImageHeader | None = None
    orientation: int | None = None
    scans = 0
    position = 2
    while True:
        found = _JPEG_MARKER.search(data, position)
        if found is None:
            raise PageUnavailable(_TRUNCATED)
        marker, position = found[1][0], found.end()
        if marker == 0xD9:
            break
        if marker in (0x01, 0xD8):
            continue
        (length,) = struct.unpack_from(">H", data, position)
        if length < 2 or position + length > len(data):
            raise PageUnavailable(_TRUNCATED)
        segment = data[position + 2 : position + length]
        position += length
        if marker in _START_OF_FRAME:
            if header is not None:
                raise _corrupt("a JPEG with two frame headers")
            header = _jpeg_frame(marker, segment, max_pixels)
        elif marker == 0xE1 and orientation is None and segment.startswith(b"Exif\0"):
            orientation = _orientation(segment)
        scans += marker == 0xDA
    if header is None or not scans:
        raise _corrupt("a JPEG without pixels")
    return ImageHeader("JPEG", header.width, header.height, orientation or 1, header.needs_conversion)


def _jpeg_frame(marker: int, segment: bytes, max_pixels: int) -> ImageHeader:
    precision, height, width, components = struct.unpack_from(">BHHB", segment)
    _check_size(width, height, max_pixels)
    if precision != 8:
        raise PageUnavailable(f"the JPEG has {precision} bits a colour, which browsers do not show: convert it to PNG")
    unusual = marker not in _COMMON_FRAMES or components not in (1, 3)
    return ImageHeader("JPEG", width, height, needs_conversion=unusual)


# --- WebP ----------------------------------------------------------------------------------------------------------


def _webp(data: bytes, max_pixels: int) -> ImageHeader:
    (riff,) = struct.unpack_from("<I", data, 4)
    end = riff + 8
    if end > len(data) + (riff & 1):  # some writers leave out the last padding byte
        raise PageUnavailable(_TRUNCATED)
    sizes: list[tuple[int, int]] = []
    orientation, lossless, frames = 1, False, 0
    position = 12
    while position + 8 <= min(end, len(data)):
        kind, length = struct.unpack_from("<4sI", data, position)
        body = data[position + 8 : position + 8 + length]
        if len(body) < length:
            raise PageUnavailable(_TRUNCATED)
        if kind in (b"VP8X", b"VP8 ", b"VP8L"):
            sizes.append(_webp_size(kind, body))
            _check_size(*sizes[-1], max_pixels)
            lossless = lossless or kind == b"VP8L"
        frames += kind in (b"VP8 ", b"VP8L", b"ANMF")
        if kind == b"EXIF":
            orientation = _orientation(body)
        position += 8 + length + (length & 1)
    if frames > 1:
        raise PageUnavailable("the image is animated: a page must be one still picture")
    if not frames or len(set(sizes)) != 1:
        raise _corrupt("a WebP without a picture of the size it announces")
    return ImageHeader("WEBP", *sizes[0], orientation, lossless=lossless)


def _webp_size(kind: bytes, body: bytes) -> tuple[int, int]:
    if kind == b"VP8X":
        return int.from_bytes(body[4:7], "little") + 1, int.from_bytes(body[7:10], "little") + 1
    if kind == b"VP8L":
        signature, bits = struct.unpack_from("<BI", body)
        if signature != 0x2F:
            raise _corrupt("a lossless WebP without its mark")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if body[3:6] != b"\x9d\x01\x2a":
        raise _corrupt("a WebP without a key frame")
    width, height = struct.unpack_from("<HH", body, 6)
    return width & 0x3FFF, height & 0x3FFF


# --- EXIF ----------------------------------------------------------------------------------------------------------


def _orientation(exif: bytes) -> int:
    """Return tag 0x0112 of the first directory; 1 where it is absent, unreadable or not 1 to 8 (as browsers do)."""
    tiff = exif[6:] if exif.startswith(b"Exif\0") else exif
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None:
        return 1
    try:
        (start,) = struct.unpack_from(order + "I", tiff, 4)
        (count,) = struct.unpack_from(order + "H", tiff, start)
        for entry in range(count):
            tag, kind, _, value = struct.unpack_from(order + "HHIH", tiff, start + 2 + 12 * entry)
            if tag == 0x0112 and kind == 3:
                return value if 1 <= value <= 8 else 1
    except struct.error:
        return 1
    return 1
