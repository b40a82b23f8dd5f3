"""An annotator who never rests: saves judgments through the workflow until a file appears, and keeps every latency."""

from __future__ import annotations

import argparse
import time
import uuid
from pathlib import Path
from typing import Any

from benchmarks.measuring import read_json, write_json


def save_until(stop: Path, ready: Path, *, pause: float) -> dict[str, Any]:
    """Save judgments on the built-in sample until `stop` exists; return (time of day, seconds) of each save.

    `ready` is touched after the first save. Every second judgment names an evidence page, which takes a look-up.
    """
    from audit_core.workflow import judging
    from audit_core.workflow.campaigns import start_campaign
    from audit_core.workflow.importing import import_bundle, list_datasets
    from audit_core.workflow.sample import SAMPLE
    from audit_core.workflow.sign_in import sign_in
    from audit_core.workflow.workspace import open_workspace

    workspace = open_workspace()
    name = read_json(SAMPLE / "dataset.json")["name"]
    # A home from an earlier run may hold an earlier revision of the sample: it serves as well.
    here = [each for each in list_datasets(workspace) if each.name == name]
    dataset = here[0] if here else import_bundle(workspace, SAMPLE).dataset
    campaign = start_campaign(workspace, dataset=dataset, name=f"saved-beside {uuid.uuid4().hex}")
    person = sign_in(workspace, "Benchmark")
    entries = [each.row for each in judging.upcoming(workspace, person, campaign_id=campaign.id, after=0, count=10)]
    places = [workspace.revision(dataset).query(each.query_id).evidence[0].page_id for each in entries]
    saves: list[tuple[float, float]] = []
    number = 0
    while not stop.exists():
        row, place = entries[number % len(entries)], places[number % len(entries)]
        body = {
            "nonce": uuid.uuid4().hex, "base_revision": number // len(entries), "outcome": "judged",
            "codes": "E" if number % 2 else "", "targets": {"E": [place]} if number % 2 else {}, "active_ms": 1000,
        }  # fmt: skip
        at, started = time.time(), time.perf_counter()
        judging.save_judgment(workspace, person, entry_id=row.id, body=body)
        saves.append((at, time.perf_counter() - started))
        number += 1
        if number == 1:
            ready.touch()
        time.sleep(pause)
    return {"saves": saves}


def main() -> None:
    """Save until told to stop, and write the latencies."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.saving_beside", description=__doc__)
    parser.add_argument("--stop", type=Path, required=True, help="stop when this file exists")
    parser.add_argument("--ready", type=Path, required=True, help="touched after the first save")
    parser.add_argument("--json", type=Path, required=True, help="write the latencies here")
    parser.add_argument("--pause-ms", type=float, default=20.0, help="rest between two saves (default 20)")
    arguments = parser.parse_args()
    write_json(arguments.json, save_until(arguments.stop, arguments.ready, pause=arguments.pause_ms / 1000))


if __name__ == "__main__":
    main()
