"""A server for the judging surface alone: the HTTP contract in memory, with drawn pages, on a free local port.

It knows nothing of the application. Tests change `server.campaign` directly (thread-safe enough: one request at a time),
stop and start it on the same port, and read what it was sent.
"""

from __future__ import annotations

import copy
import io
import itertools
import json
import random
import socket
import threading
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import uvicorn
from PIL import Image, ImageDraw, ImageFont
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

_comment_ids = itertools.count(1)
#: Entries of a page of the overview.
PER_PAGE = 300
VIEWER = Path(__file__).parents[3] / "audit_core" / "ui" / "viewer"
CODES = [
    ("F", "formulation", "incorrectly formulated or insufficiently identifying query", "#E69F00"),
    ("E", "wrong evidence", "incorrect evidence", "#D55E00"),
    ("U", "unneeded page", "unnecessary evidence page", "#56B4E9"),
    ("N", "not answerable here", "non-presence query without directly retrievable positive evidence", "#CC79A7"),
]

GUIDELINES = {
    "introduction": "Read this first.",
    "sections": [
        {"code": code, "title": f"about {code}", "means": f"What {code} means. " * 20, "clear": "<b>a clear case</b>",
         "borderline": "a borderline case"}
        for code in "FEUNCX"
    ],
}  # fmt: skip

#: The host page: the surface in a shadow root under a header that lies on top, and a listener like Streamlit's shortcuts.
HOST_PAGE = """<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>fake host</title>
<body style="margin:0"><header id="chrome" style="position:fixed;inset:0 0 auto 0;height:60px;z-index:999990;background:#eee">host chrome</header>
<main style="transform:translateZ(0);overflow:hidden;height:300px"><div id="place"></div></main>
<script type="module">
  import { mount } from "/api/viewer/test/main.js";
  window.leaked = [];
  document.addEventListener("keydown", (event) => window.leaked.push(event.key));
  const root = document.getElementById("place").attachShadow({ mode: "open" });
  const host = document.createElement("div");
  host.id = "host";
  root.append(host);
  const asked = new URLSearchParams(location.search);
  window.mountAgain = (options) => { window.unmount = mount(host, options); };
  const { viewOf } = await import("/api/viewer/test/link.js");
  window.mountAgain({ view: viewOf(Object.fromEntries(asked)), campaign: asked.get("campaign") ?? "1",
    entry: asked.has("entry") ? Number(asked.get("entry")) : null, home: "/home", look: asked.get("look") === "1" });
</script>"""


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@cache
def drawn_page(key: str, width: int = 1653, height: int = 2339, dpi: int = 200) -> bytes:
    """A page that looks like one: headings, columns of words in small print, a table; the same for the same key."""
    chance = random.Random(key)
    image = Image.new("RGB", (width, height), "#FFFFFF")
    draw = ImageDraw.Draw(image)
    head, body = ImageFont.load_default(46), ImageFont.load_default(21)
    words = (
        "of",
        "the",
        "record",
        "station",
        "measured",
        "value",
        "depth",
        "series",
        "table",
        "evidence",
        "north",
        "water",
        "by",
        "year",
    )
    draw.text((150, 120), f"Page {key}", fill="#111111", font=head)
    for left in (150, 850):
        for line in range(60):
            if left == 850 and 18 <= line < 34:
                continue
            text = " ".join(chance.choice(words) for _ in range(9))
            draw.text((left, 240 + line * 31), text, fill="#222222", font=body)
    for row in range(9):
        top = 800 + row * 52
        draw.line([(850, top), (1480, top)], fill="#333333", width=2)
        for column in range(4):
            draw.text((866 + column * 155, top + 14), f"{chance.uniform(1, 99):.2f}", fill="#222222", font=body)
    if dpi != 200:
        image = image.resize((round(width * dpi / 200), round(height * dpi / 200)))
    made = io.BytesIO()
    image.save(made, "WEBP", quality=80)
    return made.getvalue()


def box(
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    kind: str | None = "Text",
    set_id: str | None = None,
    *,
    element: str | None = None,
) -> dict[str, Any]:
    return {"element_id": element, "kind": kind, "set": set_id, "x0": x0, "y0": y0, "x1": x1, "y1": y1}


