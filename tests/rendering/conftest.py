"""The objects under test, each closed after its test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from made_pages import MakeImages

from audit_core.rendering.page_images import PageImages
from audit_core.rendering.pdf_process import DrawingProcess


@pytest.fixture
def media(tmp_path: Path) -> Path:
    """An empty media root."""
    folder = tmp_path / "media"
    folder.mkdir()
    return folder


@pytest.fixture
def make_images(tmp_path: Path) -> Iterator[MakeImages]:
    """A function that opens PageImages on one cache folder; each is closed after the test."""
    opened: list[PageImages] = []

    def make(
        *,
        cache_bytes: int = 50_000_000,
        max_pixels: int = 20_000_000,
        pdf_timeout_seconds: int = 60,
        process: DrawingProcess | None = None,
    ) -> PageImages:
        images = PageImages(
            tmp_path / "cache",
            cache_bytes=cache_bytes,
            max_pixels=max_pixels,
            pdf_timeout_seconds=pdf_timeout_seconds,
            process=process,
        )
        opened.append(images)
        return images

    yield make
    for images in opened:
        images.close()


@pytest.fixture
def images(make_images: MakeImages) -> PageImages:
    """PageImages with an empty cache."""
    return make_images()
