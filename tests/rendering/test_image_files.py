from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from made_pages import CORNERS, MakeImages, cornered, image_bytes, near, noise, write
from PIL import Image, ImageOps
from PIL.Image import Transpose

from audit_core.errors import PageUnavailable
from audit_core.rendering import file_ledger
from audit_core.rendering.page_images import PageImages
from audit_core.rendering.pdf_process import DrawingProcess

MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
#: How the upright picture is stored under each orientation (EXIF 2.32, tag 0x0112: where row 0 and column 0 lie).
STORED = {
    2: Transpose.FLIP_LEFT_RIGHT,
    3: Transpose.ROTATE_180,
    4: Transpose.FLIP_TOP_BOTTOM,
    5: Transpose.TRANSPOSE,
    6: Transpose.ROTATE_90,
    7: Transpose.TRANSVERSE,
    8: Transpose.ROTATE_270,
}


def turned_file(kind: str, orientation: int, **options: object) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = orientation
    upright = cornered(64, 96)
    stored = upright.transpose(STORED[orientation]) if orientation in STORED else upright
    return image_bytes(stored, kind, exif=exif, **options)


def corners(image: Image.Image) -> list[tuple[int, ...]]:
    width, height = image.size
    places = [(8, 8), (width - 9, 8), (8, height - 9), (width - 9, height - 9)]
    return [image.convert("RGB").getpixel(place) for place in places]


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(
    ("kind", "options"),
    [("PNG", {}), ("JPEG", {"quality": 95}), ("WEBP", {"lossless": True}), ("WEBP", {"quality": 95})],
)
def test_every_orientation_is_served_as_a_reader_sees_it(
    media: Path, images: PageImages, kind: str, options: dict[str, object], orientation: int
) -> None:
    data = turned_file(kind, orientation, **options)
    assert all(
        map(near, corners(ImageOps.exif_transpose(Image.open(io.BytesIO(data)))), CORNERS)
    )  # the file is as meant
    source = write(media / "page.img", data)
    page = images.describe(media, "page.img", declared_size=(64, 96))
    path, media_type = images.content(media, "page.img", key=page.key)
    with Image.open(path) as served:
        assert (served.format, served.size) == (kind, (64, 96))
        assert all(map(near, corners(served), CORNERS))
        if orientation != 1:
            assert 0x0112 not in served.getexif()
        if kind == "PNG" or options.get("lossless"):
            assert served.convert("RGB").tobytes() == cornered(64, 96).tobytes()
    assert (page.width, page.height, page.warning) == (64, 96, None)
    assert page.media_type == media_type == MEDIA_TYPES[kind]
    assert (path == source.resolve()) == (orientation == 1)


@pytest.mark.parametrize(
    ("name", "image", "kind"),
    [
        ("a palette", cornered().convert("P"), "PNG"),
        ("two colours", cornered().convert("1"), "PNG"),
        ("16 bits of grey", Image.new("I;16", (64, 96), 40_000), "PNG"),
        ("transparency", cornered().convert("RGBA"), "PNG"),
        ("a lossless WebP", cornered(), "WEBP"),
        ("a JPEG", cornered(), "JPEG"),
    ],
)
def test_an_upright_image_is_served_byte_for_byte_whatever_its_name_says(
    media: Path, images: PageImages, name: str, image: Image.Image, kind: str
) -> None:
    data = image_bytes(image, kind)
    write(media / "page.gif", data)
    page = images.describe(media, "page.gif")
    path, media_type = images.content(media, "page.gif", key=page.key)
    assert path.read_bytes() == data, name
    assert media_type == MEDIA_TYPES[kind]
    assert len(page.key) == 32
    assert int(page.key, 16) >= 0


def test_a_turned_palette_image_keeps_its_colours_and_its_transparency(media: Path, images: PageImages) -> None:
    exif = Image.Exif()
    exif[0x0112] = 3
    picture = cornered().quantize(8)
    hole = picture.getpixel((0, 0))
    write(media / "p.png", image_bytes(picture.transpose(Transpose.ROTATE_180), "PNG", exif=exif, transparency=hole))
    path, _ = images.content(media, "p.png", key=images.describe(media, "p.png").key)
    with Image.open(path) as served:
        assert served.convert("RGBA").getpixel((2, 2))[3] == 0
        assert near(served.convert("RGB").getpixel((60, 90)), CORNERS[3])


def test_a_four_colour_jpeg_is_served_in_three_colours(media: Path, images: PageImages) -> None:
    write(media / "print.jpg", image_bytes(cornered().convert("CMYK"), "JPEG", quality=95))
    path, media_type = images.content(media, "print.jpg", key=images.describe(media, "print.jpg").key)
    with Image.open(path) as served:
        assert (served.mode, served.size) == ("RGB", (64, 96))
        assert all(map(near, corners(served), CORNERS))
    assert media_type == "image/jpeg"


def test_the_drawing_process_is_not_started_for_upright_images(media: Path, make_images: MakeImages) -> None:
    process = DrawingProcess(timeout_seconds=60)
    images = make_images(process=process)
    write(media / "a.png", image_bytes(cornered(), "PNG"))
    images.content(media, "a.png", key=images.describe(media, "a.png").key)
    assert process.pid is None


