"""Page images: what a page looks like, in pixels, and the file that a browser can show.

An upright PNG, JPEG or WebP is served byte for byte. An image with an EXIF orientation, or in colours that browsers do
not all show, is turned or converted once into the cache; a PDF page is drawn once into the cache, as a reader shows it
(crop box and rotation applied), so that boxes in parts of width and height fit what is served.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from audit_core.errors import PageUnavailable
from audit_core.rendering.file_ledger import FileLedger
from audit_core.rendering.image_header import ImageHeader, is_pdf, read_header
from audit_core.rendering.image_path import ImageFile, locate
from audit_core.rendering.page_cache import PageCache
from audit_core.rendering.pdf_process import DrawingProcess, PdfPageSize
from audit_core.rendering.turns import OnePerKey

#: Dots per inch at which a PDF page can be drawn; the first is the usual one.
RESOLUTIONS = (200, 300, 400)
#: The long side of a page drawn at 200 dpi has at most this many pixels; in proportion at the others.
LONG_SIDE_PIXELS = 4000
#: Width to height may differ by this part from what the dataset says before boxes are doubted.
ASPECT_TOLERANCE = 0.01

#: Part of each PDF page's key; raise it when drawing changes, so that browsers and the cache forget the old pages.
_RECIPE = "webp 85.2 v1"
_POINTS_PER_INCH = 72
_LARGEST_FILE_MB = 512
_HEADERS_KEPT = 50_000
_NAME_SHOWN = 200
_MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
_SUFFIXES = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp"}


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as it will be served.

    `key` (32 hex digits) stands for the content: it changes when the file does, and for a PDF page with the resolution;
    an address that holds it may be cached for ever. `width` and `height` are the pixels of the served image. `warning`
    says why boxes may not fit, else None.
    """

    key: str
    width: int
    height: int
    media_type: str
    warning: str | None


@dataclass(frozen=True, slots=True)
class _Source:
    """A located file, its content hash and, for an image file, its header (None for a PDF page)."""

    file: ImageFile
    sha256: str
    header: ImageHeader | None


