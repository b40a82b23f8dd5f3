from __future__ import annotations

import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from made_pages import MakeImages, cornered, image_bytes, near, pdf_bytes, write
from PIL import Image

from audit_core.errors import PageUnavailable
from audit_core.rendering.page_images import PageImages
from audit_core.rendering.pdf_process import DrawingProcess

RED, WHITE = (255, 0, 0), (255, 255, 255)


def drawn(images: PageImages, media: Path, image: str, **options: int) -> Image.Image:
    """Return the page as it is served, after checking that it has the size that was announced."""
    page = images.describe(media, image, **options)
    path, media_type = images.content(media, image, key=page.key, **options)
    with Image.open(path) as served:
        assert (served.format, served.size) == ("WEBP", (page.width, page.height))
        served.load()
        assert page.media_type == media_type == "image/webp"
        return served.convert("RGB")


# The page is 400 x 600 points; a red rectangle covers x 20 to 120 and y 30 to 80 from its lower left corner. The expected
# sizes and boxes (points from the upper left corner of the page as shown) are worked out by hand: /Rotate turns the page
# clockwise when it is shown (ISO 32000-1, table 30), and the crop box becomes the page.
@pytest.mark.parametrize(
    ("entries", "size", "box"),
    [
        ("", (400, 600), (20, 520, 120, 570)),
        ("/Rotate 90", (600, 400), (30, 20, 80, 120)),
        ("/Rotate 180", (400, 600), (280, 30, 380, 80)),
        ("/Rotate 270", (600, 400), (520, 280, 570, 380)),
        ("/Rotate -90", (600, 400), (520, 280, 570, 380)),
        ("/CropBox [10 20 310 420]", (300, 400), (10, 340, 110, 390)),
        ("/CropBox [10 20 310 420] /Rotate 90", (400, 300), (10, 10, 60, 110)),
        ("/CropBox [10 20 310 420] /Rotate 180", (300, 400), (190, 10, 290, 60)),
        ("/CropBox [10 20 310 420] /Rotate 270", (400, 300), (340, 190, 390, 290)),
        ("/CropBox [-50 -50 450 650]", (400, 600), (20, 520, 120, 570)),  # the crop box cannot pass the media box
    ],
)
def test_a_turned_or_cropped_page_is_drawn_as_a_reader_shows_it(
    media: Path, images: PageImages, entries: str, size: tuple[int, int], box: tuple[int, int, int, int]
) -> None:
    write(media / "a.pdf", pdf_bytes([(f"/MediaBox [0 0 400 600] {entries}", "1 0 0 rg 20 30 100 50 re f")]))
    page = images.describe(media, "a.pdf#page=1", declared_size=size)
    assert page.warning is None
    picture = drawn(images, media, "a.pdf#page=1")
    assert picture.size == (round(size[0] * 200 / 72), round(size[1] * 200 / 72))
    x_scale, y_scale = picture.width / size[0], picture.height / size[1]
    x0, y0, x1, y1 = box
    inside = [(x0 + 2, y0 + 2), (x1 - 2, y0 + 2), (x0 + 2, y1 - 2), (x1 - 2, y1 - 2), ((x0 + x1) / 2, (y0 + y1) / 2)]
    outside = [(x0 - 2, y0 - 2), (x1 + 2, y0 - 2), (x0 - 2, y1 + 2), (x1 + 2, y1 + 2)]
    for places, colour in ((inside, RED), (outside, WHITE)):
        for x, y in places:
            assert near(picture.getpixel((int(x * x_scale), int(y * y_scale))), colour), (x, y)


def test_a_media_box_that_does_not_start_at_zero_is_moved_to_the_corner(media: Path, images: PageImages) -> None:
    write(media / "a.pdf", pdf_bytes([("/MediaBox [100 100 500 700]", "1 0 0 rg 120 130 100 50 re f")]))
    picture = drawn(images, media, "a.pdf#page=1")
    assert near(picture.getpixel((round(70 * 200 / 72), round(545 * 200 / 72))), RED)
    assert near(picture.getpixel((round(10 * 200 / 72), round(545 * 200 / 72))), WHITE)


