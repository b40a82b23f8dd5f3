"""Times what pages and routes ask of an imported benchmark at full size: look-ups, lists, a campaign over all queries."""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.measuring import peak_bytes, print_table, write_json
from benchmarks.processes import latencies_of, saves_beside

if TYPE_CHECKING:
    from audit_core.datasets.revision import Revision
    from audit_core.storage.campaigns import CampaignRow
    from audit_core.storage.datasets import DatasetRow
    from audit_core.storage.people import Person
    from audit_core.workflow.workspace import Workspace

#: A look-up that takes longer than this is felt.
AT_ONCE_MS = 100.0
#: A save that waits longer than this for the start of a campaign is felt.
SAVED_MS = 300.0
ANNOTATORS = 3
#: A question: its name, whether somebody waits for it in a list or on a page, and what is asked, once a call.
Question = tuple[str, bool, Callable[[int], object]]


def time_questions(questions: Iterator[Question], repeats: int) -> list[dict[str, Any]]:
    """Return name, is_lookup, calls, first, median and slowest milliseconds, and the peak memory so far of each question.

    A look-up is asked `repeats` times (fewer where that would take over two seconds), anything else once.
    """
    rows: list[dict[str, Any]] = []
    for name, is_lookup, ask in questions:
        took: list[float] = []
        while len(took) < (repeats if is_lookup else 1) and (sum(took) < 2_000 or not took):
            started = time.perf_counter()
            ask(len(took))
            took.append(1000 * (time.perf_counter() - started))
        rows.append(
            {
                "question": name, "is_lookup": is_lookup, "calls": len(took), "first_ms": took[0],
                "median_ms": statistics.median(took), "max_ms": max(took), "peak_bytes": peak_bytes(),
            }
        )  # fmt: skip
        print(f"  {name}: {rows[-1]['median_ms']:.1f} ms", flush=True)
    return rows


