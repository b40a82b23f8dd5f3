"""Asking a language model: requests a second against a slow server, and memory over many calls to a fast one."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from audit_core.inference.answer_store import AnswerStore
from audit_core.inference.asking import ask_all
from audit_core.inference.budget import Budget, Caps
from audit_core.inference.chat import Ask, ChatModel, Status
from audit_core.inference.ledger import Ledger
from audit_core.inference.probe import probe
from benchmarks.measuring import print_table, quantile, read_json, write_json

CRITERIA = ("clarity", "correctness", "closedness", "no_layout_reference")
SCHEMA = {
    "type": "object", "required": list(CRITERIA), "additionalProperties": False,
    "properties": {name: {"type": "number", "enum": [0, 0.25, 0.5, 0.75, 1]} for name in CRITERIA},
}  # fmt: skip
#: The first calls load modules and fill pools: memory is compared with what it is after them.
_SETTLED = 2_000
_SAMPLE_EVERY = 500


def asks(count: int) -> Iterator[Ask]:
    """Return questions with prompts of 2,000 characters, made when they are needed."""
    rules = "Rate the query between the markers by each criterion, on the scale of the schema. " * 24
    for number in range(count):
        yield Ask(
            "benchmark", "0" * 64, f"q{number}", rules, f"<query>what is reported on page {number}?</query>", SCHEMA
        )


def resident_bytes() -> int:
    """Return the resident memory of this process now, in bytes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("the memory of a process can only be read on Linux")


@contextmanager
def server(folder: Path, latency: float) -> Iterator[str]:
    """Run the server of the tests in a process of its own, and give its base URL."""
    port_file = folder / f"port-{latency:g}"
    command = [sys.executable, "-m", "tests.inference.chat_server", "--latency", str(latency)]
    child = subprocess.Popen([*command, "--port-file", str(port_file)], stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 30
        while not port_file.exists():
            if time.monotonic() > deadline or child.poll() is not None:
                raise RuntimeError("the server did not start")
            time.sleep(0.02)
        yield f"http://127.0.0.1:{port_file.read_text(encoding='utf-8')}/v1"
    finally:
        child.terminate()
        child.wait()


def ask_and_measure(url: str, folder: Path, calls: int, in_flight: int) -> dict[str, float]:
    """Ask `calls` questions into a new store, and return time and memory."""
    model = ChatModel(url, "stub")
    with AnswerStore(folder) as store:
        budget = Budget(Caps(calls=calls + 1), model, Ledger(store, "benchmark"))
        # Modules are loaded and the server is tried out before the clock starts.
        found = probe(model, store=store, budget=budget)
        sizes: list[int] = []
        accepted = 0
        started, cpu = time.perf_counter(), time.process_time()
        run = ask_all(asks(calls), model, store=store, budget=budget, in_flight=in_flight, probe=found)
        for number, answer in enumerate(run, 1):
            accepted += answer.status is Status.ACCEPTED
            if number % _SAMPLE_EVERY == 0 and number >= _SETTLED:
                sizes.append(resident_bytes())
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
        kept = len(store)
    assert accepted == kept == calls, f"{accepted} accepted and {kept} kept of {calls}"
    result = {
        "calls": float(calls), "in_flight": float(in_flight), "seconds": seconds, "calls_a_second": calls / seconds,
        "cpu_ms_a_call": 1000 * cpu / calls,
    }  # fmt: skip
    if len(sizes) > 1:
        result |= {
            "resident_first_bytes": float(sizes[0]), "resident_median_bytes": float(quantile(sizes, 0.5)),
            "resident_last_bytes": float(sizes[-1]), "resident_growth": sizes[-1] / sizes[0] - 1,
        }  # fmt: skip
    return result


def in_a_process(url: str, calls: int, in_flight: int, folder: Path) -> dict[str, float]:
    """Return what `ask_and_measure` finds in a process of its own."""
    result = folder / f"result-{calls}-{in_flight}.json"
    sizes = ["--one", url, "--calls", str(calls), "--in-flight", str(in_flight), "--json", str(result)]
    subprocess.run([sys.executable, "-m", "benchmarks.llm_throughput", str(folder), *sizes], check=True)
    return dict(read_json(result))


def main() -> None:
    """Run both parts, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the answers are written: 50 MB")
    parser.add_argument("--calls", type=int, default=1_920, help="calls to the slow server; 0 leaves it out")
    parser.add_argument("--in-flight", type=int, default=32)
    parser.add_argument("--latency", type=float, default=0.5, help="seconds of the slow server")
    parser.add_argument("--fast-calls", type=int, default=20_000, help="calls to the fast server; 0 leaves it out")
    parser.add_argument("--json", type=Path, help="write the figures to this file as well")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.folder) as made:
        folder = Path(made)
        if options.one:
            write_json(options.json, ask_and_measure(options.one, folder / "store", options.calls, options.in_flight))
            return
        result: dict[str, dict[str, float]] = {}
        if options.calls:
            with server(folder, options.latency) as url:
                found = in_a_process(url, options.calls, options.in_flight, folder)
            ideal = options.in_flight / options.latency
            result["slow"] = found | {"ideal_a_second": ideal, "share_of_ideal": found["calls_a_second"] / ideal}
        if options.fast_calls:
            with server(folder, 0.0) as url:
                result["fast"] = in_a_process(url, options.fast_calls, options.in_flight, folder)
    rows = [(part, name, f"{value:,.3f}") for part, figures in result.items() for name, value in figures.items()]
    print_table(("server", "figure", "value"), rows)
    if options.json:
        write_json(options.json, result)


if __name__ == "__main__":
    main()
