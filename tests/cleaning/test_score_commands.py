"""`clean score`, `clean scores`, `clean prompts`, `clean rewrite`, `clean rewrites`: as they are started, and killed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit_core.workflow.cleanings import RunView, add_run, asking_id, cleaning_folder, find_run, get_run, list_runs
from audit_core.workflow.jobs import get_job, resume_job
from audit_core.workflow.workspace import open_workspace
from cleaning.request import Choice
from cleaning.score_request import ScoreRequest
from cleaning.scoring import Scoring
from cleaning.scoring_all import execute_score
from cleaning.scoring_files import read_scoring
from tests.cleaning.label_bundle import LabelBundle
from tests.command_line import Run
from tests.inference.chat_answers import by_text, knowing, said, saying, status, until
from tests.inference.chat_server import ChatServer, running

SCORE = ("clean", "score", "labelled", "--embedder", "none")
RATED = {"clarity": 1, "correctness": 1, "closedness": 1, "no_layout_reference": 1}
ROOT = Path(__file__).parents[2]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A server that the settings name."""
    with running() as found:
        monkeypatch.setenv("ASSAY_LLM_URL", found.url)
        monkeypatch.setenv("ASSAY_LLM_MODEL", "stub")
        yield found


def made(run: Run, folder: Path, n: int = 60) -> LabelBundle:
    """Import the labelled bundle of n queries."""
    bundle = LabelBundle(n=n)
    assert run("import", bundle.write(folder / "bundle")).exit_code == 0
    return bundle


def asked_about(server: ChatServer) -> list[str]:
    """What the server was told about queries, without the question that tries it out."""
    return [said(each) for each in server.requests if "<data>" in said(each)]


def stored(name: str) -> tuple[RunView, Scoring]:
    workspace = open_workspace()
    view = find_run(workspace, name)
    return view, read_scoring(workspace, view)


def request() -> dict[str, Any]:
    return ScoreRequest("stopped", (Choice("llm_rating"),), embedder="none", in_flight=1).as_json()


def spent(name: str) -> int:
    """How many calls were counted for a scoring."""
    from audit_core.inference.answer_store import AnswerStore, answers_folder
    from audit_core.inference.ledger import Ledger

    with AnswerStore(answers_folder()) as store:
        return Ledger(store, asking_id(find_run(open_workspace(), name).row)).spent().calls


def test_a_scoring_is_made_listed_and_read(run: Run, tmp_path: Path) -> None:
    bundle = made(run, tmp_path)
    assert "no scoring yet" in run("clean", "scores").stderr
    ended = run(*SCORE, "--strategy", "rules", "--strategy", "keep_all", "--name", "first")
    assert ended.exit_code == 0
    points = sum("table above" in text for text in bundle.texts)
    lines = [line.split() for line in ended.stdout.splitlines()]
    assert lines[0] == ["strategy", "threshold", "removed", "kept", "undecided"]
    assert lines[1] == ["rules", "0.5", str(points), str(60 - points), "0"]
    assert "clean choose 1" in ended.stderr
    (row,) = json.loads(run("clean", "scores", "--json").stdout)
    assert {name: row[name] for name in ("id", "name", "dataset", "state", "queries", "strategies", "job")} == {
        "id": 1, "name": "first", "dataset": "labelled@1", "state": "finished", "queries": 60,
        "strategies": "rules, keep_all", "job": None,
    }  # fmt: skip
    assert "finished" in run("clean", "scores", "--dataset", "labelled").stdout
    assert stored("first")[1].of("rules").decisions.sum() == points
    document = json.loads(run(*SCORE, "--strategy", "rules:0.9", "--name", "second", "--json").stdout)
    assert (document["run"], document["queries"], document["strategies"][0]["threshold"]) == (2, 60, 0.9)


def test_learned_strategies_score_the_queries_that_nobody_labelled(run: Run, tmp_path: Path) -> None:
    bundle = LabelBundle().with_vectors()
    bundle.labels["train"] = bundle.labels["removal"][:40]
    assert run("import", bundle.write(tmp_path / "bundle")).exit_code == 0
    words = ("--strategy", "logistic_regression", "--train-labels", "labels:train", "--embedder", "bundle:made")
    assert run("clean", "score", "labelled", *words, "--name", "learned").exit_code == 0
    _, scoring = stored("learned")
    assert scoring.trained_on == frozenset(bundle.ids[:40])
    assert not np.isnan(scoring.of("logistic_regression").scores[40:]).any()


