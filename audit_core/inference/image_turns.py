"""Page images that are sent: read a few at a time, and so that those under way fit into memory together."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from audit_core.errors import PageUnavailable
from audit_core.inference.chat import SentImage

#: What requests under way may hold in images together, in bytes as they are sent; one that is larger goes alone.
MOST_BYTES = 64_000_000
#: An image above this is not sent: no server takes it, and many copies of it are made on the way.
LARGEST_IMAGE_BYTES = 50_000_000
#: Questions whose images are read at once, before they count as under way.
_READ_AT_ONCE = 2


class ImageTurns:
    """Reads images in threads of its own, and bounds the bytes of the requests that carry them. For one event loop."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._changed = asyncio.Condition()
        #: Held while images are read and a place is taken for them.
        self.reading = asyncio.Semaphore(_READ_AT_ONCE)
        self._threads = ThreadPoolExecutor(_READ_AT_ONCE, thread_name_prefix="assay-images")

    def close(self) -> None:
        """End the threads; one that reads an image is waited for."""
        self._threads.shutdown(wait=True, cancel_futures=True)

    async def read(self, images: tuple[SentImage, ...]) -> list[bytes]:
        """Return the images' bytes.

        Raises:
            PageUnavailable: one cannot be shown, or is larger than 50 MB.
        """
        loop = asyncio.get_running_loop()
        found: list[bytes] = []
        for image in images:
            content = await loop.run_in_executor(self._threads, image.read)
            if len(content) > LARGEST_IMAGE_BYTES:
                raise PageUnavailable(
                    f"the image has {len(content) / 1e6:,.0f} MB, and more than {LARGEST_IMAGE_BYTES / 1e6:,.0f} MB are not sent: "
                    "send it smaller"
                )
            found.append(content)
        return found

    async def enter(self, size: int) -> None:
        """Wait until a request of so many bytes fits beside those under way, and count it in."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._bytes == 0 or self._bytes + size <= self._most_bytes)
            self._bytes += size

    async def leave(self, size: int) -> None:
        """Count a request out."""
        async with self._changed:
            self._bytes -= size
            self._changed.notify_all()
