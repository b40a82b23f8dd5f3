"""The table of routes. Each checks who asks and from where, then calls a function of `workflow`."""

from __future__ import annotations

from starlette.routing import Route

from audit_core.web import (
    adjudicate_page,
    adjudicating,
    comments,
    judge_page,
    judging,
    leafing,
    oidc,
    page_images,
    session,
    viewer_files,
)
from audit_core.web.access import signed_in

routes = [
    Route(judge_page.ADDRESS, judge_page.judge_page, methods=["GET"]),
    Route(adjudicate_page.ADDRESS, adjudicate_page.adjudicate_page, methods=["GET"]),
    Route("/api/session", session.open_session, methods=["POST"]),
    Route("/api/session", session.close_session, methods=["DELETE"]),
    Route("/api/password", session.change_password, methods=["POST"]),
    Route(oidc.START, oidc.start, methods=["GET"]),
    Route(oidc.ANSWER, oidc.answer, methods=["GET"]),
    Route("/api/campaigns/{cid}/state", signed_in(judging.state), methods=["GET"]),
    Route("/api/campaigns/{cid}/upcoming", signed_in(judging.upcoming), methods=["GET"]),
    Route("/api/campaigns/{cid}/claims", signed_in(judging.post_claims), methods=["POST"]),
    Route("/api/campaigns/{cid}/overview", signed_in(judging.overview), methods=["GET"]),
    Route("/api/campaigns/{cid}/entries/{number}", signed_in(judging.one_entry), methods=["GET"]),
    Route(
        "/api/campaigns/{cid}/entries/{number}/documents/{document}/pages",
        signed_in(leafing.pages_of_document),
        methods=["GET"],
    ),
    Route("/api/entries/{id}/flags", signed_in(leafing.post_flag), methods=["POST"]),
    Route("/api/entries/{id}/comments", signed_in(comments.get_comments), methods=["GET"]),
    Route("/api/entries/{id}/comments", signed_in(comments.post_comment), methods=["POST"]),
    Route("/api/comments/{id}", signed_in(comments.delete_comment), methods=["DELETE"]),
    Route("/api/entries/{id}/precedents", signed_in(comments.get_precedents), methods=["GET"]),
    Route("/api/entries/{id}/draft", signed_in(judging.put_draft), methods=["PUT"]),
    Route("/api/entries/{id}/draft", signed_in(judging.delete_draft), methods=["DELETE"]),
    Route("/api/entries/{id}/judgments", signed_in(judging.post_judgment), methods=["POST"]),
    Route("/api/campaigns/{cid}/adjudication", signed_in(adjudicating.adjudication), methods=["GET"]),
    Route("/api/campaigns/{cid}/adjudication/overview", signed_in(adjudicating.overview), methods=["GET"]),
    Route("/api/campaigns/{cid}/decisions/unanimous", signed_in(adjudicating.post_unanimous), methods=["POST"]),
    Route("/api/entries/{id}/decisions", signed_in(adjudicating.post_decision), methods=["POST"]),
    Route("/api/pages/{dataset}/image", signed_in(page_images.page_image), methods=["GET"]),
    Route("/api/viewer/{hash}/{name}", viewer_files.viewer_file, methods=["GET"]),
]
