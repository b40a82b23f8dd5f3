"""The adjudication contract in memory, beside the fake server of judging: entries with judgments, decisions and conflicts."""

from __future__ import annotations

import copy
import itertools
import json
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from tests.browser.surface.fake_server import FakeServer, entry, now

_ids = itertools.count(501)
_FILTERS = {"disputed": ("disputed",), "second": ("single",), "decided": ("decided",), "all": None}
#: The host page: the surface in a shadow root, as in the fake server of judging.
HOST_PAGE = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>fake host</title><body style="margin:0"><div id="place"></div>
<script type="module">
  import { mount } from "/api/viewer/test/adjudication.js";
  window.leaked = [];
  document.addEventListener("keydown", (event) => window.leaked.push(event.key));
  const root = document.getElementById("place").attachShadow({ mode: "open" });
  const host = document.createElement("div");
  host.id = "host";
  root.append(host);
  const asked = new URLSearchParams(location.search);
  window.unmount = mount(host, { campaign: asked.get("campaign"), entry: asked.has("entry") ? Number(asked.get("entry")) : null,
    filter: asked.get("filter"), home: "/home" });
</script>"""


def judgment(codes: str = "", **other: Any) -> dict[str, Any]:
    """A judgment of an annotator; without codes it says "correct"."""
    made = {
        "id": next(_ids), "name": "Bob", "mine": False, "outcome": "judged", "codes": codes, "targets": {}, "note": "", "reason": "",
        "fields": {}, "correction": None, "saved_at": now(), "revision": 1, "blind": True,
    }  # fmt: skip
    return made | other


def case(number: int, *judgments: dict[str, Any], **other: Any) -> dict[str, Any]:
    """An entry with the judgments on it; its state follows from how many there are and whether their codes and corrections differ."""
    said = {json.dumps([one["codes"], one["targets"], one["correction"], one["fields"]]) for one in judgments}
    state = (
        "open" if not judgments else "single" if len(judgments) == 1 else "disputed" if len(said) > 1 else "unanimous"
    )
    disputes = [
        part for part in ("codes", "targets", "correction") if len({json.dumps(one[part]) for one in judgments}) > 1
    ]
    labelled = [one | {"label": "ABCDEFGHI"[at]} for at, one in enumerate(judgments)]
    made = entry(number, **other)
    return made | {
        "judgments": labelled,
        "agreed": state,
        "disputes": disputes,
        "decision": None,
        "decision_revision": 0,
        "sealed": False,
    }


class FakeAdjudication(FakeServer):
    """The fake server, with the routes of adjudication in front of it. `campaign.posts` are the decisions that it took."""

    def _state(self, one: dict[str, Any]) -> str:
        return "decided" if one["decision"] else one["agreed"]

    def _left_by(self, only: str) -> list[dict[str, Any]]:
        states = _FILTERS[only]
        return [one for one in self.campaign.entries if states is None or self._state(one) in states]

    def _counts(self) -> dict[str, Any]:
        entries = self.campaign.entries
        states = ("disputed", "unanimous", "single", "decided", "open")
        decided = sum(one["agreed"] == "disputed" and bool(one["decision"]) for one in entries)
        return {
            "counts": {state: sum(self._state(one) == state for one in entries) for state in states},
            "disputed_decided": decided,
        }

    def _shown(self, one: dict[str, Any], *, names: bool) -> dict[str, Any]:
        shown = {name: copy.deepcopy(value) for name, value in one.items() if name not in ("saved", "draft")}
        shown["state"] = self._state(one)
        for each in shown["judgments"]:
            each["name"] = each["name"] if names else None
        if shown["decision"] and not names:
            shown["decision"]["by"] = None
        return shown

    async def adjudication(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        mine, asked = self.campaign, request.query_params
        mine.states.append(dict(asked))
        left, number = self._left_by(asked.get("state", "disputed")), int(asked.get("entry", 0))
        if number and all(one["number"] != number for one in mine.entries):
            return self._error(404, "not_found", f"This campaign has no entry {number}.")
        if any(one["number"] == number and one["sealed"] for one in mine.entries):
            return self._error(403, "forbidden", "This entry waits for your own judgment: judge it first.")
        left = [one for one in left if not one["sealed"]]
        after = [one for one in left if one["number"] > number] + [one for one in left if one["number"] < number]
        shown = [one for one in mine.entries if one["number"] == number] + after
        shown = [self._shown(one, names="names" in asked) for one in shown[: int(asked.get("count", 3)) + 1]]
        return JSONResponse({
            "campaign": {"id": "1", "name": "audit-2026", "dataset": "northern", "revision": "r1", "protocol": mine.protocol["name"],
                         "state": "closed", "entries": len(mine.entries)},
            "protocol": mine.protocol, "me": mine.me, **self._counts(), "entry": shown[0] if shown else None, "next": shown[1:],
        })  # fmt: skip

    async def list(self, request: Request) -> Response:
        asked = request.query_params
        self.campaign.overviews.append(dict(asked))
        found = self._left_by(asked.get("state", "all"))
        if "before" in asked:
            found = [one for one in found if one["number"] < int(asked["before"])]
        shown = [one for one in found if one["number"] >= int(asked.get("from", 1))]
        short = ("label", "mine", "outcome", "codes", "fields")
        rows = [
            {"number": one["number"], "query": one["query"], "query_id": one["query_id"], "sealed": one["sealed"], "state": self._state(one),
             "disputes": one["disputes"], "judgments": [{name: each[name] for name in short} for each in one["judgments"]],
             "basis": (one["decision"] or {}).get("basis"), "own_judgment": (one["decision"] or {}).get("own_judgment"),
             "decision": one["decision"]} for one in shown]  # fmt: skip
        return JSONResponse({"rows": rows, "earlier": False, "later": False, **self._counts()})

    def decide(self, number: int, said: dict[str, Any], *, by: str = "Cora") -> dict[str, Any]:
        """A decision as another adjudicator would save it."""
        one = self.campaign.by_id(1000 + number)
        one["decision_revision"] += 1
        kept = {
            name: said.get(name)
            for name in ("basis", "outcome", "codes", "targets", "fields", "correction", "confidence")
        }
        own = any(each["mine"] for each in one["judgments"])
        made = kept | {
            "note": said.get("note", ""), "reason": said.get("reason", ""), "taken_from": said.get("taken_from", []), "by": by,
            "revision": one["decision_revision"], "decided_at": now(), "own_judgment": own,
        }  # fmt: skip
        one["decision"] = None if said["basis"] == "reopened" else made
        return made

    async def decision(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        mine, said = self.campaign, json.loads(await request.body())
        if said["nonce"] in mine.nonces:
            return JSONResponse(mine.nonces[said["nonce"]] | {"repeated": True})
        if mine.refuse_with:
            return self._error(422, "invalid", mine.refuse_with)
        one = mine.by_id(request.path_params["entry"])
        known = {one["decision_revision"]} | (set() if one["decision"] else {0})
        if said["base_revision"] not in known:
            newest = one["decision"] or {}
            return self._error(409, "conflict", "This entry was decided anew meanwhile.", newest=newest)
        made = self.decide(one["number"], said, by=mine.me["name"])
        mine.posts.append({"number": one["number"], **said})
        answer = {
            "nonce": said["nonce"],
            "revision": made["revision"],
            "decided_at": made["decided_at"],
            "repeated": False,
        }
        mine.nonces[said["nonce"]] = answer = answer | self._counts()
        return JSONResponse(answer)

    def _app(self) -> Starlette:
        async def host(request: Request) -> Response:
            return HTMLResponse(HOST_PAGE)

        app = super()._app()
        root = "/api/campaigns/{campaign}/adjudication"
        app.router.routes[:0] = [
            Route("/", host), Route(root, self.adjudication), Route(f"{root}/overview", self.list),
            Route("/api/entries/{entry:int}/decisions", self.decision, methods=["POST"]),
        ]  # fmt: skip
        return app
