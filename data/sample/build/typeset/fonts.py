"""Font files and the widths of text set in them."""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from PIL import ImageFont

from typeset.errors import BuildError

# family -> style -> (file, first 12 hex digits of the SHA-256 the committed pages were drawn with, Debian package)
FILES: dict[str, dict[str, tuple[str, str]]] = {
    "serif": {
        "": ("LiberationSerif-Regular.ttf", "1c9c77c2cd0f"),
        "b": ("LiberationSerif-Bold.ttf", "af228b9de767"),
        "i": ("LiberationSerif-Italic.ttf", "ccd19036f8e8"),
        "bi": ("LiberationSerif-BoldItalic.ttf", "19c8cef87d61"),
    },
    "sans": {
        "": ("LiberationSans-Regular.ttf", "f8ace1f892b2"),
        "b": ("LiberationSans-Bold.ttf", "361c61b82d57"),
        "i": ("LiberationSans-Italic.ttf", "832b4406dbef"),
        "bi": ("LiberationSans-BoldItalic.ttf", "a224075ac174"),
    },
    "book": {
        "": ("DejaVuSerifCondensed.ttf", "1b3f7840572a"),
        "b": ("DejaVuSerifCondensed-Bold.ttf", "9432825f095d"),
        "i": ("DejaVuSerifCondensed-Italic.ttf", "c1670c8a103e"),
        "bi": ("DejaVuSerifCondensed-BoldItalic.ttf", "66b389de31f2"),
    },
    "plain": {
        "": ("DejaVuSansCondensed.ttf", "2d8aa290adcf"),
        "b": ("DejaVuSansCondensed-Bold.ttf", "6d2f2481e2aa"),
        "i": ("DejaVuSansCondensed-Oblique.ttf", "e35007c431fa"),
        "bi": ("DejaVuSansCondensed-BoldOblique.ttf", "a0c1e726e901"),
    },
}
_PACKAGES = {"Liberation": "fonts-liberation", "DejaVu": "fonts-dejavu"}
_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".fonts",
    Path.home() / ".local/share/fonts",
)
_REFERENCE = 2048  # size at which widths are measured; both families have 2048 units to the em


class Face(NamedTuple):
    """A font at a size: family (a key of FILES), style ("", "b", "i", "bi"), size in points."""

    family: str
    style: str
    size: float

    def styled(self, style: str) -> Face:
        """The same face with `style` added to its own ("b" + "i" gives "bi")."""
        wanted = set(self.style) | set(style)
        return self._replace(style="".join(letter for letter in "bi" if letter in wanted))

    def scaled(self, factor: float) -> Face:
        """The same face, `factor` times as large."""
        return self._replace(size=self.size * factor)


@cache
def font_path(family: str, style: str) -> Path:
    """The file of a face; BuildError naming the Debian package where it is not installed."""
    name, digest = FILES[family][style]
    for folder in _FOLDERS:
        for found in sorted(folder.rglob(name)) if folder.is_dir() else []:
            if hashlib.sha256(found.read_bytes()).hexdigest()[:12] != digest:
                print(
                    f"note: {name} is another version than the one the committed pages were set in; "
                    "the pages will differ in detail",
                    file=sys.stderr,
                )
            return found
    package = next(deb for prefix, deb in _PACKAGES.items() if name.startswith(prefix))
    raise BuildError(
        f"The font file {name} was not found under "
        f"{', '.join(str(folder) for folder in _FOLDERS)}. "
        f"On Debian or Ubuntu: apt-get install {package}. "
        "(Only a rebuild needs fonts; the built sample is in the repository.)"
    )


@cache
def loaded(family: str, style: str, pixels: float) -> ImageFont.FreeTypeFont:
    """The font at a size in pixels, shaped by Raqm so that pairs are kerned."""
    return ImageFont.truetype(str(font_path(family, style)), pixels, layout_engine=ImageFont.Layout.RAQM)


@cache
def text_width(text: str, face: Face, kerned: bool = True) -> float:
    """Points from the start of `text` to the pen position after it.

    Unkerned widths are those of a PDF viewer that draws with the standard fonts, whose widths Liberation shares.
    """
    font = loaded(face.family, face.style, _REFERENCE)
    features = None if kerned else ["-kern", "-liga"]
    return font.getlength(text, features=features) * face.size / _REFERENCE
