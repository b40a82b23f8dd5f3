"""Runs in processes of their own: killed, interrupted, and two at once over the same questions."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from audit_core.inference.chat import Status
from tests.inference.asking_desk import Desk, asks, desk_in
from tests.inference.chat_answers import Answer, every, right, slow, status, until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A server, a store and a model."""
    with desk_in(tmp_path / "answers") as found:
        yield found


def started(desk: Desk, count: int, *, in_flight: int = 1, run: str = "run") -> subprocess.Popen[str]:
    """Start a run in a process of its own."""
    command = [sys.executable, "-m", "tests.inference.asking_desk", desk.server.url, str(desk.store.folder)]
    return subprocess.Popen(
        [*command, str(count), str(in_flight), run], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def ended(child: subprocess.Popen[str]) -> tuple[list[str], str]:
    """Return what a run told when it has ended, and what it said of errors."""
    told, errors = child.communicate(timeout=60)
    return told.splitlines(), errors


def test_killed_after_3_of_5_answers_a_restart_makes_exactly_2_calls(desk: Desk) -> None:
    silence = threading.Event()
    # The trial of the server, three answers, and then nothing.
    desk.server.answers.extend([right, right, right, right, until(silence)])
    child = started(desk, 5)
    try:
        assert child.stdout is not None
        told = [child.stdout.readline() for _ in range(3)]
        desk.server.wait_until(lambda server: server.count == 5)
    finally:
        os.kill(child.pid, signal.SIGKILL)
        rest, _ = ended(child)
        silence.set()
    assert told == ["q0 asked\n", "q1 asked\n", "q2 asked\n"]
    assert rest == []
    assert desk.spent().calls == 5
    desk.server.requests.clear()
    again = started(desk, 5)
    told, errors = ended(again)
    assert again.returncode == 0, errors
    assert Counter(told) == Counter(["q0 kept", "q1 kept", "q2 kept", "q3 asked", "q4 asked"])
    assert len(desk.server.requests) == 2
    assert desk.spent().calls == 7
    # The reply that never came may have been paid for: it stays at its most.
    assert desk.spent().tokens > 1024


def test_killed_at_any_moment_no_answer_that_was_told_is_asked_for_again(desk: Desk) -> None:
    desk.server.otherwise = slow(0.01)
    seen: set[str] = set()
    for number in range(3):
        child = started(desk, 200, in_flight=4)
        assert child.stdout is not None
        for line in child.stdout:
            name, how = line.split()
            assert how == "kept" or name not in seen
            seen.add(name)
            if len(seen) >= 15 * (number + 1) and how == "asked":
                break
        os.kill(child.pid, signal.SIGKILL)
        rest, _ = ended(child)
        seen.update(line.split()[0] for line in rest if line.endswith(("kept", "asked")))
    before = desk.server.count
    assert {answer.status for answer in desk.run(asks(200))} == {Status.ACCEPTED}
    assert desk.server.count - before <= 200 - len(seen)
    # Each kill loses what was under way and no more; the server is tried out once.
    assert desk.server.count <= 200 + 3 * 4 + 1


def test_ctrl_c_loses_nothing_that_arrived(desk: Desk) -> None:
    silence = threading.Event()
    desk.server.answers.extend([right] * 21)
    desk.server.otherwise = until(silence)
    child = started(desk, 100, in_flight=4)
    desk.server.wait_until(lambda server: server.count == 25)
    child.send_signal(signal.SIGINT)
    told, errors = ended(child)
    silence.set()
    assert "KeyboardInterrupt" in errors
    assert child.returncode != 0
    assert len(told) <= 20
    assert len(desk.store) == 20, "what had arrived is kept, whether it was handed on or not"
    desk.server.otherwise = right
    desk.server.requests.clear()
    assert len(list(desk.run(asks(100)))) == 100
    assert len(desk.server.requests) == 80


def test_two_runs_over_the_same_questions_ask_each_once_in_all(desk: Desk) -> None:
    desk.server.otherwise = slow(0.02)
    one, two = started(desk, 150, in_flight=4, run="one"), started(desk, 150, in_flight=4, run="two")
    told = [ended(child) for child in (one, two)]
    assert (one.returncode, two.returncode) == (0, 0), [errors for _, errors in told]
    names = sorted(f"q{number}" for number in range(150))
    for lines, _ in told:
        assert sorted(line.split()[0] for line in lines) == names
    asked = [line.split()[0] for lines, _ in told for line in lines if line.endswith("asked")]
    assert sorted(asked) == names
    # Both may try the server out at the start.
    assert 151 <= desk.server.count <= 152
    assert desk.spent("one").calls + desk.spent("two").calls == desk.server.count


def test_what_a_killed_run_was_asking_another_that_waits_for_it_asks_at_once(desk: Desk) -> None:
    silence = threading.Event()
    desk.server.otherwise = first_silent(silence)
    child = started(desk, 5, in_flight=5)
    found: list[Any] = []
    try:
        desk.server.wait_until(lambda server: server.at_once == 5)
        waiting = threading.Thread(target=lambda: found.extend(desk.run(asks(5), run="other")))
        waiting.start()
        waiting.join(1.0)
        assert waiting.is_alive()
        assert desk.server.count == 6, "the other waits for the first one's answers"
    finally:
        os.kill(child.pid, signal.SIGKILL)
        ended(child)
    waiting.join(30)
    silence.set()
    assert {answer.status for answer in found} == {Status.ACCEPTED}
    assert len(found) == 5
    assert desk.server.count == 11
    assert list(desk.store.folder.glob("*.lock")) == []


def first_silent(silence: threading.Event) -> Answer:
    """Answer the trial, then five not at all, then rightly."""
    count = 0
    guard = threading.Lock()

    def answer(handler: Any, request: Any) -> None:
        nonlocal count
        with guard:
            count += 1
            turn = count
        (until(silence) if 2 <= turn <= 6 else right)(handler, request)

    return answer


def test_what_fails_for_one_run_another_that_waits_for_it_asks_itself(desk: Desk) -> None:
    desk.server.otherwise = every(2, right, status(400, "not this time"))
    both: list[Status] = []
    run = threading.Thread(target=lambda: both.extend(each.status for each in desk.run(asks(10), in_flight=2)))
    run.start()
    both_here = [each.status for each in desk.run(asks(10), run="other", in_flight=2)]
    run.join()
    assert len(both) == len(both_here) == 10
    assert Counter([*both, *both_here])[Status.ACCEPTED] >= 5
