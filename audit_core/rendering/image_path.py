"""Where the file of a page image lies, without ever leaving the media root.

An image is named by text: a path relative to the media root with `/` between folders, or `FILE.pdf#page=N`, N from 1.

- Only a `#page=...` at the very end is a page number. Any other `#` belongs to the file name: `notes#2.png` is a file.
- Nothing is percent-decoded: `a%20b.png` is a file with a percent sign in its name, not `a b.png`.
- `..` may be used inside the media root; what counts is where the path ends after all symbolic links are followed.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from audit_core.errors import PageUnavailable

_PAGE = re.compile(r"(?P<file>.*)#page=(?P<page>[^#/]*)", re.DOTALL)
_NUMBER = re.compile(r"0*[1-9][0-9]{0,8}")


@dataclass(frozen=True, slots=True)
class ImageFile:
    """A file inside the media root: its resolved path, the resolved root, and the PDF page number (from 1) or None."""

    path: Path
    media_root: Path
    page: int | None


def split_page(image: str) -> tuple[str, int | None]:
    """Return the file's path and the page number (from 1; None where `image` names no page).

    Raises:
        PageUnavailable: `#page=` is there, but no whole number from 1 follows.
    """
    match = _PAGE.fullmatch(image)
    if match is None:
        return image, None
    if not _NUMBER.fullmatch(match["page"]):
        raise PageUnavailable(f"'#page={match['page'][:20]}' names no page: write a whole number from 1 after '#page='")
    return match["file"], int(match["page"])


def locate(media_root: Path, image: str) -> ImageFile:
    """Return the regular file that `image` names. The file is not opened.

    Raises:
        PageUnavailable: the path is absolute, leaves the media root (links followed), or no regular file is there. The
            reason is the same whether or not a file lies outside, so nothing can be probed.
    """
    name, page = split_page(image)
    if not name or "\0" in name:
        raise PageUnavailable("the dataset names no image file for this page")
    if Path(name).is_absolute():
        raise PageUnavailable("the path is absolute: image paths must be relative to the media root")
    try:
        root = media_root.resolve()
        path = (root / name).resolve()
    except (OSError, RuntimeError):
        raise PageUnavailable("the path cannot be followed (a loop of symbolic links, or a name too long)") from None
    if not path.is_relative_to(root):
        raise PageUnavailable("the path leads outside the media root, from where nothing is read")
    _require_regular_file(path)
    return ImageFile(path=path, media_root=root, page=page)


def _require_regular_file(path: Path) -> None:
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise PageUnavailable("the file is not there: put it into the media root or correct its path") from None
    except OSError as error:
        raise PageUnavailable(f"the file cannot be read ({error.strerror})") from None
    if not stat.S_ISREG(mode):
        raise PageUnavailable("the path is a folder or a device, not a file")
