"""Evidence pages as a language model is shown them: JPEG, shrunk to a long side, made when they are sent."""

from __future__ import annotations

import hashlib
import io
import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.errors import NotFound, PageUnavailable
from audit_core.inference.chat import SentImage

if TYPE_CHECKING:
    from PIL import Image

    from audit_core.datasets.revision import Revision
    from audit_core.rendering.page_images import PageImages

MEDIA_TYPE = "image/jpeg"
IMAGE_SIDE = 1600
#: Smallest and largest long side, in pixels.
SIDE_MIN, SIDE_MAX = 128, 4096
#: Part of every key; raise it when images are made in another way.
_RECIPE = "jpeg 85 lanczos v1"
_QUALITY = 85
#: Pixels for one token: what servers charge differs by a factor of about two on either side.
_PIXELS_A_TOKEN = 750
#: One large image in memory at a time, however many questions are in flight.
_ONE_AT_A_TIME = threading.Lock()


class PageSource:
    """The page images of one dataset revision, as they are sent. Threads may share it."""

    def __init__(self, revision: Revision, page_images: PageImages) -> None:
        self._revision = revision
        self._page_images = page_images

    def images(self, page_ids: Sequence[str], *, side: int = IMAGE_SIDE) -> tuple[SentImage, ...]:
        """Return the images of these pages with a long side of at most `side` pixels, in order; none is made yet.

        An image's key stands for its content: it changes with the page's file and with `side`. A page that cannot be
        shown has an image as well, whose `read` raises PageUnavailable and says why.
        """
        return tuple(self._image(page_id, side) for page_id in page_ids)

    def _image(self, page_id: str, side: int) -> SentImage:
        media_root = self._revision.media_root
        try:
            image = self._revision.page(page_id).image
            shown = self._page_images.describe(media_root, image)
        except (PageUnavailable, NotFound) as error:
            return SentImage(f"unavailable {page_id}", MEDIA_TYPE, _refusing(str(error)))
        key = hashlib.sha256(f"{shown.key} {side} {_RECIPE}".encode()).hexdigest()
        scale = min(1.0, side / max(shown.width, shown.height))
        tokens = math.ceil(shown.width * scale * shown.height * scale / _PIXELS_A_TOKEN)

        def read() -> bytes:
            path, _ = self._page_images.content(media_root, image, key=shown.key)
            return shrunk(path, side=side)

        return SentImage(key, MEDIA_TYPE, read, tokens=max(1, tokens))


def _refusing(why: str) -> Callable[[], bytes]:
    def read() -> bytes:
        raise PageUnavailable(why)

    return read


def shrunk(path: Path, *, side: int) -> bytes:
    """Return the image of a file as JPEG, its long side at most `side` pixels; on white where it is transparent.

    Raises:
        PageUnavailable: the file cannot be read as an image.
    """
    from PIL import Image

    with _ONE_AT_A_TIME:
        # Whether it has too many pixels was looked at before, by the setting; Pillow's own bound is lower.
        bound, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            with Image.open(path, formats=["PNG", "JPEG", "WEBP"]) as opened:
                # A JPEG is decoded at a fraction of its size where that is enough.
                opened.draft("RGB", (side, side))
                flat = _in_plain_colours(opened)
            flat.thumbnail((side, side), Image.Resampling.LANCZOS)
            out = io.BytesIO()
            flat.save(out, "JPEG", quality=_QUALITY)
        except (OSError, ValueError, SyntaxError, MemoryError) as error:
            raise PageUnavailable(f"{path.name} cannot be sent: its pixels cannot be read ({error}).") from error
        finally:
            Image.MAX_IMAGE_PIXELS = bound
    return out.getvalue()


def _in_plain_colours(image: Image.Image) -> Image.Image:
    """Return the image in colours that JPEG has: grey or red, green and blue."""
    from PIL import Image

    if image.mode.startswith("I"):
        # 16 bits of grey: the upper eight.
        return image.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if image.has_transparency_data:
        pixels = image.convert("RGBA")
        white = Image.new("RGBA", pixels.size, "white")
        return Image.alpha_composite(white, pixels).convert("RGB")
    return image.convert("L" if image.mode in ("1", "L") else "RGB")
