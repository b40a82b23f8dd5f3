from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from made_pages import MakeImages, endless_pdf, pdf_bytes, wait_until, write

import audit_core
from audit_core.errors import PageUnavailable
from audit_core.rendering.page_images import PageImages
from audit_core.rendering.pdf_process import DrawingProcess

ROOT = Path(audit_core.__file__).parent.parent
PAGE = pdf_bytes([("/MediaBox [0 0 612 792]", "1 0 0 rg 20 30 100 50 re f")])
needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")


class Killer:
    """Kills the drawing process while it draws, as often as told, and notes what it was asked."""

    def __init__(self, times: int, kind: str = "draw") -> None:
        self.left, self.kind = times, kind
        self.asked: list[str] = []
        self.pids: list[int] = []

    def __call__(self, pid: int, kind: str) -> None:
        self.asked.append(kind)
        self.pids.append(pid)
        if kind == self.kind and self.left:
            self.left -= 1
            os.kill(pid, signal.SIGKILL)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@needs_kill
def test_a_page_on_which_the_process_crashes_once_is_drawn_by_the_next(media: Path, make_images: MakeImages) -> None:
    killer = Killer(times=1)
    images = make_images(process=DrawingProcess(timeout_seconds=60, watch=killer))
    write(media / "a.pdf", PAGE)
    path, _ = images.content(media, "a.pdf#page=1", key=images.describe(media, "a.pdf#page=1").key)
    assert path.read_bytes()[8:12] == b"WEBP"
    assert killer.asked == ["size", "draw", "draw"]
    assert killer.pids[1] != killer.pids[2]


@needs_kill
def test_a_page_on_which_the_process_crashes_twice_is_given_up_and_others_are_drawn(
    media: Path, make_images: MakeImages
) -> None:
    killer = Killer(times=2)
    images = make_images(process=DrawingProcess(timeout_seconds=60, watch=killer))
    write(media / "big.pdf", endless_pdf())
    write(media / "a.pdf", PAGE)
    key = images.describe(media, "big.pdf#page=1").key
    for _ in range(2):  # the second time without trying
        with pytest.raises(
            PageUnavailable, match=r"^big.pdf#page=1 cannot be shown: the drawing process crashed twice"
        ):
            images.content(media, "big.pdf#page=1", key=key)
    assert killer.asked == ["size", "draw", "draw"]
    assert images.content(media, "a.pdf#page=1", key=images.describe(media, "a.pdf#page=1").key)[0].is_file()
    assert [file.suffix for file in (media.parent / "cache" / "pages").iterdir()] == [".webp"]
    assert not any(map(is_running, killer.pids[:2]))


@needs_kill
def test_a_document_whose_opening_crashes_the_process_is_given_up(media: Path, make_images: MakeImages) -> None:
    killer = Killer(times=2, kind="size")
    images = make_images(process=DrawingProcess(timeout_seconds=60, watch=killer))
    # opening it is not quicker than the signal: a thousand pages to look through
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 612 792]", "")] * 1000))
    with pytest.raises(PageUnavailable, match="crashed twice"):
        images.describe(media, "a.pdf#page=1000")
    assert images.describe(media, "a.pdf#page=999").width == 1700


@needs_kill
def test_a_process_that_died_between_two_questions_is_no_crash_of_the_next_page(
    media: Path, make_images: MakeImages
) -> None:
    killer = Killer(times=0)
    process = DrawingProcess(timeout_seconds=60, watch=killer)
    images = make_images(process=process)
    write(media / "a.pdf", PAGE)
    key = images.describe(media, "a.pdf#page=1").key
    child = process._child
    assert child is not None
    os.kill(child.process.pid, signal.SIGKILL)
    child.process.wait(timeout=30)
    assert images.content(media, "a.pdf#page=1", key=key)[0].is_file()
    assert killer.asked == ["size", "draw"]