@pytest.mark.parametrize(
    ("points", "dpi", "pixels"),
    [
        ((612, 792), 200, (1700, 2200)),
        ((612, 792), 300, (2550, 3300)),
        ((612, 792), 400, (3400, 4400)),
        ((1440, 720), 200, (4000, 2000)),
        ((2880, 1440), 200, (4000, 2000)),  # 8,000 x 4,000 at 200 dpi
        ((2880, 1440), 400, (6325, 3162)),  # 8,000 x 4,000 would be more than 20 million pixels
        ((595.276, 841.89), 200, (1654, 2339)),
        ((3, 1400), 200, (8, 3889)),
        ((0.5, 7200), 200, (1, 4000)),
    ],
)
def test_pixels_follow_the_resolution_up_to_the_bounds(
    media: Path, images: PageImages, points: tuple[float, float], dpi: int, pixels: tuple[int, int]
) -> None:
    write(media / "a.pdf", pdf_bytes([(f"/MediaBox [0 0 {points[0]} {points[1]}]", "")]))
    page = images.describe(media, "a.pdf#page=1", dpi=dpi, declared_size=points)
    assert (page.width, page.height) == pixels
    assert page.warning is None


def test_a_page_is_drawn_sharper_under_the_key_of_the_usual_resolution_too(media: Path, images: PageImages) -> None:
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 144 72]", "1 0 0 rg 0 0 72 72 re f")]))
    usual, sharp = (images.describe(media, "a.pdf#page=1", dpi=dpi) for dpi in (200, 400))
    assert usual.key != sharp.key
    assert drawn(images, media, "a.pdf#page=1", dpi=400).size == (800, 400)
    assert images.content(media, "a.pdf#page=1", key=usual.key, dpi=400) == images.content(
        media, "a.pdf#page=1", key=sharp.key, dpi=400
    )
    assert images.content(media, "a.pdf#page=1", key=sharp.key)[0].name == f"{usual.key}.webp"
    with pytest.raises(PageUnavailable, match="200, 300, 400 dpi, not at 72"):
        images.content(media, "a.pdf#page=1", key=usual.key, dpi=72)


def test_a_different_shape_is_reported_in_points(media: Path, images: PageImages) -> None:
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 612 792] /Rotate 90", "")]))
    assert images.describe(media, "a.pdf#page=1", declared_size=(612, 792)).warning == (
        "the page is 792 x 612 points, but the dataset says 612 x 792: boxes may be off"
    )


