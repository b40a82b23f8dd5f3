"""Many clients that save judgments over HTTP as fast as the server takes them; every save is looked up afterwards."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from typing import Any

from benchmarks.servers import App


class Client:
    """One annotator's connection."""

    def __init__(self, app: App, name: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", app.port, timeout=60)
        self.headers = {
            "Content-Type": "application/json",
            "X-Assay": "1",
            "Host": f"localhost:{app.port}",
            "Origin": f"http://localhost:{app.port}",
        }
        answer, headers = self.send("POST", "/api/session", {"name": name})
        self.headers["Cookie"] = headers["set-cookie"].split(";")[0]
        self.id = int(answer["id"])

    def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[dict[str, Any], Any]:
        """Return the JSON answer and the headers; anything but 200 is an error."""
        self.connection.request(method, path, json.dumps(body) if body is not None else None, self.headers)
        response = self.connection.getresponse()
        content = json.loads(response.read())
        if response.status != 200:
            raise RuntimeError(f"{method} {path}: {response.status} {content}")
        return content, response.headers


def _save_on(app: App, name: str, entries: list[int], end: float, waits: list[float], nonces: list[str]) -> None:
    client = Client(app, name)
    revision = 0
    while True:
        for entry in entries:
            if time.monotonic() > end:
                return
            nonce = str(uuid.uuid4())
            body = {
                "nonce": nonce, "base_revision": revision, "outcome": "judged", "codes": "E", "note": "", "reason": "",
                "targets": {}, "active_ms": 900,
            }  # fmt: skip
            start = time.perf_counter()
            client.send("POST", f"/api/entries/{entry}/judgments", body)
            waits.append(time.perf_counter() - start)
            nonces.append(nonce)
        revision += 1


def saving_clients(app: App, *, clients: int, seconds: float) -> dict[str, Any]:
    """Return the rate and the waits of `clients` that save for `seconds`, and how many acknowledged saves are missing."""
    reader = Client(app, "bench-reader")
    state, _ = reader.send("GET", f"/api/campaigns/{app.campaign}/state")
    entries = []
    for number in range(1, min(50, state["campaign"]["entries"]) + 1):
        answer, _ = reader.send("GET", f"/api/campaigns/{app.campaign}/entries/{number}")
        entries.append(int(answer["entry"]["id"]))
    waits: list[list[float]] = [[] for _ in range(clients)]
    nonces: list[list[str]] = [[] for _ in range(clients)]
    end = time.monotonic() + seconds
    threads = [
        threading.Thread(target=_save_on, args=(app, f"bench-{each}", entries, end, waits[each], nonces[each]))
        for each in range(clients)
    ]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - start
    ordered = sorted(wait for each in waits for wait in each)
    sent = sum(map(len, nonces))
    return {
        "clients": clients,
        "saves": sent,
        "lost": sent - _stored(app, {nonce for each in nonces for nonce in each}),
        "saves_a_second": round(sent / took, 1),
        "median_ms": round(1000 * ordered[len(ordered) // 2], 1),
        "p99_ms": round(1000 * ordered[int(0.99 * len(ordered))], 1),
        "max_ms": round(1000 * ordered[-1], 1),
    }


def _stored(app: App, nonces: set[str]) -> int:
    """Return how many of the nonces are in the database."""
    import sqlite3
    from pathlib import Path

    file = Path(app.environment["ASSAY_HOME"]) / "assay.db"
    with sqlite3.connect(file) as connection:
        return sum(1 for (nonce,) in connection.execute("SELECT nonce FROM judgment") if nonce in nonces)
