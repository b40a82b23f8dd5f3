from __future__ import annotations

import struct
import zlib

import pytest
from made_pages import cornered, image_bytes, noise, png_chunk
from PIL import Image

from audit_core.errors import PageUnavailable
from audit_core.rendering.image_header import is_pdf, read_header

LIMIT = 1_000_000


def png_of(width: int, height: int, *, chunks: bytes = b"", pixels: bytes = b"") -> bytes:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    data = png_chunk(b"IDAT", zlib.compress(pixels or b"\0" * (width + 1) * height))
    return b"\x89PNG\r\n\x1a\n" + header + chunks + data + png_chunk(b"IEND", b"")


def webp_of(*chunks: tuple[bytes, bytes]) -> bytes:
    body = b"".join(kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for kind, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize("size", [(1, 1), (64, 96), (301, 7)])
def test_the_size_is_that_of_an_image_reader(kind: str, mode: str, size: tuple[int, int]) -> None:
    data = image_bytes(cornered(*size).convert(mode), kind)
    header = read_header(data, max_pixels=LIMIT)
    assert (header.format, header.width, header.height) == (kind, *size)
    assert header.served_as_is


@pytest.mark.parametrize(
    ("options", "lossless"),
    [({"lossless": True}, True), ({"quality": 80}, False), ({"quality": 80, "exif": b"II*\0"}, False)],
)
def test_all_three_layouts_of_webp_are_read(options: dict[str, object], lossless: bool) -> None:
    header = read_header(image_bytes(cornered(33, 77), "WEBP", **options), max_pixels=LIMIT)
    assert (header.width, header.height, header.lossless) == (33, 77, lossless)


def test_a_progressive_jpeg_is_served_as_it_is_and_a_four_colour_one_is_not() -> None:
    assert read_header(image_bytes(cornered(), "JPEG", progressive=True), max_pixels=LIMIT).served_as_is
    four = read_header(image_bytes(cornered().convert("CMYK"), "JPEG"), max_pixels=LIMIT)
    assert four.needs_conversion
    assert not four.served_as_is


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_truncated_file_is_found_wherever_it_was_cut(kind: str) -> None:
    data = image_bytes(noise(60, 40), kind)
    for length in range(12, len(data) - 1, 37):
        with pytest.raises(PageUnavailable, match=r"truncated|not an image|corrupt"):
            read_header(data[:length], max_pixels=LIMIT)
    with pytest.raises(PageUnavailable, match="truncated"):
        read_header(data[: len(data) // 2], max_pixels=LIMIT)


def test_one_changed_byte_of_a_png_is_found() -> None:
    data = bytearray(image_bytes(noise(60, 40), "PNG"))
    data[len(data) // 2] ^= 1
    with pytest.raises(PageUnavailable, match=r"corrupt \(wrong checksum in 'IDAT'\)"):
        read_header(bytes(data), max_pixels=LIMIT)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"hello world, I am text", "not an image"),
        (image_bytes(cornered(), "GIF"), "a GIF file: convert it"),
        (image_bytes(cornered(), "TIFF"), "a TIFF file: convert it"),
        (image_bytes(cornered(), "BMP"), "a BMP file: convert it"),
        (b"\n<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG file"),
        (b"\0\0\0\x1cftypavif", "AVIF"),
        (b"\xff\xd8\xff\xd9", "without pixels"),
        (b"RIFF\x04\0\0\0WEBP", "without a picture"),
        (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", 0, 5, 8, 0, 0, 0, 0)), "0 x 5 pixels"),
    ],
)
def test_what_is_no_image_is_named(data: bytes, reason: str) -> None:
    with pytest.raises(PageUnavailable, match=reason):
        read_header(data, max_pixels=LIMIT)


def bomb(kind: str) -> bytes:
    """Return a file of a few hundred bytes whose header says 16,000 x 16,000 pixels."""
    if kind == "PNG":
        return png_of(16_000, 16_000, pixels=b"\0")
    if kind == "JPEG":
        data = image_bytes(Image.new("RGB", (8, 8)), "JPEG")
        place = data.index(b"\xff\xc0") + 5
        return data[:place] + struct.pack(">HH", 16_000, 16_000) + data[place + 4 :]
    side = (15_999).to_bytes(3, "little")
    picture = image_bytes(Image.new("RGB", (8, 8)), "WEBP", lossless=True)
    if kind == "WebP canvas":
        return webp_of((b"VP8X", b"\0\0\0\0" + side + side), (b"VP8L", picture[20:]))
    return webp_of((b"VP8L", b"\x2f" + struct.pack("<I", 15_999 | 15_999 << 14) + b"\0" * 8))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WebP canvas", "WebP lossless"])
def test_a_bomb_of_pixels_is_refused_from_its_header(kind: str) -> None:
    data = bomb(kind)
    assert len(data) < 1000
    with pytest.raises(
        PageUnavailable, match=r"16,000 x 16,000 = 256,000,000 pixels, more than the 120,000,000 allowed"
    ):
        read_header(data, max_pixels=120_000_000)


def test_the_bound_itself_is_allowed_and_one_pixel_more_is_not() -> None:
    data = image_bytes(cornered(40, 50), "PNG")
    assert read_header(data, max_pixels=2000).height == 50
    with pytest.raises(PageUnavailable, match="more than the 1,999 allowed"):
        read_header(data, max_pixels=1999)


@pytest.mark.parametrize(
    "chunk",
    [
        png_chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"a" * 2_000_000)),
        png_chunk(b"iTXt", b"Comment\0\x01\0en\0Comment\0" + zlib.compress(b"a" * 2_000_000)),
        png_chunk(b"iCCP", b"profile\0\0" + zlib.compress(b"a" * 20_000_000)),
    ],
)
def test_a_bomb_of_text_inside_a_png_is_refused(chunk: bytes) -> None:
    with pytest.raises(PageUnavailable, match="decompression bomb"):
        read_header(png_of(4, 4, chunks=chunk), max_pixels=LIMIT)


