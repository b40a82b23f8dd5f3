from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest
from made_pages import cornered, image_bytes, pdf_bytes, write

from audit_core.errors import PageUnavailable
from audit_core.rendering.image_path import locate, split_page
from audit_core.rendering.page_images import PageImages

PNG = image_bytes(cornered(), "PNG")


@pytest.mark.parametrize(
    ("image", "file", "page"),
    [
        ("a/b.png", "a/b.png", None),
        ("book.pdf#page=1", "book.pdf", 1),
        ("book.pdf#page=007", "book.pdf", 7),
        ("notes#2.png", "notes#2.png", None),
        ("c#.pdf#page=3", "c#.pdf", 3),
        ("x.pdf#page=2#page=4", "x.pdf#page=2", 4),
        ("a%20b.pdf#page=2", "a%20b.pdf", 2),
        ("x.pdf#view=Fit", "x.pdf#view=Fit", None),
    ],
)
def test_only_a_page_number_at_the_very_end_is_split_off(image: str, file: str, page: int | None) -> None:
    assert split_page(image) == (file, page)


@pytest.mark.parametrize("image", ["x.pdf#page=0", "x.pdf#page=", "x.pdf#page=one", "x.pdf#page=-1", "x.pdf#page=1.5"])
def test_a_page_number_that_is_none_is_refused_with_the_way_to_write_it(image: str) -> None:
    with pytest.raises(PageUnavailable, match="write a whole number from 1"):
        split_page(image)


def test_names_with_a_hash_or_a_percent_sign_are_found_as_they_are_written(media: Path, images: PageImages) -> None:
    for name in ("notes#2.png", "a%20b.png", "ünïcode 頁.png"):
        write(media / name, PNG)
        assert images.describe(media, name).width == 64
    write(media / "c#.pdf", pdf_bytes([("/MediaBox [0 0 72 72]", "")]))
    assert images.describe(media, "c#.pdf#page=1").width == 200
    with pytest.raises(PageUnavailable, match="not there"):
        images.describe(media, "a b.png")


def test_dots_may_be_used_inside_the_media_root(media: Path) -> None:
    file = write(media / "pages" / "1.png", PNG)
    (media / "bundle").mkdir()
    assert locate(media, "bundle/../pages/1.png").path == file.resolve()


@pytest.mark.parametrize(
    "image", ["../secret.png", "pages/../../secret.png", "../nothing.png", "linked.png", "folder/secret.png"]
)
def test_a_path_that_leaves_the_media_root_is_refused_alike_whether_or_not_a_file_is_there(
    tmp_path: Path, media: Path, images: PageImages, image: str
) -> None:
    write(tmp_path / "secret.png", PNG)
    (media / "pages").mkdir()
    (media / "linked.png").symlink_to(tmp_path / "secret.png")
    (media / "folder").symlink_to(tmp_path)
    with pytest.raises(PageUnavailable) as caught:
        images.describe(media, image)
    assert str(caught.value) == (
        f"{image} cannot be shown: the path leads outside the media root, from where nothing is read."
    )
    with pytest.raises(PageUnavailable, match="outside the media root"):
        images.content(media, image, key="0" * 32)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_what_lies_outside_or_is_no_file_is_not_even_opened(tmp_path: Path, media: Path, images: PageImages) -> None:
    os.mkfifo(tmp_path / "outside")  # opening it would block for ever
    os.mkfifo(media / "inside.png")
    (media / "linked.png").symlink_to(tmp_path / "outside")
    reasons: list[str] = []

    def ask() -> None:
        for image in ("linked.png", "inside.png"):
            with pytest.raises(PageUnavailable) as caught:
                images.describe(media, image)
            reasons.append(str(caught.value))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(timeout=20)
    assert not thread.is_alive()
    assert "outside the media root" in reasons[0]
    assert "a folder or a device, not a file" in reasons[1]


def test_a_link_that_stays_inside_the_media_root_is_followed(media: Path, images: PageImages) -> None:
    write(media / "real.png", PNG)
    (media / "link.png").symlink_to("real.png")
    assert images.describe(media, "link.png").key == images.describe(media, "real.png").key


def test_odd_paths_get_a_reason_each(media: Path, images: PageImages) -> None:
    file = write(media / "a.png", PNG)
    (media / "loop").symlink_to("loop")
    wanted = {
        "": "names no image file",
        "a\0.png": "names no image file",
        str(file): "must be relative to the media root",
        "loop": "cannot be",
        ".": "a folder or a device",
        "a.png/b.png": "not there",
        "missing.png": "put it into the media root",
        "x" * 5000 + ".png": "cannot be",
    }
    for image, reason in wanted.items():
        with pytest.raises(PageUnavailable, match=reason):
            images.describe(media, image)