def revision_questions(revision: Revision, chance: random.Random) -> Iterator[Question]:
    """Yield the questions to the dataset revision alone."""
    from audit_core.datasets.revision import open_revision

    index = revision.queries_index()
    ids = [chance.choice(index)[0] for _ in range(500)]
    pages = [revision.query(each).evidence[0].page_id for each in ids]
    documents = [revision.page(each).document_id for each in pages]
    texts = [revision.query(each).text for each in ids]
    strata = revision.strata()
    source, structure, count = max(strata, key=lambda row: row[2])
    total = len(index)
    yield "open the revision", True, lambda n: open_revision(revision.folder).strata()
    yield "a query by id", True, lambda n: revision.query(ids[n])
    yield "a page by id", True, lambda n: revision.page(pages[n])
    yield "a document by id", True, lambda n: revision.document(documents[n])
    yield "the pages of a document", True, lambda n: revision.pages_of(documents[n])
    yield "strata", True, lambda n: revision.strata()
    yield "search: two words of a query", True, lambda n: revision.search(" ".join(texts[n].split()[-5:-3]))
    yield "search: one rare word", True, lambda n: revision.search(max(texts[n].split(), key=len))
    yield "search: a frequent word", True, lambda n: revision.search(("the ", "of ", "total ", "mean ")[n % 4])
    yield "search: the first letter of a word", True, lambda n: revision.search("tmsa"[n % 4])
    yield "search: a frequent word, page 100", True, lambda n: revision.search("the ", offset=5_000)
    yield "search: an id", True, lambda n: revision.search(ids[n])
    for what, own, rows in (
        ("all", (None, None), total),
        ("one source", (source, None), sum(row[2] for row in strata if row[0] == source)),
        ("one structure", (None, structure), sum(row[2] for row in strata if row[1] == structure)),
        ("one stratum", (source, structure), count),
    ):
        for where, offset in (("first", 0), ("middle", rows // 2), ("last", max(rows - 50, 0))):
            yield f"query ids of {what}, {where} page", True, _listing(revision, own, offset)
    yield "findings, first page", True, lambda n: revision.findings(limit=50)
    yield "findings of one kind", True, lambda n: revision.findings(limit=50, kind="same_text")
    yield "every id with its stratum", False, lambda n: revision.queries_index()
    yield "evidence documents of every query", False, lambda n: revision.evidence_documents()


def _listing(revision: Revision, own: tuple[str | None, str | None], offset: int) -> Callable[[int], object]:
    return lambda n: revision.query_ids(*own, offset=offset, limit=50)


class Campaign:
    """A campaign over all queries, in which three people have judged the first `judged` entries."""

    def __init__(self, workspace: Workspace, dataset: DatasetRow, *, judged: int) -> None:
        from audit_core.workflow.sign_in import sign_in

        self.workspace = workspace
        self.dataset = dataset
        self.people: list[Person] = [sign_in(workspace, f"Annotator {number}") for number in range(ANNOTATORS)]
        self.judged = judged
        self.row: CampaignRow | None = None
        self.started = (0.0, 0.0)

    @property
    def id(self) -> int:
        """The campaign's id, once it is started."""
        assert self.row is not None
        return self.row.id

    def start(self) -> None:
        """Start it, as the page does, while another process saves judgments."""
        from audit_core.workflow.campaigns import start_campaign

        name = f"all {time.time():.0f}"
        began = time.time()
        self.row = start_campaign(self.workspace, dataset=self.dataset, name=name, judgments_per_entry=ANNOTATORS)
        self.started = (began, time.time())

    def judge(self, chance: random.Random) -> None:
        """Store three judgments for each of the first entries; one entry in twenty is disputed."""
        from audit_core.storage import campaigns, judgments

        with self.workspace.database.read() as connection:
            entries = campaigns.entries_of(connection, self.id)[: self.judged]
        rows = []
        for entry in entries:
            agreed = chance.choices(["", "F", "E", "U", "N"], [93, 2, 3, 1.5, 0.5])[0]
            for person in self.people:
                codes = chance.choice(["", "F", "E"]) if chance.random() < 0.03 else agreed
                rows.append(
                    {
                        "entry_id": entry.id, "person_id": person.id, "revision": 1,
                        "nonce": f"benchmark-{self.id}-{entry.id}-{person.id}", "outcome": "judged", "codes": codes,
                        "targets": {}, "note": "", "reason": "", "active_seconds": 30.0,
                    }
                )  # fmt: skip
        with self.workspace.database.write() as connection:
            judgments.add_imported(connection, rows)


def starting_questions(campaign: Campaign) -> Iterator[Question]:
    """Yield the start of the campaign alone."""
    yield "start a campaign over all queries", False, lambda n: campaign.start()


def campaign_questions(campaign: Campaign, chance: random.Random) -> Iterator[Question]:
    """Yield what the judging routes, the list of campaigns and the report ask, before and after judgments are there."""
    from audit_core.workflow import judging
    from audit_core.workflow.campaigns import list_campaigns
    from audit_core.workflow.entry_view import describe_entry
    from audit_core.workflow.reporting import audit_report

    workspace, person = campaign.workspace, campaign.people[0]
    yield "store three judgments an entry", False, lambda n: campaign.judge(chance)
    here = campaign.id
    total = judging.progress(workspace, person, here)["entries"]
    numbers = [chance.randint(1, total) for _ in range(500)]
    skipped = list(range(campaign.judged + 1, campaign.judged + 501))
    for what, after, skip in (
        ("from the start", 0, []),
        ("from the middle", total // 2, []),
        ("from the end, around", total, []),
        ("leaving out 500", 0, skipped),
    ):
        yield f"next unjudged entries, {what}", True, _upcoming(campaign, after, skip)
    yield (
        "an entry by number",
        True,
        lambda n: judging.entry_numbered(workspace, person, campaign_id=here, number=numbers[n]),
    )

    def view(n: int) -> object:
        mine = judging.entry_numbered(workspace, person, campaign_id=here, number=numbers[n])
        return describe_entry(workspace, campaign.dataset, mine)

    def save(n: int) -> object:
        entry = judging.upcoming(workspace, person, campaign_id=here, after=total // 2, count=1)[0]
        body = {"nonce": f"save-{campaign.id}-{n:06d}", "base_revision": 0, "outcome": "judged", "codes": "E"}
        return judging.save_judgment(workspace, person, entry_id=entry.row.id, body=body)

    def draft(n: int) -> object:
        entry = judging.entry_numbered(workspace, person, campaign_id=here, number=total - n)
        return judging.save_draft(workspace, person, entry_id=entry.row.id, body={"base_revision": 0, "codes": "F"})

    yield "an entry with its pages, as the route sends it", True, view
    yield "save a judgment (and find its entry)", True, save
    yield "save a draft", True, draft
    yield "one's own progress", True, lambda n: judging.progress(workspace, person, here)
    yield "the list of campaigns", True, lambda n: list_campaigns(workspace, person=person)
    for only, of in ((None, "all entries"), ("judged", "judged entries"), ("open", "open entries")):
        yield f"the overview of {of}, first page", True, _overview(campaign, only, 1)
        yield f"the overview of {of}, last page", True, _overview(campaign, only, total - 299)
    yield "the audit report", True, lambda n: audit_report(workspace, here)


def _overview(campaign: Campaign, only: str | None, first: int) -> Callable[[int], object]:
    from audit_core.workflow.overview import overview_page

    workspace, person, number = campaign.workspace, campaign.people[0], campaign.id
    return lambda n: overview_page(workspace, person, number, only=only, first=first).as_json()


def _upcoming(campaign: Campaign, after: int, skip: list[int]) -> Callable[[int], object]:
    from audit_core.workflow.judging import upcoming

    workspace, person, number = campaign.workspace, campaign.people[0], campaign.id
    return lambda n: upcoming(workspace, person, campaign_id=number, after=after, count=3, skip=skip)


def show(rows: list[dict[str, Any]]) -> None:
    """Print the figures, and the look-ups that are felt."""
    columns = ("first_ms", "median_ms", "max_ms")
    lines = [
        (
            each["question"],
            each["calls"],
            *(f"{each[name]:,.1f}" for name in columns),
            f"{each['peak_bytes'] / 1e9:.2f}",
        )
        for each in rows
    ]
    print()
    print_table(("question", "calls", "first ms", "median ms", "slowest ms", "peak GB so far"), lines)
    slow = [each["question"] for each in rows if each["is_lookup"] and each["median_ms"] > AT_ONCE_MS]
    print(f"\nLook-ups over {AT_ONCE_MS:.0f} ms: {'; '.join(slow) if slow else 'none'}.")


def main() -> None:
    """Ask everything of the home in the arguments, print a table, write JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.lists_full_size",
        description="Time look-ups, lists, search and a campaign over all queries on an imported benchmark. "
        "benchmarks.import_full_size leaves such a home at FOLDER/work-<form>/home; a campaign is added to it.",
    )
    parser.add_argument("home", type=Path, help="an ASSAY_HOME that holds the dataset")
    parser.add_argument("--dataset", default="full-size", help="NAME or NAME@REVISION (default full-size)")
    parser.add_argument("--repeats", type=int, default=40, help="calls of each look-up, at most 500 (default 40)")
    parser.add_argument("--judged", type=int, default=5_000, help="entries that are judged three times (default 5,000)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, help="write the figures here")
    arguments = parser.parse_args()
    os.environ["ASSAY_HOME"] = str(arguments.home.absolute())
    os.environ.pop("ASSAY_DATABASE_URL", None)
    from audit_core.workflow.campaigns import find_dataset
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    dataset = find_dataset(workspace, arguments.dataset)
    chance = random.Random(arguments.seed)
    repeats = min(max(arguments.repeats, 1), 500)
    rows = time_questions(revision_questions(workspace.revision(dataset), chance), repeats)
    campaign = Campaign(workspace, dataset, judged=arguments.judged)
    with tempfile.TemporaryDirectory() as work, ExitStack() as beside:
        saves = beside.enter_context(saves_beside(arguments.home.absolute(), Path(work), pause_ms=5.0))
        rows += time_questions(starting_questions(campaign), 1)
        beside.close()
        latencies = latencies_of(saves, *campaign.started)
    rows += time_questions(campaign_questions(campaign, chance), repeats)
    show(rows)
    during = latencies["during"]
    slowest = 1000 * during["max"]
    print(
        f"While the campaign was started: {during['saves']} saves, the slowest {slowest:.0f} ms, "
        f"{'over' if slowest > SAVED_MS else 'within'} {SAVED_MS:.0f} ms."
    )
    if arguments.json:
        counts = workspace.revision(dataset).counts
        write_json(arguments.json, {"counts": counts, "questions": rows, "saves_beside_the_start": latencies})


if __name__ == "__main__":
    main()
