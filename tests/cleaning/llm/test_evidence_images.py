"""Evidence pages as they are sent: how large, in which colours, and what becomes of one that cannot be shown."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from audit_core.errors import PageUnavailable
from audit_core.workflow.workspace import Workspace, open_workspace
from cleaning.llm.evidence_images import PageSource, shrunk
from tests.cleaning.label_bundle import LabelBundle, imported


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    assert image.format == "JPEG"
    return image


@pytest.fixture
def source(tmp_path: Path) -> Iterator[PageSource]:
    """The pages of a small dataset, all of one file of 10 by 10 pixels."""
    workspace: Workspace = open_workspace()
    dataset = imported(workspace, tmp_path / "bundle", LabelBundle(n=4, a_document=1))
    yield PageSource(workspace.revision(dataset), workspace.page_images)
    workspace.close()


def test_an_image_of_30_mb_becomes_small(tmp_path: Path) -> None:
    file = tmp_path / "page.png"
    noise = np.random.default_rng(1).integers(0, 256, size=(4000, 2600, 3), dtype=np.uint8)
    Image.fromarray(noise).save(file, compress_level=0)
    assert file.stat().st_size > 30_000_000
    content = shrunk(file, side=1600)
    assert opened(content).size == (1040, 1600)
    assert len(content) < 3_000_000


def test_an_image_with_more_pixels_than_pillow_takes_by_itself_is_shrunk(tmp_path: Path) -> None:
    file = tmp_path / "page.png"
    Image.new("L", (12_000, 9_000), 200).save(file)
    bound = Image.MAX_IMAGE_PIXELS
    assert opened(shrunk(file, side=400)).size == (400, 300)
    assert bound == Image.MAX_IMAGE_PIXELS


def test_a_small_image_keeps_its_size(tmp_path: Path) -> None:
    file = tmp_path / "page.webp"
    Image.new("RGB", (30, 20), "red").save(file)
    assert opened(shrunk(file, side=1600)).size == (30, 20)


@pytest.mark.parametrize(
    ("image", "shown"),
    [
        (Image.new("RGBA", (8, 8), (0, 0, 0, 0)), 255),
        (Image.new("LA", (8, 8), (0, 0)), 255),
        (Image.new("L", (8, 8), 60), 60),
        (Image.new("1", (8, 8), 1), 255),
        (Image.new("I;16", (8, 8), 40_000), 156),
        (Image.new("RGB", (8, 8), (90, 90, 90)).quantize(4), 90),
    ],
    ids=["transparent", "transparent grey", "grey", "black and white", "16 bits", "palette"],
)
def test_colours_become_those_of_jpeg(tmp_path: Path, image: Image.Image, shown: int) -> None:
    file = tmp_path / "page.png"
    image.save(file)
    grey = opened(shrunk(file, side=100)).convert("L").getpixel((4, 4))
    assert grey == pytest.approx(shown, abs=2)


def test_what_is_no_image_cannot_be_sent(tmp_path: Path) -> None:
    file = tmp_path / "page.png"
    file.write_bytes(b"no image at all")
    with pytest.raises(PageUnavailable, match=r"page.png cannot be sent"):
        shrunk(file, side=100)
    Image.fromarray(np.random.default_rng(1).integers(0, 256, size=(90, 90), dtype=np.uint8)).save(file)
    file.write_bytes(file.read_bytes()[:2000])
    with pytest.raises(PageUnavailable, match="cannot be sent"):
        shrunk(file, side=100)


def test_a_page_has_a_key_of_its_content_and_its_size_and_is_read_when_it_is_sent(source: PageSource) -> None:
    small, large, again = (source.images(["d0"], side=side)[0] for side in (128, 1600, 128))
    assert small.key == again.key != large.key
    assert len(small.key) == 64
    assert (small.media_type, small.tokens) == ("image/jpeg", 1)
    assert opened(small.read()).size == (10, 10)


def test_a_page_that_cannot_be_shown_says_so_when_it_is_read(source: PageSource) -> None:
    missing, unknown = source.images(["d1", "nowhere"])
    Path(source._revision.media_root / "page.png").unlink()
    gone, _ = source.images(["d0", "nowhere"])
    for image in (missing, unknown, gone):
        with pytest.raises(PageUnavailable):
            image.read()
    assert len({missing.key, unknown.key, gone.key}) == 3