def test_an_image_that_cannot_be_decoded_is_refused_when_it_must_be_turned(media: Path, images: PageImages) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    data = image_bytes(noise(64, 64), "WEBP", exif=exif, lossless=True)
    start = data.index(b"VP8L") + 13
    write(media / "bad.webp", data[:start] + b"\xff" * 400 + data[start + 400 :])
    key = images.describe(media, "bad.webp").key
    with pytest.raises(
        PageUnavailable, match=r"^bad.webp cannot be shown: the image is corrupt \(it cannot be decoded\)"
    ):
        images.content(media, "bad.webp", key=key)
    assert not list((media.parent / "cache" / "pages").iterdir())


@pytest.mark.parametrize(
    ("declared", "warning"),
    [
        ((1000, 2000), None),
        ((500, 1000), None),
        ((1000, 2019), None),
        ((1700, 2200), "the image is 1000 x 2000, but the dataset says 1700 x 2200: boxes may be off"),
        ((1000, 2021), "the image is 1000 x 2000, but the dataset says 1000 x 2021: boxes may be off"),
        ((2000, 1000), "the image is 1000 x 2000, but the dataset says 2000 x 1000: boxes may be off"),
        ((0, 2000), "the image is 1000 x 2000, but the dataset says 0 x 2000: boxes may be off"),
        ((float("nan"), 1), "the image is 1000 x 2000, but the dataset says nan x 1: boxes may be off"),
    ],
)
def test_boxes_are_doubted_where_the_shape_differs_by_more_than_one_percent(
    media: Path, images: PageImages, declared: tuple[float, float], warning: str | None
) -> None:
    write(media / "a.png", image_bytes(Image.new("L", (1000, 2000)), "PNG"))
    assert images.describe(media, "a.png", declared_size=declared).warning == warning


def test_an_image_has_no_pages_and_a_wrong_resolution_is_refused(media: Path, images: PageImages) -> None:
    write(media / "a.png", image_bytes(cornered(), "PNG"))
    with pytest.raises(PageUnavailable, match=r"^a.png#page=3 cannot be shown: the file is a PNG image, not a PDF"):
        images.describe(media, "a.png#page=3")
    with pytest.raises(PageUnavailable, match="200, 300, 400 dpi, not at 72"):
        images.describe(media, "a.png", dpi=72)


# --- files that change ----------------------------------------------------------------------------------------------


def test_a_file_that_changed_is_reported_and_its_old_key_is_refused(media: Path, make_images: MakeImages) -> None:
    images = make_images()
    first, second = image_bytes(cornered(), "PNG"), image_bytes(noise(64, 96), "PNG")
    write(media / "a.png", first, age_seconds=90)
    before = images.describe(media, "a.png")
    write(media / "a.png", second, age_seconds=60)
    after = images.describe(media, "a.png", declared_size=(5, 5))
    assert before.warning is None
    assert after.key != before.key
    assert after.warning is not None
    changed, shape = after.warning.split("; ")
    assert changed.startswith("this file changed since it was first shown on 20")
    assert changed.endswith(": boxes may not fit")
    assert shape.startswith("the image is 64 x 96")
    with pytest.raises(PageUnavailable, match=r"^a.png cannot be shown: the file changed since it was first shown"):
        images.content(media, "a.png", key=before.key)
    assert images.content(media, "a.png", key=after.key)[0].read_bytes() == second
    images.close()
    again = make_images()  # the record outlives the server
    assert again.describe(media, "a.png").warning == changed
    write(media / "a.png", first, age_seconds=30)
    assert again.describe(media, "a.png") == before


def test_a_file_is_first_shown_once_for_each_media_root(media: Path, images: PageImages) -> None:
    write(media / "one" / "a.png", image_bytes(cornered(), "PNG"))
    write(media / "two" / "a.png", image_bytes(noise(8, 8), "PNG"))
    assert images.describe(media / "one", "a.png").warning is None
    assert images.describe(media / "two", "a.png").warning is None


def test_a_file_rewritten_within_one_tick_of_the_clock_is_still_noticed(media: Path, images: PageImages) -> None:
    first, second = image_bytes(Image.new("L", (8, 8), 10), "PNG"), image_bytes(Image.new("L", (8, 8), 11), "PNG")
    assert len(first) == len(second)
    path = write(media / "a.png", first, age_seconds=0)
    stamp = path.stat().st_mtime_ns
    before = images.describe(media, "a.png").key
    write(media / "a.png", second)
    os.utime(path, ns=(stamp, stamp))
    assert images.describe(media, "a.png").key != before


def test_a_file_is_hashed_once_even_over_a_restart(
    media: Path, make_images: MakeImages, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    digest = file_ledger.hashlib.file_digest

    def counted(file: io.BufferedReader, kind: str) -> object:
        read.append(file.name)
        return digest(file, kind)

    monkeypatch.setattr(file_ledger.hashlib, "file_digest", counted)
    write(media / "a.png", image_bytes(cornered(), "PNG"))
    for _ in range(2):
        images = make_images()
        key = images.describe(media, "a.png").key
        images.content(media, "a.png", key=key)
        images.describe(media, "a.png")
        images.close()
    assert len(read) == 1


def test_a_file_that_vanishes_is_reported(media: Path, images: PageImages) -> None:
    path = write(media / "a.png", image_bytes(cornered(), "PNG"))
    key = images.describe(media, "a.png").key
    path.unlink()
    with pytest.raises(PageUnavailable, match="not there"):
        images.content(media, "a.png", key=key)