def test_a_request_file_says_everything_but_the_name_and_caps(run: Run, tmp_path: Path) -> None:
    made(run, tmp_path)
    file = tmp_path / "request.json"
    strategies = ["rules", {"strategy": "union", "options": {"members": ["rules"]}, "label": "both"}]
    file.write_text(json.dumps({"name": "first", "strategies": strategies, "embedder": "none"}), encoding="utf-8")
    words = ("clean", "score", "labelled", "--request", file)
    assert run(*words, "--name", "named", "--max-calls", "5", "--in-flight", "2").exit_code == 0
    view, scoring = stored("named")
    assert [each.name for each in scoring.strategies] == ["rules", "both"]
    assert (view.row.spec["caps"], view.row.spec["in_flight"]) == ({"calls": 5}, 2)
    refused = run(*words, "--seed", "2")
    assert (refused.exit_code, "leave --seed out" in refused.stderr) == (1, True)
    file.write_text('{"name": "first", "strategies": ["rules"], "folds": 2}', encoding="utf-8")
    assert "'folds' is no part of a scoring" in run(*words).stderr
    file.write_text("[1]", encoding="utf-8")
    assert "holds no JSON object" in run(*words).stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("--strategy", "rules"), 2, "Missing option '--name'"),
        (("--name", "first"), 2, "Missing option '--strategy'"),
        (("--strategy", "rules:x", "--name", "first"), 1, "'x' is no threshold"),
        (("--strategy", "rules:2", "--name", "first"), 1, "The threshold of rules is 2: scores go from 0 to 1"),
        (("--strategy", "rules", "--name", "a\x07b"), 1, "A scoring needs a name of 1 to 120 characters"),
        (("--strategy", "knn", "--name", "first"), 1, "learns from labels, and none were named"),
        (("--strategy", "nothing", "--name", "first"), 1, "There is no strategy 'nothing'"),
        (("--strategy", "length", "--name", "first"), 1, "No strategy decided anything"),
        (("--strategy", "llm_rating", "--name", "first"), 1, "ASSAY_LLM"),
        (("--strategy", "rules", "--name", "first", "--max-spend", "-1"), 1, "cap on spend is -1"),
        (("--strategy", "rules", "--name", "first", "--in-flight", "0"), 1, "in_flight is 0"),
    ],
)  # fmt: skip
def test_what_is_refused_keeps_nothing_and_says_why(
    run: Run, tmp_path: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    made(run, tmp_path, n=10)
    ended = run(*SCORE, *words)
    assert (ended.exit_code, ended.stdout) == (code, "")
    assert says in ended.stderr
    assert list_runs(open_workspace(), archived=None) == []


def test_prompts_are_listed_with_the_hash_of_their_file_and_printed(run: Run) -> None:
    rows = json.loads(run("clean", "prompts", "--json").stdout)
    file = ROOT / "cleaning" / "llm" / "prompts" / "llm_rating.md"
    assert {"name": "llm_rating", "sha256": hashlib.sha256(file.read_bytes()).hexdigest()} in rows
    assert [each["name"] for each in rows] == sorted(each.stem for each in file.parent.glob("*.md"))
    assert "llm_rating" in run("clean", "prompts").stdout
    assert run("clean", "prompts", "llm_rating").stdout.strip() == file.read_text(encoding="utf-8").strip()
    shown = json.loads(run("clean", "prompts", "llm_rating", "--json").stdout)
    assert shown["text"] == file.read_text(encoding="utf-8")
    refused = run("clean", "prompts", "none")
    assert (refused.exit_code, "Choose one of: " in refused.stderr) == (1, True)


def test_a_model_rates_every_query_once_and_a_second_scoring_finds_its_answers(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    bundle = made(run, tmp_path)
    steps = (0, 0.25, 0.5, 0.75, 1)
    server.otherwise = knowing({text: {**RATED, "clarity": steps[row % 5]} for row, text in enumerate(bundle.texts)})
    planned = json.loads(run(*SCORE, "--strategy", "llm_rating", "--name", "rated", "--estimate", "--json").stdout)
    assert (planned["total"]["questions"], planned["total"]["calls"], planned["total"]["spend"]) == (60, 60, None)
    assert (server.count, list_runs(open_workspace())) == (0, [])
    assert run(*SCORE, "--strategy", "llm_rating", "--strategy", "rules", "--name", "rated").exit_code == 0
    _, scoring = stored("rated")
    rated = scoring.of("llm_rating")
    assert np.allclose(rated.scores, [1 - steps[row % 5] for row in range(60)])
    assert rated.asked is not None
    assert (rated.asked["asked"], rated.asked["statuses"], rated.asked["kept"]) == (60, {"accepted": 60}, 0)
    assert (
        rated.asked["stages"][0]["prompt_hash"]
        == json.loads(run("clean", "prompts", "llm_rating", "--json").stdout)["sha256"]
    )
    assert scoring.of("rules").asked is None
    assert scoring.card["spent"]["calls"] == spent("rated") == server.count
    assert len(asked_about(server)) == 60
    assert run(*SCORE, "--strategy", "llm_rating:0.75", "--name", "again").exit_code == 0
    assert len(asked_about(server)) == 60
    _, again = stored("again")
    assert np.array_equal(again.of("llm_rating").scores, rated.scores)
    assert again.of("llm_rating").decisions.sum() == 24
    assert (again.card["spent"]["calls"], again.of("llm_rating").asked["kept"]) == (0, 60)  # type: ignore[index]
    planned = json.loads(run(*SCORE, "--strategy", "llm_rating", "--name", "x", "--estimate", "--json").stdout)
    assert (planned["total"]["calls"], planned["total"]["kept"]) == (0, 60)
    assert "nothing would be sent" in run(*SCORE, "--strategy", "rules", "--name", "x", "--estimate").stderr


def test_a_cap_that_is_hit_keeps_what_arrived_and_a_larger_one_goes_on_under_the_same_name(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    made(run, tmp_path, n=10)
    words = (*SCORE, "--strategy", "llm_rating", "--strategy", "rules", "--name", "capped", "--in-flight", "1")
    ended = run(*words, "--max-calls", "5")
    assert (ended.exit_code, ended.stdout) == (1, "")
    assert "The cap of 5 calls is reached" in ended.stderr
    assert server.count == spent("capped") == 5
    (row,) = json.loads(run("clean", "scores", "--json").stdout)
    assert (row["state"], row["queries"]) == ("broken off", None)
    assert not cleaning_folder(open_workspace(), row["id"]).exists()
    before = len(asked_about(server))
    again = run(*words, "--max-calls", "5")
    assert (again.exit_code, server.count) == (1, 5), "what it spent before counts"
    assert run(*words, "--max-calls", "50").exit_code == 0
    assert len(asked_about(server)) == 10
    assert before < 10
    (row,) = json.loads(run("clean", "scores", "--json").stdout)
    assert (row["id"], row["state"]) == (1, "finished")
    assert stored("capped")[1].of("llm_rating").asked["kept"] == before  # type: ignore[index]


def test_money_is_capped_only_where_prices_are_known(
    run: Run, server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(run, tmp_path, n=5)
    words = (*SCORE, "--strategy", "llm_rating", "--name", "paid", "--max-spend", "0.5")
    refused = run(*words)
    assert refused.exit_code == 1
    assert "cap calls or tokens instead" in refused.stderr
    assert (server.count, list_runs(open_workspace())) == (0, [])
    monkeypatch.setenv("ASSAY_LLM_PRICE_INPUT", "1")
    monkeypatch.setenv("ASSAY_LLM_PRICE_OUTPUT", "2")
    assert run(*words).exit_code == 0
    assert 0 < stored("paid")[1].card["spent"]["spend"] < 0.5


def test_where_every_call_answers_402_there_are_no_numbers_and_the_exit_code_is_1(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    made(run, tmp_path, n=10)
    server.otherwise = status(402, "Insufficient balance")
    ended = run(*SCORE, "--strategy", "llm_rating", "--strategy", "rules", "--name", "broke", "--json")
    assert (ended.exit_code, set(json.loads(ended.stdout))) == (1, {"error"})
    assert "Insufficient balance" in ended.stderr
    assert [each.is_finished for each in list_runs(open_workspace())] == [False]


def test_a_model_that_decides_nothing_has_no_numbers_beside_the_others_and_alone_nothing_is_kept(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    made(run, tmp_path, n=10)
    server.otherwise = by_text({"<data>": saying('{"clarity": 5}')})
    alone = run(*SCORE, "--strategy", "llm_rating", "--name", "alone")
    assert (alone.exit_code, alone.stdout) == (1, "")
    assert "No strategy decided anything" in alone.stderr
    assert "nothing was decided: 10 " in alone.stderr
    assert "Most often: " in alone.stderr
    beside = run(*SCORE, "--strategy", "llm_rating", "--strategy", "rules", "--name", "beside")
    assert beside.exit_code == 1
    assert [line.split()[0] for line in beside.stdout.splitlines()] == ["strategy", "rules"]
    assert "Error: Rated by a language model: nothing was decided: 10 " in beside.stderr
    _, scoring = stored("beside")
    assert [each.name for each in scoring.usable] == ["rules"]
    assert np.isnan(scoring.strategies[0].scores).all()


@contextmanager
def answering_only(server: ChatServer, count: int) -> Iterator[None]:
    """While it is held, the server answers so many questions about queries and lets the next one wait."""
    hold, served, right = threading.Event(), iter(range(count)), server.otherwise

    def answer(handler: Any, request: Any) -> None:
        if "<data>" in said(request) and next(served, None) is None:
            until(hold)(handler, request)
        else:
            right(handler, request)

    server.otherwise = answer
    try:
        yield
    finally:
        server.otherwise = right
        hold.set()


def killed(server: ChatServer, words: tuple[str, ...]) -> None:
    """Run a command in a process of its own and kill it when three answers about queries have come."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with answering_only(server, 3):
        child = subprocess.Popen([sys.executable, "-m", "audit_core", *words], env=environment, cwd=ROOT)
        try:
            # The fourth question is out: the three answers before it are on the disk.
            server.wait_until(lambda each: len(asked_about(each)) == 4)
        finally:
            os.kill(child.pid, signal.SIGKILL)
            child.wait()
    server.requests.clear()


def test_a_scoring_that_is_killed_after_three_of_five_asks_exactly_two_when_it_is_started_again(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    made(run, tmp_path, n=5)
    words = (*SCORE, "--strategy", "llm_rating", "--name", "killed", "--in-flight", "1")
    killed(server, words)
    (row,) = json.loads(run("clean", "scores", "--json").stdout)
    assert (row["name"], row["state"]) == ("killed", "broken off")
    assert run(*words).exit_code == 0
    assert len(asked_about(server)) == 2
    view, scoring = stored("killed")
    assert view.row.id == row["id"]
    assert (scoring.of("llm_rating").asked or {})["kept"] == 3
    assert not np.isnan(scoring.of("llm_rating").scores).any()


def test_a_scoring_that_is_stopped_in_the_middle_of_asking_keeps_what_arrived(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    made(run, tmp_path, n=12)
    workspace = open_workspace()
    words = (*SCORE, "--strategy", "llm_rating", "--name", "stopped", "--in-flight", "1")
    # A cap of one call goes on the question that tries the server out: the run is registered and nothing is answered.
    assert run(*words, "--max-calls", "1").exit_code == 1
    row = add_run(workspace, find_run(workspace, "stopped").dataset, kind="score", name="stopped", spec=request())
    told: list[tuple[str, float]] = []

    def stop(step: str, share: float) -> None:
        told.append((step, share))
        if "asking" in step and len(asked_about(server)) == 5:
            raise KeyboardInterrupt

    with answering_only(server, 4), pytest.raises(KeyboardInterrupt):
        execute_score(workspace, row.id, report=stop)
    assert any("asking llm_rating: 4 of 12" in step for step, _ in told)
    assert [share for _, share in told] == sorted(share for _, share in told)
    assert get_run(workspace, row.id).state == "broken off"
    server.requests.clear()
    scoring = execute_score(workspace, row.id)
    assert not np.isnan(scoring.of("llm_rating").scores).any()
    assert len(asked_about(server)) == 8


@pytest.mark.usefixtures("no_process")
def test_a_job_that_is_killed_is_resumed_and_asks_exactly_what_is_missing(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    made(run, tmp_path, n=5)
    words = (*SCORE, "--strategy", "llm_rating", "--name", "killed", "--in-flight", "1", "--detach", "--json")
    started = json.loads(run(*words).stdout)
    killed(server, ("job", "run", str(started["job"])))
    workspace = open_workspace()
    assert get_job(workspace, started["job"]).state == "interrupted"
    assert find_run(workspace, started["run"]).state == "interrupted"
    resume_job(workspace, started["job"])
    assert run("job", "run", started["job"]).exit_code == 0
    assert len(asked_about(server)) == 2
    assert get_job(workspace, started["job"]).job.result == {
        "run": started["run"], "summary": "1 strategies on all 5 queries.",
    }  # fmt: skip
    view, scoring = stored("killed")
    assert (view.state, scoring.card["spent"]["calls"]) == ("finished", spent("killed"))


def test_rewordings_are_proposed_and_only_a_named_person_accepts_one(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    bundle = made(run, tmp_path, n=20)
    bad = [row for row, text in enumerate(bundle.texts) if "table above" in text]
    assert "no rewording yet" in run("clean", "rewrites").stderr
    assert run(*SCORE, "--strategy", "rules", "--name", "scored").exit_code == 0
    reworded = {bundle.texts[row]: {"reason": "points at a table", "query": f"What is given for {row}?"} for row in bad}
    # Of the first the model holds that it is to stay as it is.
    reworded[bundle.texts[bad[0]]] = {"reason": "clear enough", "query": bundle.texts[bad[0]]}
    server.otherwise = knowing(reworded)
    words = ("clean", "rewrite", "labelled", "--scoring", "scored", "--strategy", "rules", "--name", "first")
    planned = json.loads(run(*words, "--estimate", "--json").stdout)
    assert (planned["total"]["questions"], server.count) == (len(bad), 0)
    ended = run(*words)
    assert ended.exit_code == 0
    assert f"Of {len(bad)} queries {len(bad) - 1} have a proposed rewording, 1 are to stay" in ended.stderr
    assert len(asked_about(server)) == len(bad)
    # The model is told what the strategy found wrong.
    reasons = stored("scored")[1].of("rules").reasons[bad[0]]
    (about,) = [each for each in asked_about(server) if bundle.texts[bad[0]] in each]
    assert all(json.dumps(each.says, ensure_ascii=False) in about for each in reasons)
    (listed,) = json.loads(run("clean", "rewrites", "--json").stdout)
    assert (listed["name"], listed["proposed"], listed["unchanged"], listed["unanswered"]) == (
        "first", len(bad) - 1, 1, 0,
    )  # fmt: skip
    rows = json.loads(run("clean", "rewrites", "first", "--json").stdout)
    assert [(each["query_id"], each["before"], each["after"], each["state"]) for each in rows] == [
        (bundle.ids[row], bundle.texts[row], f"What is given for {row}?", "proposed") for row in bad[1:]
    ]
    one, two = (bundle.ids[row] for row in bad[1:3])
    nobody = run("clean", "rewrites", "first", "--accept", one)
    assert (nobody.exit_code, "Only a named person decides" in nobody.stderr) == (2, True)
    wrong = run("clean", "rewrites", "first", "--accept", one, "--accept", "q9999", "--person", "Ada")
    assert (wrong.exit_code, "Nothing was decided" in wrong.stderr) == (1, True)
    assert json.loads(run("clean", "rewrites", "first", "--state", "accepted", "--json").stdout) == []
    assert run("clean", "rewrites", "first", "--accept", one, "--reject", two, "--person", "Ada").exit_code == 0
    decided = json.loads(run("clean", "rewrites", "first", "--json").stdout)
    by = {each["query_id"]: (each["state"], each["decided_by"]) for each in decided}
    assert (by[one], by[two]) == (("accepted", "Ada"), ("rejected", "Ada"))
    run("clean", "rewrites", "first", "--reject", one, "--person", "Grace")
    (last, *_) = json.loads(run("clean", "rewrites", "first", "--state", "rejected", "--json").stdout)
    assert (last["query_id"], last["decided_by"]) == (one, "Grace")
    assert "rejected by Grace" in run("clean", "rewrites", "first").stdout


def test_questions_that_the_server_refuses_are_told_in_its_own_words_without_the_key(
    run: Run, server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(run, tmp_path, n=10)
    monkeypatch.setenv("ASSAY_LLM_KEY", "sk-1234567890")
    server.otherwise = by_text({"<data>": status(400, "images not supported for sk-1234567890 " + "x" * 1000)})
    ended = run(*SCORE, "--strategy", "llm_rating", "--name", "refused")
    assert ended.exit_code == 1
    assert "nothing was decided: 10 http failure" in ended.stderr
    assert f"Most often: The server {server.url} answered 400: images not supported for *** xxx" in ended.stderr
    assert "… (10)" in ended.stderr
    assert "sk-1234567890" not in ended.stderr
    assert len(ended.stderr) < 1000


@pytest.mark.parametrize("command", ["score", "compare", "rewrite"])
def test_whoever_stops_a_run_that_asks_is_told_that_the_same_command_goes_on(
    command: str, run: Run, server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = made(run, tmp_path, n=60)
    file = tmp_path / "ids.txt"
    file.write_text("\n".join(bundle.ids), encoding="utf-8")
    words = {
        "score": (*SCORE, "--strategy", "llm_rating", "--name", "stopped"),
        "compare": ("clean", "compare", "labelled", "--labels", "labels:removal", "--embedder", "none", "--strategy", "llm_rating", "--name", "stopped"),
        "rewrite": ("clean", "rewrite", "labelled", "--queries", file, "--name", "stopped"),
    }[command]  # fmt: skip
    place = {
        "score": "cleaning.scoring_all.score_one", "compare": "cleaning.executing.run", "rewrite": "cleaning.rewriting_run.finish_run",
    }[command]  # fmt: skip

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(place, stop)
        if command == "rewrite":
            server.otherwise = knowing({text: {"reason": "r", "query": "Better?"} for text in bundle.texts})
        ended = run(*words)
    assert ended.exit_code != 0
    assert "Stopped. Every answer that arrived is kept: the same command goes on" in ended.stderr
    count = server.count
    assert run(*words).exit_code == 0
    assert server.count == count


def test_queries_of_a_file_are_reworded_each_once_and_a_failure_keeps_no_proposal(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    bundle = made(run, tmp_path, n=10)
    file = tmp_path / "ids.txt"
    file.write_text("\ufeffq003\n\nq001\nq003\n", encoding="utf-8")
    words = ("clean", "rewrite", "labelled", "--queries", file, "--name", "listed")
    server.otherwise = by_text({"<data>": saying("no")})
    failed = run(*words)
    assert (failed.exit_code, "No query was reworded: 2 " in failed.stderr) == (1, True)
    assert json.loads(run("clean", "rewrites", "--json").stdout)[0]["state"] == "broken off"
    server.otherwise = knowing({text: {"reason": "r", "query": "Better?"} for text in bundle.texts})
    done = json.loads(run(*words, "--model", "other", "--json").stdout)
    assert (done["queries"], done["proposed"], done["asked"]["model"]) == (2, 2, "other")
    for wrong, says in (
        (("--queries", file, "--scoring", "x", "--strategy", "rules"), "no scoring 'x'"),
        (("--queries", file, "--strategy", "rules"), "belong together"),
        ((), "Name the queries to reword"),
    ):
        refused = run("clean", "rewrite", "labelled", "--name", "wrong", *wrong)
        assert (refused.exit_code, says in refused.stderr) == (1, True)
    file.write_text("q999\n", encoding="utf-8")
    assert "no query 'q999'" in run("clean", "rewrite", "labelled", "--queries", file, "--name", "wrong").stderr
    file.write_text("\n", encoding="utf-8")
    assert "names no query" in run("clean", "rewrite", "labelled", "--queries", file, "--name", "wrong").stderr


@pytest.mark.usefixtures("no_process")
def test_a_rewording_runs_as_a_job_and_that_of_another_dataset_is_refused(
    run: Run, server: ChatServer, tmp_path: Path
) -> None:
    made(run, tmp_path, n=5)
    other = LabelBundle(n=5, name="other")
    assert run("import", other.write(tmp_path / "other")).exit_code == 0
    assert run(*SCORE, "--strategy", "rules", "--name", "scored").exit_code == 0
    words = ("--scoring", "scored", "--strategy", "rules", "--name", "first", "--detach", "--json")
    refused = run("clean", "rewrite", "other", *words)
    assert (refused.exit_code, "is of labelled@1, not of other@1" in refused.stderr) == (1, True)
    started = json.loads(run("clean", "rewrite", "labelled", *words).stdout)
    assert run("job", "run", started["job"]).exit_code == 0
    result = get_job(open_workspace(), started["job"]).job.result
    assert result is not None
    assert "rewordings of" in result["summary"]
    (row,) = json.loads(run("clean", "rewrites", "--json").stdout)
    assert (row["id"], row["state"]) == (started["run"], "finished")