def page(
    key: str, *, number: int | None = 4, title: str = "Annual record of the northern stations", **other: Any
) -> dict[str, Any]:
    made = {
        "page_id": f"page-{key}", "document_id": f"doc-{title[:6]}", "title": title, "page_number": number, "page_count": 15,
        "printed_label": None, "width": 1653, "height": 2339, "src": f"/api/pages/fake/{key}?v=1", "problem": None,
        "warning": None, "sets": [], "boxes": [box(0.51, 0.335, 0.9, 0.53, "Table")], "resolutions": [],
    }  # fmt: skip
    return made | other


def entry(number: int, **other: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": 1000 + number, "number": number, "query_id": f"{number:03d}",
        "query": f"Which station measured the largest depth in series {number}, and in which year?",
        "answer": f"Station {number}, 1987", "language": "en", "source": "arXiv", "domain": "Astrophysics",
        "structure": "Page-Single", "pages": [page(f"{number}a", number=number)], "sets": [], "saved": None, "draft": None, "flags": [],
    }  # fmt: skip
    made |= other
    pages: list[dict[str, Any]] = made["pages"]
    made.setdefault("documents", list(dict.fromkeys(one["document_id"] for one in pages)))
    return made


def comment(text: str, *, mine: bool = False, author: str = "Bob") -> dict[str, Any]:
    """A comment; ids count up."""
    return {
        "id": next(_comment_ids),
        "text": text,
        "created_at": now(),
        "author": "Ada" if mine else author,
        "mine": mine,
    }


def precedent(number: int, **other: Any) -> dict[str, Any]:
    """A decision of one's own on another entry, as the server finds it."""
    made = {
        "kind": "own", "campaign": 9, "campaign_name": "spring", "number": number, "can_open": True,
        "query_id": f"p{number}", "query": f"How deep is basin {number}?", "answer": None, "language": "en",
        "source": "arXiv", "structure": "Page-Single", "decision": "F E", "note": "", "reason": "", "saved_at": now(),
        "rule": None, "questions": [],
    }  # fmt: skip
    return made | other


#: What the judging page asks, as the audit protocol describes it; a test may ask something else (`campaign.protocol`).
PROTOCOL = {
    "name": "audit", "note_max": 4000, "correction": {"changes_max": 50, "text_max": 20_000}, "guidelines": GUIDELINES,
    "codes": [{"code": c, "key": c.lower(), "short": s, "meaning": m, "colour": h} for c, s, m, h in CODES],
}  # fmt: skip


class Campaign:
    """One campaign of one annotator."""

    def __init__(self, entries: list[dict[str, Any]]) -> None:
        self.entries = copy.deepcopy(entries)
        self.state = "open"
        self.hand_out = "all"
        self.stage: str | None = None
        #: Entries at which others have all places, and what was asked to be kept.
        self.full: set[int] = set()
        self.claims: list[list[int]] = []
        self.protocol: dict[str, Any] = PROTOCOL
        self.me = {"id": 3, "name": "Ada"}
        self.signed_in = True
        self.nonces: dict[str, dict[str, Any]] = {}
        self.posts: list[dict[str, Any]] = []
        self.draft_puts: list[dict[str, Any]] = []
        self.refuse_with: str | None = None
        self.missing_images: set[str] = set()
        self.leafed: list[dict[str, str]] = []
        self.overviews: list[dict[str, str]] = []
        self.images: list[str] = []
        self.elements: dict[str, list[dict[str, Any]]] = {}
        self.comments: dict[int, list[dict[str, Any]]] = {}
        self.precedents: list[dict[str, Any]] = []
        self.precedents_asked: list[dict[str, str]] = []
        self.earlier_unread = 0
        self.states: list[dict[str, str]] = []
        self.upcoming_asked = 0

    def by_id(self, entry_id: int) -> dict[str, Any]:
        return next(one for one in self.entries if one["id"] == entry_id)

    def open_after(self, number: int, count: int, skip: set[int]) -> list[dict[str, Any]]:
        after = sorted(self.entries, key=lambda one: (one["number"] <= number, one["number"]))
        taken = skip | self.full
        return [one for one in after if one["saved"] is None and one["number"] not in taken][:count]

    def progress(self) -> dict[str, int]:
        saved = [one["saved"] for one in self.entries if one["saved"]]
        cannot = sum(1 for one in saved if one["outcome"] == "cannot_judge")
        return {
            "entries": len(self.entries), "judged": len(saved) - cannot, "cannot_judge": cannot,
            "drafts": sum(1 for one in self.entries if one["draft"]), "left": len(self.entries) - len(saved), "today": len(saved),
        }  # fmt: skip

    def save(self, entry_id: int, said: dict[str, Any]) -> dict[str, Any]:
        """A judgment as another window of the same annotator would save it."""
        one = self.by_id(entry_id)
        revision = (one["saved"] or {"revision": 0})["revision"] + 1
        kept = {name: said[name] for name in ("outcome", "codes", "note", "reason", "targets")}
        saved = kept | {
            "fields": said.get("fields", {}),
            "correction": said.get("correction"),
            "revision": revision,
            "saved_at": now(),
        }
        one["saved"], one["draft"] = saved, None
        return saved