def test_all_sizes_of_a_long_document_are_known_without_drawing_one_page(media: Path, make_images: MakeImages) -> None:
    asked: list[str] = []
    images = make_images(process=DrawingProcess(timeout_seconds=60, watch=lambda _, kind: asked.append(kind)))
    boxes = [(300 + number, 500 + number // 2) for number in range(468)]
    write(media / "long.pdf", pdf_bytes([(f"/MediaBox [0 0 {width} {height}]", "") for width, height in boxes]))
    for number, (width, height) in enumerate(boxes, start=1):
        page = images.describe(media, f"long.pdf#page={number}")
        long_side = max(round(height * 200 / 72), round(width * 200 / 72))
        assert max(page.width, page.height) == long_side
    assert asked == ["size"] * 468
    images.describe(media, "long.pdf#page=468")
    assert len(asked) == 468  # remembered
    with pytest.raises(PageUnavailable, match="has only 468 pages: correct the page number"):
        images.describe(media, "long.pdf#page=469")


def test_every_page_of_the_same_document_has_its_own_key(media: Path, images: PageImages) -> None:
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 100 100]", "")] * 3))
    assert len({images.describe(media, f"a.pdf#page={page}").key for page in (1, 2, 3)}) == 3


def test_the_page_sizes_of_the_real_documents_are_those_of_their_dataset(
    real_data: Path, make_images: MakeImages
) -> None:
    process = DrawingProcess(timeout_seconds=60)
    images = make_images(process=process)
    rows = [json.loads(line) for line in (real_data / "pdf_audit" / "pages.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        image = row["image"].removeprefix("../")
        page = images.describe(real_data, image, declared_size=(row["width"], row["height"]))
        assert page.warning is None
        file, number = image.split("#page=")
        sha256 = images._ledger.content_hash(real_data / file)
        size = process.page_size(real_data / file, sha256, int(number))
        assert size.width == pytest.approx(row["width"], abs=0.01)
        assert size.height == pytest.approx(row["height"], abs=0.01)
    assert len(rows) == 606


ENCRYPTED = (
    "/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 "
    f"/O <{'41' * 32}> /U <{'42' * 32}> >> /ID [<{'43' * 16}> <{'43' * 16}>]"
)
PAGE = [("/MediaBox [0 0 100 100]", "")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (pdf_bytes(PAGE, trailer=ENCRYPTED), "encrypted and asks for a password"),
        (pdf_bytes(PAGE, trailer=ENCRYPTED.replace("Standard", "Strange")), "encrypted in a way that cannot be read"),
        (b"%PDF-1.7\nnothing that a reader could use", r"broken \(it cannot be opened\)"),
        (pdf_bytes([]), r"broken \(it cannot be opened\)"),
    ],
)
def test_a_pdf_that_cannot_be_opened_says_why(media: Path, images: PageImages, data: bytes, reason: str) -> None:
    write(media / "a.pdf", data)
    with pytest.raises(PageUnavailable, match=rf"^a.pdf#page=1 cannot be shown: the PDF is {reason}"):
        images.describe(media, "a.pdf#page=1")


def test_a_broken_page_does_not_take_the_others_with_it(media: Path, images: PageImages) -> None:
    data = pdf_bytes([*PAGE, ("/MediaBox [0 0 100 100]", "1 0 0 rg 0 0 100 100 re f")])
    write(media / "a.pdf", data.replace(b"[3 0 R 5 0 R]", b"[9 0 R 5 0 R]"))  # no object has the number 9
    with pytest.raises(PageUnavailable, match="this page of the PDF is broken"):
        images.describe(media, "a.pdf#page=1")
    assert near(drawn(images, media, "a.pdf#page=2").getpixel((139, 139)), RED)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_page_that_a_truncated_pdf_lost_is_not_shown(media: Path, images: PageImages, part: float) -> None:
    data = pdf_bytes([("/MediaBox [0 0 100 100]", "0 g " * 200)] * 5)
    write(media / "a.pdf", data[: int(len(data) * part)])
    with pytest.raises(PageUnavailable, match=r"^a.pdf#page=5 cannot be shown: (the|this page of the) PDF"):
        images.describe(media, "a.pdf#page=5")


def test_a_pdf_without_a_page_number_says_how_to_name_one(media: Path, images: PageImages) -> None:
    write(media / "a.pdf", pdf_bytes(PAGE))
    with pytest.raises(PageUnavailable, match=r"name one of its pages, as in 'file.pdf#page=1'"):
        images.describe(media, "a.pdf")


def test_a_pdf_that_was_replaced_is_opened_anew(media: Path, images: PageImages) -> None:
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 100 100]", "1 0 0 rg 0 0 100 100 re f")]), age_seconds=90)
    old = images.describe(media, "a.pdf#page=1")
    drawn(images, media, "a.pdf#page=1")
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 100 200]", "0 0 1 rg 0 0 100 200 re f")]), age_seconds=60)
    new = images.describe(media, "a.pdf#page=1")
    assert (old.height, new.height) == (278, 556)
    assert new.warning is not None
    assert "this file changed since it was first shown on" in new.warning
    assert near(drawn(images, media, "a.pdf#page=1").getpixel((20, 20)), (0, 0, 255))
    with pytest.raises(PageUnavailable, match="changed since it was first shown"):
        images.content(media, "a.pdf#page=1", key=old.key)


def test_a_pdf_that_is_replaced_while_it_is_drawn_is_not_kept_under_the_old_key(
    media: Path, make_images: MakeImages
) -> None:
    def replace(_: int, kind: str) -> None:
        if kind == "draw":
            write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 100 200]", "")]), age_seconds=30)

    images = make_images(process=DrawingProcess(timeout_seconds=60, watch=replace))
    write(media / "a.pdf", pdf_bytes(PAGE))
    key = images.describe(media, "a.pdf#page=1").key
    with pytest.raises(PageUnavailable, match="changed while it was being drawn"):
        images.content(media, "a.pdf#page=1", key=key)
    assert not list((media.parent / "cache" / "pages").iterdir())


