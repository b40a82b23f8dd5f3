"""Page images: some hundred small files that the pages share, and a few pages of 2,000 x 4,000 pixels."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = "images"
#: Sizes of the shared images: letter, A4 at 150 dpi, a stretch of a web page, a slide.
SIZES = ((850, 1100), (1240, 1754), (1000, 2000), (1600, 900))
LARGE = (2000, 4000)
#: Every so many files is a WebP, the others are PNG.
WEBP_EVERY = 4


@dataclass(frozen=True, slots=True)
class PageImage:
    """One image file, relative to the bundle, and its size in pixels."""

    path: str
    width: int
    height: int


def make_images(folder: Path, count: int, rng: np.random.Generator) -> list[PageImage]:
    """Write `count` page images of bars in place of lines of print, and return them; a file is a few kilobytes."""
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    made: list[PageImage] = []
    for number in range(count):
        width, height = SIZES[number % len(SIZES)]
        suffix = "webp" if number // len(SIZES) % WEBP_EVERY == 0 else "png"
        image = PageImage(f"{FOLDER}/shared-{number:04d}.{suffix}", width, height)
        _draw(folder / image.path, width, height, lines=40, noise=0, rng=rng)
        made.append(image)
    return made


def make_large_images(folder: Path, count: int, rng: np.random.Generator) -> list[PageImage]:
    """Write `count` pages of 2,000 x 4,000 pixels with as much detail as a scan, and return them."""
    width, height = LARGE
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    made = [PageImage(f"{FOLDER}/large-{number:04d}.png", width, height) for number in range(count)]
    for image in made:
        _draw(folder / image.path, width, height, lines=160, noise=12, rng=rng)
    return made


def link_own_files(folder: Path, images: list[PageImage], image_of_page: list[int], names: list[str]) -> list[str]:
    """Give every page a path of its own, a hard link to its shared image, and return the paths.

    A folder holds a thousand pages. So a reader has to look at as many files as a real benchmark has.
    """
    paths: list[str] = []
    for number, (image, name) in enumerate(zip(image_of_page, names, strict=True)):
        place = f"{FOLDER}/{number // 1000:04d}"
        if number % 1000 == 0:
            (folder / place).mkdir(exist_ok=True)
        path = f"{place}/{name}{Path(images[image].path).suffix}"
        os.link(folder / images[image].path, folder / path)
        paths.append(path)
    return paths


def _draw(path: Path, width: int, height: int, *, lines: int, noise: int, rng: np.random.Generator) -> None:
    from PIL import Image

    pixels = np.full((height, width), 250, np.uint8)
    step = height // (lines + 2)
    for line in range(1, lines + 1):
        end = int(width * rng.uniform(0.3, 0.94))
        pixels[line * step : line * step + max(step // 2, 1), int(width * 0.06) : end] = 60
    if noise:
        pixels -= rng.integers(noise, size=pixels.shape, dtype=np.uint8)
    image = Image.fromarray(pixels)
    if path.suffix == ".webp":
        image.convert("RGB").save(path, quality=40, method=0)
    else:
        image.save(path, compress_level=6 if not noise else 1)
