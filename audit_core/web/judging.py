"""The routes of the judging surface: state, upcoming entries, overview, drafts, judgments."""

from __future__ import annotations

from starlette.responses import JSONResponse, Response

from audit_core.domain import CampaignState, HandOut, JsonObject
from audit_core.errors import JudgmentInvalid
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.guidelines import GuidelineRow
from audit_core.web.access import Signed
from audit_core.workflow import judging
from audit_core.workflow.annotators import campaign_for
from audit_core.workflow.entry_view import describe_entry
from audit_core.workflow.guidelines import newest_guidelines
from audit_core.workflow.handing_out import is_counted_out, renew, stage_of
from audit_core.workflow.judging import MyEntry
from audit_core.workflow.overview import overview_page
from audit_core.workflow.workspace import Workspace

_FRESH = {"Cache-Control": "no-store"}


def _json(content: JsonObject) -> Response:
    return JSONResponse(content, headers=_FRESH)


def _described(asked: Signed, dataset: DatasetRow, entries: list[MyEntry]) -> list[JsonObject]:
    return [describe_entry(asked.workspace, dataset, each) for each in entries]


def state(asked: Signed) -> Response:
    """GET campaigns/{cid}/state: the campaign, one's progress, the entry to show and the next ones."""
    campaign, dataset = campaign_for(asked.workspace, asked.person, asked.path_int("cid"))
    number, count = asked.query_int("entry", None), asked.query_int("count", 3) or 0
    person, workspace = asked.person, asked.workspace
    if count == 0:
        # Somebody who only looks, or asks who is signed in: nothing is handed out.
        current = (
            None
            if number is None
            else judging.entry_numbered(workspace, person, campaign_id=campaign.id, number=number)
        )
    elif number is None:
        first = judging.upcoming(workspace, person, campaign_id=campaign.id, after=0, count=1)
        current = first[0] if first else None
    else:
        current = judging.open_entry(workspace, person, campaign_id=campaign.id, number=number)
    ahead: list[MyEntry] = []
    if current is not None and count:
        ahead = judging.upcoming(
            workspace,
            person,
            campaign_id=campaign.id,
            after=current.row.number,
            count=count,
            skip=[current.row.number],
        )
    progress = judging.progress(workspace, person, campaign.id)
    return _json(
        {
            "campaign": campaign_json(workspace, campaign, dataset, entries=progress["entries"]),
            "protocol": judging.protocol_of(campaign).description(),
            "me": {"id": person.id, "name": person.name},
            "progress": progress,
            "entry": describe_entry(workspace, dataset, current) if current else None,
            "next": _described(asked, dataset, ahead),
        }
    )


def campaign_json(workspace: Workspace, campaign: CampaignRow, dataset: DatasetRow, *, entries: int) -> JsonObject:
    """Return what the surfaces say of a campaign, with its number of entries."""
    return {
        "id": campaign.id,
        "name": campaign.name,
        "dataset": dataset.name,
        "revision": dataset.revision,
        "protocol": campaign.protocol,
        "state": _state_of(campaign),
        "entries": entries,
        "hand_out": HandOut.EXACT if is_counted_out(campaign) else HandOut.ALL,
        "stage": stage_of(campaign),
        "guidelines": _guidelines(newest_guidelines(workspace, campaign.id)),
    }


def _guidelines(row: GuidelineRow | None) -> JsonObject | None:
    return None if row is None else {"version": row.version, "text": row.text, "written_at": row.created_at}


def _state_of(campaign: CampaignRow) -> str:
    return campaign.state if campaign.paused_at is None or campaign.state == CampaignState.CLOSED else "paused"


def upcoming(asked: Signed) -> Response:
    """GET campaigns/{cid}/upcoming: entries not answered yet, after a number, leaving some out."""
    campaign, dataset = campaign_for(asked.workspace, asked.person, asked.path_int("cid"))
    entries = judging.upcoming(
        asked.workspace,
        asked.person,
        campaign_id=campaign.id,
        after=asked.query_int("after", 0) or 0,
        count=asked.query_int("count", 3) or 0,
        skip=asked.query_ints("skip"),
    )
    return _json(
        {
            "next": _described(asked, dataset, entries),
            "progress": judging.progress(asked.workspace, asked.person, campaign.id),
        }
    )


def one_entry(asked: Signed) -> Response:
    """GET campaigns/{cid}/entries/{number}: one entry."""
    campaign, dataset = campaign_for(asked.workspace, asked.person, asked.path_int("cid"))
    mine = judging.open_entry(asked.workspace, asked.person, campaign_id=campaign.id, number=asked.path_int("number"))
    return _json({"entry": describe_entry(asked.workspace, dataset, mine)})


def post_claims(asked: Signed) -> Response:
    """POST campaigns/{cid}/claims: keep one's places at entries in hand; says which are held and which are lost."""
    campaign, _ = campaign_for(asked.workspace, asked.person, asked.path_int("cid"))
    numbers = asked.body.get("numbers")
    if not isinstance(numbers, list) or not all(type(each) is int and 0 < each < 2**31 for each in numbers):
        raise JudgmentInvalid("numbers must be a list of entry numbers.")
    held, lost = renew(asked.workspace, asked.person, campaign, numbers)
    return _json({"held": held, "lost": lost, "state": _state_of(campaign), "stage": stage_of(campaign)})


def overview(asked: Signed) -> Response:
    """GET campaigns/{cid}/overview: a page of entries with one's own states, from a number or before one, by a filter.

    `state` is the filter, `from` or `before` the number, `numbers` further entries whose states are asked for.
    """
    campaign, _ = campaign_for(asked.workspace, asked.person, asked.path_int("cid"))
    page = overview_page(
        asked.workspace,
        asked.person,
        campaign.id,
        only=asked.request.query_params.get("state") or None,
        first=asked.query_int("from", 1) or 1,
        before=asked.query_int("before", None),
        asked=asked.query_ints("numbers"),
    )
    return _json(page.as_json())


def put_draft(asked: Signed) -> Response:
    """PUT entries/{id}/draft: keep an unsaved answer."""
    saved_at = judging.save_draft(asked.workspace, asked.person, entry_id=asked.path_int("id"), body=asked.body)
    return _json({"saved_at": saved_at})


def delete_draft(asked: Signed) -> Response:
    """DELETE entries/{id}/draft: forget an unsaved answer."""
    judging.discard_draft(asked.workspace, asked.person, entry_id=asked.path_int("id"))
    return _json({})


def post_judgment(asked: Signed) -> Response:
    """POST entries/{id}/judgments: save one judgment, once for its nonce."""
    saved = judging.save_judgment(asked.workspace, asked.person, entry_id=asked.path_int("id"), body=asked.body)
    return _json(
        {
            "nonce": saved.judgment.nonce,
            "revision": saved.judgment.revision,
            "saved_at": saved.judgment.saved_at,
            "progress": saved.progress,
            "repeated": saved.repeated,
        }
    )
