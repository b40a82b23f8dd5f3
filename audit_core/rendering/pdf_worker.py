"""The drawing process: `python -m audit_core.rendering.pdf_worker` answers JSON lines on stdin by JSON lines on stdout.

All PDFium runs here, because it is not thread-safe and may crash; Pillow too, so that the server decodes no image.
It first writes `{"ready": true}`, then one line a request, in order. An answer has `fault` (a reason in words) or:

- `{"ask": "size", "path", "hash", "page"}` -> `width`, `height` (points of the page as shown), `pages`;
- `{"ask": "draw", "path", "hash", "page", "width", "height", "target"}` -> `draw_ms`, `encode_ms`; a WebP of that many
  pixels is in `target`;
- `{"ask": "upright", "path", "orientation", "kind", "lossless", "target"}` -> `encode_ms`; the image, turned as its
  EXIF orientation says and in colours that browsers show, is in `target` as `kind` (PNG, JPEG or WEBP).

It ends when stdin does, even in the middle of a drawing.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
import time
from collections import OrderedDict
from typing import Any, BinaryIO

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image
from PIL.Image import Transpose

#: How many documents are held open; the least recently used one is closed first.
OPEN_DOCUMENTS = 16
#: A picture that needs more memory than this ends this process, not the machine (where that can be limited).
MEMORY_LIMIT_BYTES = 4 << 30

#: WebP of drawn pages. Method 2 makes files 17 % smaller than method 0 for 15 ms more a page.
WEBP_QUALITY, WEBP_METHOD = 85, 2

Answer = dict[str, Any]


class RequestError(Exception):
    """A request that cannot be met, with a reason in plain words."""


class Documents:
    """The PDFs held open, by path. A file whose hash differs from the one held is opened anew."""

    def __init__(self) -> None:
        self._held: OrderedDict[str, tuple[str, Any]] = OrderedDict()

    def open(self, path: str, file_hash: str) -> Any:
        """Return the PDFium document.

        Raises:
            RequestError: the PDF is broken or protected.
        """
        held = self._held.pop(path, None)
        if held is not None and held[0] != file_hash:
            held[1].close()
            held = None
        if held is None:
            while len(self._held) >= OPEN_DOCUMENTS:
                self._held.popitem(last=False)[1][1].close()
            held = (file_hash, _opened(path))
        self._held[path] = held
        return held[1]


def _opened(path: str) -> Any:
    try:
        document = pypdfium2.PdfDocument(path)
    except FileNotFoundError:
        raise RequestError("the file is not there any more") from None
    except pypdfium2.PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise RequestError("the PDF is encrypted and asks for a password: store it without one") from None
        if error.err_code == pdfium.FPDF_ERR_SECURITY:
            raise RequestError(
                "the PDF is encrypted in a way that cannot be read: store it without protection"
            ) from None
        raise RequestError("the PDF is broken (it cannot be opened): copy it again") from None
    with contextlib.suppress(pypdfium2.PdfiumError):  # a broken form does not keep the page from being shown
        document.init_forms()  # readers show what is filled into a form
    return document


def _require_page(document: Any, page: int) -> None:
    pages = len(document)
    if page > pages:
        raise RequestError(
            f"the PDF has only {pages} page{'' if pages == 1 else 's'}: correct the page number in the dataset"
        )


def size_of_page(documents: Documents, request: Answer) -> Answer:
    """Return the page's width and height in points as shown (crop box and rotation applied) and the number of pages."""
    document = documents.open(request["path"], request["hash"])
    _require_page(document, request["page"])
    try:
        width, height = document.get_page_size(request["page"] - 1)
    except pypdfium2.PdfiumError:
        raise RequestError("this page of the PDF is broken") from None
    return {"width": width, "height": height, "pages": len(document)}