class PageImages:
    """The page images of any number of media roots, with one cache folder. Safe under the threads of a web server.

    `cache_bytes` bounds the drawn files in the cache, `max_pixels` the pixels of an image file or drawn page;
    a PDF page that takes longer than `pdf_timeout_seconds` to draw is given up. `process` replaces both processes (one draws, one tells sizes).
    """

    def __init__(
        self,
        cache_folder: Path,
        *,
        cache_bytes: int,
        max_pixels: int,
        pdf_timeout_seconds: int,
        process: DrawingProcess | None = None,
    ) -> None:
        """Open or create the cache folder. Nothing is started before the first PDF page is asked for.

        Raises:
            StorageError: the cache folder cannot be used.
        """
        self._max_pixels = max_pixels
        self._cache = PageCache(cache_folder.absolute() / "pages", limit_bytes=cache_bytes)
        self._ledger = FileLedger(cache_folder.absolute() / "files.sqlite")
        self._process = process or DrawingProcess(timeout_seconds=pdf_timeout_seconds)
        # Sizes are asked of a process of their own: an entry must not wait while a page that takes a minute is drawn.
        self._sizing = process or DrawingProcess(timeout_seconds=pdf_timeout_seconds)
        self._drawing = OnePerKey()
        #: By content hash: the header of an image file, or None for a PDF.
        self._headers: dict[str, tuple[ImageHeader | None]] = {}

    def close(self) -> None:
        """End the drawing processes and close the list of files."""
        self._process.close()
        self._sizing.close()
        self._ledger.close()

    def describe(
        self,
        media_root: Path,
        image: str,
        *,
        declared_size: tuple[float, float] | None = None,
        dpi: int = RESOLUTIONS[0],
    ) -> PageImage:
        """Return what `content` will serve for the page, without drawing it.

        Args:
            media_root: folder that is never left.
            image: path relative to it, or `FILE.pdf#page=N` with N from 1 (`image_path` says how names are read).
            declared_size: width and height that the dataset gives (pixels, or points of a PDF page), for the warning.
            dpi: resolution of a PDF page, one of `RESOLUTIONS`; without effect on an image file.

        Raises:
            PageUnavailable: the page cannot be shown; the message says why and what to do.
        """
        with _naming(image):
            source = self._source(media_root, image)
            if source.header is None:
                page = self._page_size(source)
                shown: tuple[float, float] = (page.width, page.height)
                width, height = self._pixels(page, dpi)
                media_type, unit = _MEDIA_TYPES["WEBP"], "page is {} points"
            else:
                width, height = shown = source.header.shown_size
                media_type, unit = _MEDIA_TYPES[source.header.format], "image is {}"
            warnings = (self._change(source), _aspect_warning(shown, declared_size, unit))
            return PageImage(
                key=self._key(source, dpi),
                width=width,
                height=height,
                media_type=media_type,
                warning="; ".join(filter(None, warnings)) or None,
            )

    def content(self, media_root: Path, image: str, *, key: str, dpi: int = RESOLUTIONS[0]) -> tuple[Path, str]:
        """Return the path of the file to send and its media type; draws it into the cache where it is not there yet.

        Args:
            media_root: as in `describe`.
            image: as in `describe`.
            key: `PageImage.key` of the page at any of the `RESOLUTIONS`, so an address made of the key of 200 dpi and a
                `dpi` stands for one content.
            dpi: resolution of a PDF page; without effect on an image file.

        Raises:
            PageUnavailable: as `describe`; or the file is no longer the one that `key` was given for.
        """
        with _naming(image):
            source = self._source(media_root, image)
            if key not in {self._key(source, each) for each in RESOLUTIONS}:
                raise PageUnavailable("the file changed since it was first shown: reload to see what it holds now")
            if source.header is None:
                return self._drawn(source, dpi), _MEDIA_TYPES["WEBP"]
            path = source.file.path if source.header.served_as_is else self._upright(source, source.header)
            return path, _MEDIA_TYPES[source.header.format]

    # --- what the file is ------------------------------------------------------------------------------------------

    def _source(self, media_root: Path, image: str) -> _Source:
        file = locate(media_root, image)
        sha256 = self._ledger.content_hash(file.path)
        (header,) = self._headers.get(sha256) or self._read_header(file.path, sha256)
        if header is None and file.page is None:
            raise PageUnavailable("the file is a PDF: name one of its pages, as in 'file.pdf#page=1'")
        if header is not None and file.page is not None:
            raise PageUnavailable(f"the file is a {header.format} image, not a PDF: it has no page {file.page}")
        return _Source(file, sha256, header)

    def _read_header(self, path: Path, sha256: str) -> tuple[ImageHeader | None]:
        header = (self._parsed(path),)
        if self._ledger.content_hash(path) != sha256:
            raise PageUnavailable("the file changed while it was being read: try again when it is whole")
        if len(self._headers) >= _HEADERS_KEPT:
            self._headers.clear()
        self._headers[sha256] = header
        return header

    def _parsed(self, path: Path) -> ImageHeader | None:
        try:
            with path.open("rb") as file:
                start = file.read(1024)
                if is_pdf(start):
                    return None
                megabytes = os.fstat(file.fileno()).st_size // 1_000_000
                if megabytes > _LARGEST_FILE_MB:
                    raise PageUnavailable(f"the file has {megabytes:,} MB; an image may have {_LARGEST_FILE_MB}")
                return read_header(start + file.read(), max_pixels=self._max_pixels)
        except OSError as error:
            raise PageUnavailable(f"the file cannot be read ({error.strerror})") from None

    def _page_size(self, source: _Source) -> PdfPageSize:
        assert source.file.page is not None
        size = self._sizing.page_size(source.file.path, source.sha256, source.file.page)
        if not (math.isfinite(size.width) and math.isfinite(size.height) and min(size.width, size.height) > 0):
            raise PageUnavailable("this page of the PDF has no area")
        return size

    def _pixels(self, page: PdfPageSize, dpi: int) -> tuple[int, int]:
        """Return the pixels of the drawn page: `dpi`, less where the long side or the area would pass its bound."""
        scale = min(
            dpi / _POINTS_PER_INCH,
            LONG_SIDE_PIXELS * dpi / RESOLUTIONS[0] / max(page.width, page.height),
            math.sqrt(self._max_pixels / (page.width * page.height)),
        )
        return max(1, round(page.width * scale)), max(1, round(page.height * scale))

    def _key(self, source: _Source, dpi: int) -> str:
        if dpi not in RESOLUTIONS:
            raise PageUnavailable(f"pages are drawn at {', '.join(map(str, RESOLUTIONS))} dpi, not at {dpi}")
        if source.header is not None:
            return source.sha256[:32]
        recipe = f"{source.sha256} page {source.file.page} {dpi} dpi {self._max_pixels} pixels {_RECIPE}"
        return hashlib.sha256(recipe.encode()).hexdigest()[:32]

    def _change(self, source: _Source) -> str | None:
        first, day = self._ledger.first_shown(source.file.media_root, source.file.path, source.sha256)
        if first == source.sha256:
            return None
        return f"this file changed since it was first shown on {day}: boxes may not fit"

    # --- drawn files -----------------------------------------------------------------------------------------------

    def _drawn(self, source: _Source, dpi: int) -> Path:
        page = source.file.page
        assert page is not None
        name = f"{self._key(source, dpi)}.webp"
        with self._drawing.holding(name):
            cached = self._cache.find(name)
            if cached is not None:
                return cached
            width, height = self._pixels(self._page_size(source), dpi)
            with self._aside(source) as aside:
                self._process.draw_page(source.file.path, source.sha256, page, width=width, height=height, target=aside)
                self._require_unchanged(source)
                return self._cache.keep(aside, name)

    def _upright(self, source: _Source, header: ImageHeader) -> Path:
        name = f"{source.sha256[:32]}.{_SUFFIXES[header.format]}"
        with self._drawing.holding(name):
            cached = self._cache.find(name)
            if cached is not None:
                return cached
            with self._aside(source) as aside:
                self._process.make_upright(
                    source.file.path,
                    source.sha256,
                    kind=header.format,
                    orientation=header.orientation,
                    lossless=header.lossless,
                    target=aside,
                )
                self._require_unchanged(source)
                return self._cache.keep(aside, name)

    @contextlib.contextmanager
    def _aside(self, source: _Source) -> Iterator[Path]:
        """Give a path to draw to; what is left there is removed."""
        aside = self._cache.place_aside()
        try:
            yield aside
        finally:
            with contextlib.suppress(OSError):
                aside.unlink(missing_ok=True)

    def _require_unchanged(self, source: _Source) -> None:
        """Refuse what was drawn while the file was replaced: it may show the new content under the old key."""
        if self._ledger.content_hash(source.file.path) != source.sha256:
            raise PageUnavailable("the file changed while it was being drawn: reload the page")


@contextlib.contextmanager
def _naming(image: str) -> Iterator[None]:
    """Put the image's name before the reason of a PageUnavailable."""
    try:
        yield
    except PageUnavailable as reason:
        name = image if len(image) <= _NAME_SHOWN else image[:_NAME_SHOWN] + "..."
        raise PageUnavailable(f"{name or 'This page'} cannot be shown: {reason}.") from None


def _aspect_warning(shown: tuple[float, float], declared: tuple[float, float] | None, subject: str) -> str | None:
    """Return a warning where width to height differs by more than the tolerance from what the dataset says."""
    if declared is None:
        return None
    width, height = declared
    usable = math.isfinite(width) and math.isfinite(height) and width > 0 and height > 0
    if usable and abs(shown[0] / shown[1] / (width / height) - 1) <= ASPECT_TOLERANCE:
        return None
    sizes = (f"{shown[0]:.10g} x {shown[1]:.10g}", f"{width:.10g} x {height:.10g}")
    return f"the {subject.format(sizes[0])}, but the dataset says {sizes[1]}: boxes may be off"
