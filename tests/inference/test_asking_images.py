"""Questions with page images: how they are sent, how large ones are bounded, and pages that cannot be shown."""

from __future__ import annotations

import asyncio
import base64
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from audit_core.errors import PageUnavailable
from audit_core.inference.chat import SentImage, Status
from audit_core.inference.image_turns import ImageTurns
from tests.inference.asking_desk import Desk, asks, desk_in, image
from tests.inference.chat_answers import images_of, said, status, truncated

ROOT = Path(__file__).parents[2]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server, a store and a model."""
    with desk_in(tmp_path / "answers") as found:
        yield found


def test_images_go_along_as_data_urls_in_order_and_belong_to_the_key(desk: Desk) -> None:
    contents = [b"\x89PNG one", bytes(range(256)) * 50]
    images = tuple(image(f"image {number}", content) for number, content in enumerate(contents))
    desk.server.answers.append(truncated)
    (answer,) = desk.run(asks(1, images=images))
    assert answer.status is Status.ACCEPTED
    assert len(desk.server.requests) == 2
    for request in desk.server.requests:
        assert said(request) == "Rate query 0."
        urls = images_of(request)
        assert [url.partition(",")[0] for url in urls] == ["data:image/png;base64"] * 2
        assert [base64.b64decode(url.partition(",")[2]) for url in urls] == contents
    assert [each.was_kept for each in desk.run(asks(1, images=images))] == [True]
    assert [each.was_kept for each in desk.run(asks(1, images=images[::-1]))] == [False]


def test_an_image_of_30_mb_is_sent_whole(desk: Desk) -> None:
    content = bytes(range(250)) * 120_000
    (answer,) = desk.run(asks(1, images=(image("large", content),)))
    assert (len(content), answer.status) == (30_000_000, Status.ACCEPTED)
    (url,) = images_of(desk.server.requests[0])
    assert base64.b64decode(url.partition(",")[2]) == content


def test_an_image_that_is_too_large_for_the_server_is_a_failure_of_its_question(desk: Desk) -> None:
    desk.server.answers.append(status(413, "Request Entity Too Large"))
    questions = [*asks(1, images=(image("large", b"x" * 30_000_000),)), *asks(1, start=1)]
    answers = {answer.query_id: answer for answer in desk.run(questions, in_flight=1)}
    assert answers["q0"].status is Status.HTTP_FAILURE
    assert "answered 413: Request Entity Too Large." in answers["q0"].says
    assert answers["q1"].status is Status.ACCEPTED
    assert desk.server.count == 2


def test_an_image_above_50_mb_and_a_page_that_cannot_be_shown_are_told_and_nothing_is_sent(desk: Desk) -> None:
    def unreadable() -> bytes:
        raise PageUnavailable("the file p7.png is missing")

    questions = [
        *asks(1, images=(image("huge", bytes(60_000_000)),)),
        *asks(1, start=1, images=(SentImage("gone", "image/png", unreadable),)),
    ]
    answers = {answer.query_id: answer for answer in desk.run(questions)}
    assert {answer.status for answer in answers.values()} == {Status.NO_PAGE}
    assert "60 MB, and more than 50 MB are not sent" in answers["q0"].says
    assert answers["q1"].says == "A page cannot be sent: the file p7.png is missing."
    assert {answer.attempts for answer in answers.values()} == {0}
    assert desk.server.count == desk.spent().calls == 0
    assert len(desk.store) == 0


CHILD = """
import sys
from pathlib import Path
from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.asking import ask_all
from audit_core.inference.budget import Budget, Caps
from audit_core.inference.chat import ChatModel, SentImage
from audit_core.inference.ledger import Ledger
from tests.inference.asking_desk import KNOWN, asks
from benchmarks.measuring import peak_bytes
model, size = ChatModel(sys.argv[1], "stub"), int(sys.argv[3])
images = [SentImage(str(number), "image/png", lambda: bytes(size)) for number in range(8)]
questions = [asks(1, start=number, images=(image,))[0] for number, image in enumerate(images)]
with AnswerStore(Path(sys.argv[2])) as store:
    budget = Budget(Caps(), model, Ledger(store, "run"))
    answers = list(ask_all(questions, model, store=store, budget=budget, in_flight=8, probe=KNOWN))
print(len(answers), {answer.status.value for answer in answers}, peak_bytes())
"""


def peak_of(desk: Desk, folder: Path, size: int) -> int:
    """Return the largest memory of a run over 8 questions with an image of so many bytes each, 8 in flight."""
    command = [sys.executable, "-c", CHILD, desk.server.url, str(folder), str(size)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    head, _, peak = done.stdout.rpartition(" ")
    assert head == "8 {'accepted'}"
    return int(peak)


def test_eight_images_of_30_mb_at_once_do_not_lie_in_memory_at_once(desk: Desk, tmp_path: Path) -> None:
    desk.server.keeps = False
    small, large = peak_of(desk, tmp_path / "small", 30_000), peak_of(desk, tmp_path / "large", 30_000_000)
    # Eight requests of 40 MB and their images would be 560 MB and more.
    assert large - small < 360_000_000


def test_requests_with_images_take_turns_and_one_that_is_too_large_goes_alone() -> None:
    async def run() -> list[str]:
        turns, order = ImageTurns(most_bytes=100), list[str]()

        async def one(name: str, size: int) -> None:
            await turns.enter(size)
            order.append(f"{name} in")
            await asyncio.sleep(0)
            order.append(f"{name} out")
            await turns.leave(size)

        await asyncio.gather(one("a", 60), one("b", 40), one("c", 10), one("huge", 500))
        turns.close()
        return order

    order = asyncio.run(run())
    assert order[:3] == ["a in", "b in", "a out"]
    assert order.index("huge in") > max(order.index(f"{name} out") for name in "abc")


def test_a_bound_that_images_make_wrong_grows_with_what_the_server_counts(desk: Desk) -> None:
    budget = desk.budget()
    most = budget.most(1_000, 100)
    assert (most.tokens_input, most.tokens_output) == (1_000, 100)
    budget.settling(most, budget.cost(2_500, 50))
    assert budget.most(1_000, 100).tokens_input == 2_500
    budget.settling(budget.most(1_000, 100), budget.cost(700, 50))
    assert budget.most(1_000, 100).tokens_input == 2_500