def test_many_texts_that_are_a_bomb_together_are_refused_and_a_few_are_not() -> None:
    chunk = png_chunk(b"zTXt", b"Comment\0\0" + zlib.compress(b"a" * 1_000_000))
    assert read_header(png_of(4, 4, chunks=chunk * 5), max_pixels=LIMIT).width == 4
    with pytest.raises(PageUnavailable, match="decompression bomb"):
        read_header(png_of(4, 4, chunks=chunk * 70), max_pixels=LIMIT)


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_an_animated_image_is_refused(kind: str) -> None:
    frames = [noise(20, 20, seed) for seed in range(3)]
    data = image_bytes(frames[0], kind, save_all=True, append_images=frames[1:])
    with pytest.raises(PageUnavailable, match="animated"):
        read_header(data, max_pixels=LIMIT)


def test_two_frame_headers_in_a_jpeg_cannot_hide_a_second_size() -> None:
    data = image_bytes(cornered(), "JPEG")
    start = data.index(b"\xff\xc0")
    frame = data[start : start + 19]
    with pytest.raises(PageUnavailable, match="two frame headers"):
        read_header(data[:start] + frame + data[start:], max_pixels=LIMIT)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("value", "wanted"), [(0, 1), (1, 1), (6, 6), (8, 8), (9, 1)])
def test_the_orientation_is_read_in_both_byte_orders_and_nonsense_is_upright(
    order: str, value: int, wanted: int
) -> None:
    mark = b"II*\0" if order == "<" else b"MM\0*"
    entry = struct.pack(order + "HHIHH", 0x0112, 3, 1, value, 0)
    exif = b"Exif\0\0" + mark + struct.pack(order + "IH", 8, 1) + entry + b"\0" * 4
    header = read_header(image_bytes(cornered(), "JPEG", exif=exif), max_pixels=LIMIT)
    assert header.orientation == wanted


def test_a_pdf_is_known_by_its_content_even_behind_some_bytes() -> None:
    assert is_pdf(b"\r\n junk %PDF-1.4")
    assert not is_pdf(image_bytes(cornered(), "PNG") + b"%PDF-1.4")
    assert not is_pdf(b"just text")