def test_more_documents_than_may_be_open_are_drawn_all_the_same(media: Path, images: PageImages) -> None:
    for round_number in range(2):
        for number in range(20):
            name = f"{number}.pdf"
            if not round_number:
                write(media / name, pdf_bytes([(f"/MediaBox [0 0 {72 + 36 * number} 50]", "")]))
            dpi = (200, 300)[round_number]
            assert drawn(images, media, f"{name}#page=1", dpi=dpi).width == dpi + number * dpi // 2


def test_an_annotation_is_shown_as_a_reader_shows_it(media: Path, images: PageImages) -> None:
    look = "1 0 0 rg 0 0 50 50 re f"
    extra = {
        9001: "<< /Type /Annot /Subtype /Stamp /F 4 /Rect [20 20 70 70] /P 3 0 R /AP << /N 9002 0 R >> >>",
        9002: f"<< /Type /XObject /Subtype /Form /BBox [0 0 50 50] /Length {len(look)} >>\nstream\n{look}\nendstream",
    }
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 100 100] /Annots [9001 0 R]", "")], extra=extra))
    assert near(drawn(images, media, "a.pdf#page=1").getpixel((139, 139)), RED)


def test_what_is_filled_into_a_form_is_shown(media: Path, images: PageImages) -> None:
    look = "1 0 0 rg 0 0 50 50 re f"
    extra = {
        9000: "<< /Fields [9001 0 R] >>",
        9001: "<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /F 4 /Rect [20 20 70 70] /P 3 0 R /AP << /N 9002 0 R >> >>",
        9002: f"<< /Type /XObject /Subtype /Form /BBox [0 0 50 50] /Length {len(look)} >>\nstream\n{look}\nendstream",
    }
    data = pdf_bytes([("/MediaBox [0 0 100 100] /Annots [9001 0 R]", "")], extra=extra)
    at = data.index(b"<< /Type /Catalog")
    catalog = data[at : data.index(b"endobj", at)]
    form = catalog.replace(b"/Pages 2 0 R", b"/AcroForm 9000 0 R /Pages 2 0 R")
    write(media / "a.pdf", data.replace(catalog, form))  # offsets are off now: PDFium rebuilds them, as readers do
    assert near(drawn(images, media, "a.pdf#page=1").getpixel((139, 139)), RED)


# --- threads --------------------------------------------------------------------------------------------------------


def at_once(threads: int, call: Callable[[int], object]) -> list[object]:
    start = threading.Barrier(threads)

    def run(number: int) -> object:
        start.wait(timeout=30)
        return call(number)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))


def test_eight_threads_that_want_the_same_page_have_it_drawn_once(media: Path, make_images: MakeImages) -> None:
    asked: list[str] = []
    images = make_images(process=DrawingProcess(timeout_seconds=60, watch=lambda _, kind: asked.append(kind)))
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 612 792]", "1 0 0 rg 20 30 100 50 re f")]))
    key = images.describe(media, "a.pdf#page=1").key
    found = at_once(8, lambda _: images.content(media, "a.pdf#page=1", key=key))
    assert len(set(found)) == 1
    assert asked == ["size", "draw"]


def test_eight_threads_that_want_different_pages_and_images_get_theirs(media: Path, images: PageImages) -> None:
    write(media / "a.pdf", pdf_bytes([(f"/MediaBox [0 0 {72 + 36 * number} 72]", "") for number in range(4)]))
    exif = Image.Exif()
    exif[0x0112] = 6
    for number in range(4):
        write(media / f"{number}.png", image_bytes(cornered(60, 20 + 2 * number), "PNG", exif=exif))

    def ask(number: int) -> list[tuple[int, int]]:
        sizes = []
        for step in range(16):
            which = (number + step) % 8
            image = f"a.pdf#page={which + 1}" if which < 4 else f"{which - 4}.png"
            page = images.describe(media, image)
            with Image.open(images.content(media, image, key=page.key)[0]) as served:
                assert served.size == (page.width, page.height)
                sizes.append((which, served.width))
        return sizes

    wanted = {0: 200, 1: 300, 2: 400, 3: 500, 4: 20, 5: 22, 6: 24, 7: 26}
    for sizes in at_once(8, ask):
        assert isinstance(sizes, list)
        assert all(width == wanted[which] for which, width in sizes)