def test_a_page_that_takes_too_long_is_given_up_and_its_process_ends(media: Path, make_images: MakeImages) -> None:
    watch = Killer(times=0)
    images = make_images(process=DrawingProcess(timeout_seconds=1, watch=watch))
    write(media / "big.pdf", endless_pdf())
    write(media / "a.pdf", PAGE)
    key = images.describe(media, "big.pdf#page=1").key
    for _ in range(2):  # the second time without trying
        with pytest.raises(PageUnavailable, match=r"takes longer than 1 seconds.*ASSAY_PDF_TIMEOUT_SECONDS"):
            images.content(media, "big.pdf#page=1", key=key)
    assert watch.asked == ["size", "draw"]
    assert not is_running(watch.pids[0])
    assert images.describe(media, "a.pdf#page=1").width == 1700
    assert watch.pids[-1] != watch.pids[0]


def test_a_question_of_size_waits_for_one_drawing_only(media: Path, tmp_path: Path) -> None:
    write(media / "a.pdf", pdf_bytes([("/MediaBox [0 0 612 792]", "")] * 5))
    asked: list[str] = []
    threads: list[threading.Thread] = []

    def draw(page: int) -> None:
        process.draw_page(media / "a.pdf", "hash", page, width=850, height=1100, target=tmp_path / f"{page}.webp")

    def watch(_: int, kind: str) -> None:
        asked.append(kind)
        if len(asked) > 1:
            return
        # while the first page is being drawn, three more drawings line up, and then a question of size
        threads.extend(threading.Thread(target=draw, args=(page,)) for page in (2, 3, 4))
        threads.append(threading.Thread(target=process.page_size, args=(media / "a.pdf", "hash", 5)))
        for thread in threads:
            thread.start()
        wait_until(lambda: process._turns.waiting == (1, 3))

    process = DrawingProcess(timeout_seconds=60, watch=watch)
    draw(1)
    for thread in threads:
        thread.join(timeout=30)
    process.close()
    assert asked == ["draw", "size", "draw", "draw", "draw"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system does not list open files in /proc")
def test_the_process_inherits_no_socket_and_no_file_of_the_server(media: Path, tmp_path: Path) -> None:
    write(media / "a.pdf", PAGE)
    process = DrawingProcess(timeout_seconds=60)
    with socket.create_server(("127.0.0.1", 0)) as server, (tmp_path / "secret").open("w") as file:
        server.set_inheritable(True)
        os.set_inheritable(file.fileno(), True)
        process.page_size(media / "a.pdf", "hash", 1)
        folder = Path(f"/proc/{process.pid}/fd")
        held = {entry.name: os.readlink(entry) for entry in folder.iterdir()}
    process.close()
    assert held["0"].startswith("pipe:")
    assert not any(target.startswith("socket:") or target.endswith("secret") for target in held.values())


def test_a_closed_process_is_not_started_again(media: Path) -> None:
    write(media / "a.pdf", PAGE)
    process = DrawingProcess(timeout_seconds=60)
    process.page_size(media / "a.pdf", "hash", 1)
    pid = process.pid
    assert pid is not None
    process.close()
    assert process.pid is None
    assert not is_running(pid)
    with pytest.raises(PageUnavailable, match="the server is stopping"):
        process.page_size(media / "a.pdf", "hash", 2)


def test_a_process_that_does_not_start_is_reported(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(media / "a.pdf", PAGE)
    monkeypatch.setattr(sys, "executable", str(Path(sys.executable).with_name("no-such-python")))
    process = DrawingProcess(timeout_seconds=60)
    with pytest.raises(PageUnavailable, match="the drawing process does not start"):
        process.page_size(media / "a.pdf", "hash", 1)


# --- the child by itself ---------------------------------------------------------------------------------------------


@pytest.fixture
def worker() -> Iterator[subprocess.Popen[bytes]]:
    """A drawing process started by hand, which has said that it is ready."""
    child = subprocess.Popen(
        [sys.executable, "-m", "audit_core.rendering.pdf_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    assert child.stdout is not None
    assert json.loads(child.stdout.readline()) == {"ready": True}
    yield child
    if child.poll() is None:  # the test failed: end it, so that it does not draw on
        child.kill()
        child.communicate()


def test_the_process_ends_when_the_server_goes_even_while_it_draws(
    media: Path, tmp_path: Path, worker: subprocess.Popen[bytes]
) -> None:
    path = write(media / "big.pdf", endless_pdf())
    assert worker.stdin is not None
    request = {"path": str(path), "hash": "h", "page": 1, "width": 850, "height": 850, "target": str(tmp_path / "t")}
    worker.stdin.write(json.dumps({"ask": "draw", **request}).encode() + b"\n")
    worker.stdin.flush()
    assert worker.poll() is None
    _, errors = worker.communicate(timeout=30)  # closes stdin
    assert worker.returncode == 0
    assert errors == b""


def test_the_process_writes_nothing_but_answers(media: Path, tmp_path: Path, worker: subprocess.Popen[bytes]) -> None:
    good, broken = write(media / "a.pdf", PAGE), write(media / "b.pdf", PAGE.replace(b"/Kids", b"/Lads"))
    questions = [
        {"ask": "size", "path": str(broken), "hash": "b", "page": 1},
        {"ask": "size", "path": str(good), "hash": "a", "page": 1},
        {"ask": "size", "path": str(media / "none.pdf"), "hash": "n", "page": 1},
        {
            "ask": "draw", "path": str(good), "hash": "a", "page": 1, "width": 85, "height": 110,
            "target": str(tmp_path / "missing folder" / "t.webp"),
        },
    ]  # fmt: skip
    assert worker.stdin is not None
    assert worker.stdout is not None
    answers = []
    for question in questions:
        worker.stdin.write(json.dumps(question).encode() + b"\n")
        worker.stdin.flush()
        answers.append(json.loads(worker.stdout.readline()))
    rest, _ = worker.communicate(timeout=30)
    assert rest == b""
    assert "broken" in answers[0]["fault"]
    assert answers[1] == {"width": 612.0, "height": 792.0, "pages": 1}
    assert "not there" in answers[2]["fault"]
    assert answers[3]["fault"] == "the page cache cannot be written (No such file or directory)"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="memory of a process is limited on Linux only")
def test_a_page_that_needs_too_much_memory_does_not_take_the_server_down(media: Path, tmp_path: Path) -> None:
    path = write(media / "a.pdf", PAGE)
    process = DrawingProcess(timeout_seconds=60)
    with pytest.raises(PageUnavailable, match=r"more memory than is allowed|crashed twice"):
        process.draw_page(path, "hash", 1, width=40_000, height=40_000, target=tmp_path / "t.webp")
    assert process.page_size(write(media / "b.pdf", PAGE), "other hash", 1).pages == 1
    process.close()


def test_sizes_are_told_while_a_page_that_takes_long_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "slow.pdf").write_bytes(endless_pdf())
    (tmp_path / "quick.pdf").write_bytes(PAGE)
    with closing(PageImages(tmp_path / "cache", cache_bytes=10**8, max_pixels=10**8, pdf_timeout_seconds=30)) as images:
        slow = images.describe(tmp_path, "slow.pdf#page=1")
        drawing = threading.Thread(target=lambda: draw_slowly(images, tmp_path, slow.key))
        drawing.start()
        wait_until(lambda: images._process.pid is not None)
        assert images.describe(tmp_path, "quick.pdf#page=1").width > 0
        assert drawing.is_alive(), "the slow page must still be under way, or the test proves nothing"
    drawing.join()


def draw_slowly(images: PageImages, media_root: Path, key: str) -> None:
    with suppress(PageUnavailable):
        images.content(media_root, "slow.pdf#page=1", key=key)