def draw_page(documents: Documents, request: Answer) -> Answer:
    """Draw the page as shown, stretched to exactly the asked pixels, and write it as WebP to `target`."""
    document = documents.open(request["path"], request["hash"])
    _require_page(document, request["page"])
    started = time.perf_counter()
    try:
        page = document[request["page"] - 1]
    except pypdfium2.PdfiumError:
        raise RequestError("this page of the PDF is broken") from None
    try:
        bitmap = _bitmap(page, request["width"], request["height"])
    finally:
        page.close()
    drawn = time.perf_counter()
    try:
        image = bitmap.to_pil()  # shares the bitmap's memory
        image.save(request["target"], "WEBP", quality=WEBP_QUALITY, method=WEBP_METHOD)
    finally:
        bitmap.close()
    return {"draw_ms": (drawn - started) * 1000, "encode_ms": (time.perf_counter() - drawn) * 1000}


def _bitmap(page: Any, width: int, height: int) -> Any:
    bitmap = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRx, rev_byteorder=True)
    bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
    arguments = (bitmap, page, 0, 0, width, height, 0, flags)
    pdfium.FPDF_RenderPageBitmap(*arguments)
    if page.formenv:
        pdfium.FPDF_FFLDraw(page.formenv, *arguments)
    return bitmap


def make_upright(request: Answer) -> Answer:
    """Turn the image as its orientation says, in colours that browsers show, and write it to `target` without EXIF."""
    started = time.perf_counter()
    kind = request["kind"]
    try:
        with Image.open(request["path"], formats=[kind]) as image:
            image.load()
            turned = _turned(image, request["orientation"])
    except (OSError, ValueError, SyntaxError):
        raise RequestError("the image is corrupt (it cannot be decoded): copy it again or convert it") from None
    if kind == "JPEG" and turned.mode not in ("RGB", "L"):
        turned = turned.convert("RGB")
        turned.info.pop("icc_profile", None)  # it describes the four printing colours
    options: Answer = {"icc_profile": turned.info.get("icc_profile")}
    if kind == "JPEG":
        options |= {"quality": 92, "subsampling": 0}
    elif kind == "PNG":
        options |= {"compress_level": 3}
    else:
        options |= {"lossless": True, "method": 2} if request["lossless"] else {"quality": 90, "method": WEBP_METHOD}
    turned.save(request["target"], kind, **options)
    return {"encode_ms": (time.perf_counter() - started) * 1000}


def _turned(image: Any, orientation: int) -> Any:
    steps: dict[int, Transpose] = {
        2: Transpose.FLIP_LEFT_RIGHT,
        3: Transpose.ROTATE_180,
        4: Transpose.FLIP_TOP_BOTTOM,
        5: Transpose.TRANSPOSE,
        6: Transpose.ROTATE_270,
        7: Transpose.TRANSVERSE,
        8: Transpose.ROTATE_90,
    }
    return image.transpose(steps[orientation]) if orientation in steps else image.copy()


def answer(documents: Documents, request: Answer) -> Answer:
    """Return the answer to one request; what goes wrong becomes its `fault`."""
    try:
        if request["ask"] == "size":
            return size_of_page(documents, request)
        if request["ask"] == "draw":
            return draw_page(documents, request)
        return make_upright(request)
    except RequestError as fault:
        return {"fault": str(fault)}
    except MemoryError:
        return {"fault": "drawing it needs more memory than is allowed"}
    except OSError as error:
        return {"fault": f"the page cache cannot be written ({error.strerror or error})"}


def _limit_resources() -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = MEMORY_LIMIT_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_LIMIT_BYTES, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _take_requests(stream: BinaryIO, requests: queue.SimpleQueue[bytes]) -> None:
    for line in stream:
        requests.put(line)
    os._exit(0)  # the server has gone: nobody waits for the drawing that may be under way


def main() -> None:
    """Answer requests until stdin ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints goes to the log, never between the answers
    _limit_resources()
    Image.MAX_IMAGE_PIXELS = None  # the server has checked each header against its own bound
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_take_requests, args=(sys.stdin.buffer, requests), daemon=True).start()
    documents = Documents()
    reply: Answer = {"ready": True}
    while True:
        answers.write(json.dumps(reply).encode() + b"\n")
        answers.flush()
        reply = answer(documents, json.loads(requests.get()))


if __name__ == "__main__":
    main()
