"""The store of answers: what is on the disk when, what two processes see, and files that are damaged."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from audit_core.errors import StorageError
from audit_core.inference import claims
from audit_core.inference.answer_store import FILE, AnswerStore, answers_folder
from audit_core.inference.budget import Budget, CapReached, Caps
from audit_core.inference.chat import Answer, ChatModel, Status
from audit_core.inference.ledger import Ledger, Spent
from tests.inference.asking_desk import asks

MODEL = ChatModel("http://127.0.0.1:1/v1", "stub")


def answer(number: int, status: Status = Status.ACCEPTED) -> Answer:
    """Return an answer about the query of that number."""
    (ask,) = asks(1, start=number)
    value = {"clarity": 0.5, "why": "ein Wort, 日本語"} if status is Status.ACCEPTED else None
    return Answer(
        key=ask.key(MODEL), purpose=ask.purpose, query_id=ask.query_id, repeat=0, status=status, value=value,
        says="" if value else "half \ud800 character", raw='{"a": "\u2028 \\u0000"}', model="stub", base_url=MODEL.base_url,
        tokens_input=10, tokens_output=5, attempts=2, seconds=0.25, asked_at="2026-01-02T03:04:05.000+00:00",
    )  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AnswerStore]:
    """A store in a folder that is not there before."""
    with AnswerStore(tmp_path / "cache" / "answers") as found:
        yield found


def test_an_answer_comes_out_as_it_went_in_and_says_that_it_was_kept(store: AnswerStore) -> None:
    store.put(answer(1))
    found = store.get(answer(1).key)
    assert found == replace(answer(1), was_kept=True)
    assert store.get(answer(2).key) is None
    keys = [answer(number).key for number in range(2_000)]
    assert store.get_many(keys).keys() == store.keys_of(keys) == {answer(1).key}


def test_when_put_returns_another_process_sees_the_answer(store: AnswerStore) -> None:
    store.put(answer(1))
    other = sqlite3.connect(store.folder / FILE)
    assert other.execute("SELECT query_id, status FROM answer").fetchall() == [("q1", "accepted")]
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()
    with AnswerStore(store.folder) as again:
        assert again.get(answer(1).key) is not None


@pytest.mark.parametrize("status", sorted(Status))
def test_only_what_arrived_is_an_answer_the_rest_is_written_down_as_a_failure(
    status: Status, store: AnswerStore
) -> None:
    store.put(answer(1, status))
    arrived = status not in (Status.HTTP_FAILURE, Status.NO_PAGE, Status.NOT_ASKED)
    assert (store.get(answer(1).key) is not None) == arrived
    failures = store.read(lambda found: found.execute("SELECT query_id, status, says FROM failure").fetchall())
    assert failures == ([] if arrived else [("q1", status.value, "half ? character")])


def test_of_two_answers_to_one_question_the_first_stays(store: AnswerStore) -> None:
    store.put(answer(1))
    store.put(replace(answer(1), value={"clarity": 1}))
    found = store.get(answer(1).key)
    assert found is not None
    assert found.value == answer(1).value
    assert len(store) == 1


def test_many_threads_write_in_few_commits_and_every_answer_is_there(store: AnswerStore) -> None:
    blocked, going = threading.Event(), threading.Event()

    def block(connection: sqlite3.Connection) -> None:
        going.set()
        blocked.wait(30)

    first = store.write(block)
    assert going.wait(30)
    threads = [threading.Thread(target=store.put, args=(answer(number),)) for number in range(40)]
    for thread in threads:
        thread.start()
    commits: list[bool] = []
    while store._commits._waiting.qsize() < 40:
        assert threads[-1].is_alive()
    counted = store.write(
        lambda connection: connection.set_trace_callback(lambda text: commits.append(text == "COMMIT"))
    )
    blocked.set()
    first.result()
    for thread in threads:
        thread.join()
    counted.result()
    assert len(store) == 40
    assert commits.count(True) == 1


def test_a_work_that_fails_takes_nothing_else_with_it(store: AnswerStore) -> None:
    def fails(connection: sqlite3.Connection) -> None:
        connection.execute("DELETE FROM answer")
        raise KeyError("no")

    store.put(answer(1))
    blocked = threading.Event()
    store.write(lambda _: blocked.wait(30))
    good, bad, after = store.write(store.keeping(answer(2))), store.write(fails), store.write(store.keeping(answer(3)))
    blocked.set()
    with pytest.raises(KeyError):
        bad.result()
    good.result()
    after.result()
    assert len(store) == 3


def test_what_was_handed_over_before_closing_is_written_and_nothing_after_it(tmp_path: Path) -> None:
    store = AnswerStore(tmp_path)
    futures = [store.write(store.keeping(answer(number))) for number in range(50)]
    store.close()
    assert all(future.done() for future in futures)
    with pytest.raises(StorageError, match="is closed already"):
        store.put(answer(99))
    with AnswerStore(tmp_path) as again:
        assert len(again) == 50


def test_a_truncated_reply_whose_second_try_is_due_is_no_answer_and_is_begun(store: AnswerStore) -> None:
    first = answer(1, Status.TRUNCATED)
    store.write(store.keeping(first, is_final=False)).result()
    assert store.get(first.key) is None
    assert (len(store), store.keys_of([first.key])) == (0, set())
    with store.claiming() as claimant:
        taken = store.take([first.key], claimant)
        assert taken.begun == {first.key: replace(first, says="half ? character", was_kept=True)}
        assert taken.mine == {first.key}
    store.put(answer(1))
    with store.claiming() as claimant:
        assert store.take([first.key], claimant).kept.keys() == {first.key}


def test_a_claim_is_one_run_s_until_it_ends(store: AnswerStore) -> None:
    keys = [answer(number).key for number in range(3)]
    with AnswerStore(store.folder) as other, other.claiming() as second:
        with store.claiming() as first:
            assert store.take(keys[:2], first).mine == set(keys[:2])
            taken = other.take(keys, second)
            assert (taken.mine, taken.others) == ({keys[2]}, set(keys[:2]))
            assert store.take(keys, first).others == set(keys), "what it claimed already is on its way"
            store.write(store.keeping(answer(0), claimant=first)).result()
            taken = other.take(keys[:2], second)
            assert (taken.kept.keys(), taken.others) == ({keys[0]}, {keys[1]})
        assert other.take([keys[1]], second).mine == {keys[1]}
    assert list(store.folder.glob("*.lock")) == []


def test_a_claimant_that_gives_no_sign_of_life_loses_its_claims(
    store: AnswerStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = answer(1).key
    with store.claiming() as silent, store.claiming() as other:
        assert store.take([key], silent).mine == {key}
        assert store.take([key], other).others == {key}
        now = claims.time.time()
        monkeypatch.setattr(claims.time, "time", lambda: now + claims.SILENT_SECONDS + 1)
        store.write(other.beat).result()
        assert store.take([key], other).mine == {key}
        monkeypatch.undo()


def test_what_a_run_has_spent_is_counted_over_processes_and_kept(tmp_path: Path) -> None:
    model = replace(MODEL, price_input=1.0, price_output=2.0)
    with AnswerStore(tmp_path) as one, AnswerStore(tmp_path) as two:
        first, second = (Budget(Caps(calls=3), model, Ledger(store, "run")) for store in (one, two))
        most = first.most(1_000, 500)
        first.reserve(most).result()
        second.reserve(most).result()
        one.write(first.settling(most, first.cost(400, 100))).result()
        assert Ledger(two, "run").spent() == Spent(2, 1_400, 600, pytest.approx(0.0026))
        first.reserve(most).result()
        with pytest.raises(CapReached, match="The cap of 3 calls is reached: 3 were made"):
            second.reserve(most).result()
    with AnswerStore(tmp_path) as again:
        assert Ledger(again, "run").spent().calls == 3
        assert Ledger(again, "another").spent() == Spent()


def test_what_a_server_can_do_is_kept_for_a_time(store: AnswerStore) -> None:
    assert store.ability("s", oldest=60) is None
    store.keep_ability("s", {"mode": "enforced"}).result()
    store.keep_ability("s", {"mode": "ignored"}).result()
    assert store.ability("s", oldest=60) == {"mode": "ignored"}
    assert store.ability("s", oldest=-1) is None
    store.keep_ability("s", None).result()
    assert store.ability("s", oldest=60) is None


def test_a_damaged_file_and_a_folder_that_cannot_be_made_are_told(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is no database at all, and long enough to be looked at" * 100)
    with pytest.raises(StorageError, match=r"are damaged .* move that folder away"):
        AnswerStore(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be opened"):
        AnswerStore(tmp_path / "file" / "answers")


def test_the_answers_lie_in_the_cache_of_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    assert answers_folder() == tmp_path / "cache" / "answers"
    assert not answers_folder().exists()