class FakeServer:
    """The server in a thread. `stop()` and `start()` keep the port, so that the surface sees the same server go and come back."""

    def __init__(self, entries: list[dict[str, Any]]) -> None:
        self.campaign = Campaign(entries)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.app = self._app()
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        config = uvicorn.Config(
            self.app,
            host="127.0.0.1",
            port=self.port,
            log_level="critical",
            lifespan="off",
            timeout_graceful_shutdown=1,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the fake server did not start")
            self._thread.join(0.02)

    def stop(self) -> None:
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join(10)

    def _error(self, status: int, code: str, words: str, **more: Any) -> JSONResponse:
        return JSONResponse({"error": words, "code": code, **more}, status)

    def _denied(self, request: Request) -> JSONResponse | None:
        if not self.campaign.signed_in:
            return self._error(401, "signed_out", "You are signed out.")
        if request.method != "GET" and (
            request.headers.get("x-assay") != "1" or request.headers.get("origin") != self.url
        ):
            return self._error(403, "forbidden", "The request did not come from this application.")
        return None

    async def state(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        mine = self.campaign
        mine.states.append(dict(request.query_params))
        asked = request.query_params.get("entry")
        count = int(request.query_params.get("count", 3))
        if asked is not None:
            shown = next((one for one in mine.entries if one["number"] == int(asked)), None)
            if shown is None:
                return self._error(404, "not_found", "There is no such entry.")
        else:
            shown = next(iter(mine.open_after(0, 1, set())), None) if count else None
        number = shown["number"] if shown else 0
        return JSONResponse({
            "campaign": {"id": "1", "name": "audit-2026", "dataset": "northern", "revision": "r1", "protocol": mine.protocol["name"],
                         "state": mine.state, "entries": len(mine.entries), "hand_out": mine.hand_out, "stage": mine.stage},
            "protocol": mine.protocol, "me": mine.me, "progress": mine.progress(), "entry": shown, "next": mine.open_after(number, count, {number}),
        })  # fmt: skip

    async def upcoming(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        self.campaign.upcoming_asked += 1
        skip = {int(number) for number in request.query_params.get("skip", "").split(",") if number}
        after, count = int(request.query_params["after"]), int(request.query_params["count"])
        found = self.campaign.open_after(after, count, skip)
        return JSONResponse({"next": found, "progress": self.campaign.progress()})

    async def claims(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        mine = self.campaign
        numbers = json.loads(await request.body())["numbers"]
        mine.claims.append(numbers)
        lost = [number for number in numbers if number in mine.full]
        held = [number for number in numbers if number not in mine.full]
        return JSONResponse({"held": held, "lost": lost, "state": mine.state, "stage": mine.stage})

    async def one_entry(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        number = int(request.path_params["number"])
        place = "taken" if number in self.campaign.full else "mine" if self.campaign.hand_out == "exact" else None
        return JSONResponse({"entry": self.campaign.by_id(1000 + number) | {"place": place}})

    async def overview(self, request: Request) -> Response:
        def state(one: dict[str, Any]) -> str:
            return one["saved"]["outcome"] if one["saved"] else "draft" if one["draft"] else "open"

        def flagged(one: dict[str, Any]) -> str | None:
            return (
                None if not one["flags"] else "open" if any(not flag["answer"] for flag in one["flags"]) else "answered"
            )

        rows = [
            {"number": one["number"], "state": state(one), "codes": (one["saved"] or {"codes": ""})["codes"],
             "fields": (one["saved"] or {}).get("fields", {}), "source": one["source"],
             "structure": one["structure"], "flag": flagged(one)} for one in self.campaign.entries]  # fmt: skip
        asked = request.query_params
        self.campaign.overviews.append(dict(asked))
        fits = {"": lambda _: True, "flagged": lambda row: row["flag"]}
        only = asked.get("state", "")
        found = [row for row in rows if fits.get(only, lambda row: row["state"] == only)(row)]
        first, before = int(asked.get("from", 1)), int(asked.get("before", 0))
        if before:
            first = [0, *(row["number"] for row in found if row["number"] < before)][-PER_PAGE:][0]
        shown = [row for row in found if row["number"] >= first][:PER_PAGE]
        return JSONResponse({
            "entries": shown,
            "earlier": bool(shown) and found[0] != shown[0],
            "later": bool(shown) and found[-1] != shown[-1],
            "counts": {"all": len(rows), "flagged": sum(row["flag"] is not None for row in rows)}
            | {name: sum(row["state"] == name for row in rows) for name in ("judged", "cannot_judge", "draft", "open")},
            "asked": [row for row in rows if str(row["number"]) in asked.get("numbers", "").split(",")],
        })  # fmt: skip

    async def draft(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        one = self.campaign.by_id(request.path_params["entry"])
        if request.method == "DELETE":
            one["draft"] = None
            return JSONResponse({})
        said = json.loads(await request.body())
        self.campaign.draft_puts.append({"entry": one["number"], **said})
        one["draft"] = said | {"saved_at": now()}
        return JSONResponse({"saved_at": one["draft"]["saved_at"]})

    async def judgment(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        mine = self.campaign
        said = json.loads(await request.body())
        if said["nonce"] in mine.nonces:
            return JSONResponse(mine.nonces[said["nonce"]] | {"repeated": True})
        if mine.state == "closed":
            return self._error(410, "closed", "The campaign is closed.")
        if mine.state == "paused":
            return self._error(410, "paused", "The campaign is paused.")
        if mine.refuse_with:
            return self._error(422, "invalid", mine.refuse_with)
        one = mine.by_id(request.path_params["entry"])
        if (one["saved"] or {"revision": 0})["revision"] != said["base_revision"]:
            return self._error(409, "conflict", "A newer revision exists.", newest=one["saved"])
        if one["number"] in mine.full and said["outcome"] == "judged" and not one["saved"]:
            return self._error(409, "taken", "This entry was completed by others meanwhile.")
        saved: dict[str, Any] = mine.save(one["id"], said)
        mine.posts.append({"number": one["number"], **said})
        answer = {
            "nonce": said["nonce"],
            "revision": saved["revision"],
            "saved_at": saved["saved_at"],
            "progress": mine.progress(),
            "repeated": False,
        }
        mine.nonces[said["nonce"]] = answer
        return JSONResponse(answer)

    async def document_pages(self, request: Request) -> Response:
        """Pages of a document whose page `n` has the key `<document>-n`, unless it is a listed one; printed labels are n + 100."""
        if denied := self._denied(request):
            return denied
        asked = dict(request.query_params)
        self.campaign.leafed.append(asked)
        one = self.campaign.by_id(1000 + int(request.path_params["number"]))
        document = one["documents"][request.path_params["document"]]
        listed = {each["page_number"]: each for each in one["pages"] if each["document_id"] == document}
        like = next(iter(listed.values()))
        total, count = like["page_count"], int(asked.get("count", 9))
        ids = {self._page_of(like, listed, at)["page_id"]: at for at in range(1, total + 1)}
        matches: list[int] = []
        if "find" in asked:
            wanted = asked["find"]
            matches = [at for at in range(1, total + 1) if wanted in (str(at), str(at + 100))]
            if not matches:
                return self._error(
                    404, "not_found", f"No page of this document has the number or the printed label {wanted!r}."
                )
            first = max(1, min(matches[0] - count // 2, total - count + 1))
        elif "around" in asked:
            first = max(1, min(ids[asked["around"]] - count // 2, total - count + 1))
        else:
            first = int(asked.get("from", 1))
        shown = range(first, min(first + count, total + 1))
        return JSONResponse({"document": request.path_params["document"], "document_id": document, "total": total, "matches": matches,
                             "pages": [self._page_of(like, listed, at) for at in shown]})  # fmt: skip

    def _page_of(self, like: dict[str, Any], listed: dict[int, Any], at: int) -> dict[str, Any]:
        found = listed.get(at)
        made = found or like | page(f"{like['document_id'].replace(' ', '')}-{at}", number=at, title=like["title"], boxes=[],
                                    page_count=like["page_count"], printed_label=str(at + 100), document_id=like["document_id"])  # fmt: skip
        elements = self.campaign.elements.get(made["page_id"], [])
        return made | {"position": at, "listed": found is not None, "elements": elements}

    async def flag(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        if self.campaign.refuse_with:
            return self._error(422, "invalid", self.campaign.refuse_with)
        one = self.campaign.by_id(request.path_params["entry"])
        asked = {"id": len(one["flags"]) + 1, "question": json.loads(await request.body())["question"], "raised_at": now(),
                 "answer": None, "answered_at": None}  # fmt: skip
        one["flags"] = [*one["flags"], asked]
        return JSONResponse({"flag": asked})

    async def comments(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        one = self.campaign.by_id(request.path_params["entry"])
        said = self.campaign.comments.setdefault(one["id"], [])
        if request.method == "POST":
            if self.campaign.refuse_with:
                return self._error(422, "invalid", self.campaign.refuse_with)
            made = comment(json.loads(await request.body())["text"], mine=True)
            said.append(made)
            return JSONResponse({"comment": made})
        is_sealed = one["saved"] is None
        shown = [each for each in said if each["mine"] or not is_sealed]
        return JSONResponse({"comments": shown, "sealed": is_sealed, "closed": self.campaign.state == "closed"})

    async def delete_comment(self, request: Request) -> Response:
        if denied := self._denied(request):
            return denied
        for said in self.campaign.comments.values():
            said[:] = [each for each in said if not each["mine"] or each["id"] != request.path_params["comment"]]
        return JSONResponse({})

    async def found_precedents(self, request: Request) -> Response:
        """Those whose text holds all words, in any case."""
        if denied := self._denied(request):
            return denied
        words = request.query_params.get("words", "")
        self.campaign.precedents_asked.append({"entry": str(request.path_params["entry"]), "words": words})
        found = [
            each
            for each in self.campaign.precedents
            if all(word in json.dumps(each, ensure_ascii=False).lower() for word in words.lower().split())
        ]
        self.campaign.earlier_unread = max(0, self.campaign.earlier_unread - 1)
        complete = self.campaign.earlier_unread == 0
        return JSONResponse({"found": found, "complete": complete, "searched": bool(words)})

    async def image(self, request: Request) -> Response:
        key = request.path_params["key"]
        self.campaign.images.append(
            key if "dpi" not in request.query_params else f"{key} {request.query_params['dpi']}"
        )
        if key in self.campaign.missing_images:
            return self._error(404, "not_found", "The image is gone.")
        dpi = int(request.query_params.get("dpi", 200))
        return Response(
            drawn_page(key, dpi=dpi),
            media_type="image/webp",
            headers={"Cache-Control": "private, max-age=31536000, immutable"},
        )

    def _app(self) -> Starlette:
        async def host(request: Request) -> Response:
            return HTMLResponse(HOST_PAGE)

        root = "/api/campaigns/{campaign}"
        return Starlette(routes=[
            Route("/", host), Route("/home", host), Route(f"{root}/state", self.state), Route(f"{root}/upcoming", self.upcoming),
            Route(f"{root}/claims", self.claims, methods=["POST"]),
            Route(f"{root}/entries/{{number:int}}/documents/{{document:int}}/pages", self.document_pages),
            Route("/api/entries/{entry:int}/flags", self.flag, methods=["POST"]),
            Route(f"{root}/entries/{{number:int}}", self.one_entry), Route(f"{root}/overview", self.overview),
            Route("/api/entries/{entry:int}/comments", self.comments, methods=["GET", "POST"]),
            Route("/api/comments/{comment:int}", self.delete_comment, methods=["DELETE"]),
            Route("/api/entries/{entry:int}/precedents", self.found_precedents),
            Route("/judge", host),
            Route("/api/entries/{entry:int}/draft", self.draft, methods=["PUT", "DELETE"]),
            Route("/api/entries/{entry:int}/judgments", self.judgment, methods=["POST"]),
            Route("/api/pages/fake/{key}", self.image), Mount("/api/viewer/test", StaticFiles(directory=VIEWER)),
        ])  # fmt: skip
