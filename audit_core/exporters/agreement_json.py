"""The report of agreement as JSON: every number of it; undefined is null with its reason beside, never NaN."""

from __future__ import annotations

import json
from typing import Any

from audit_core.agreement.report import AgreementReport
from audit_core.agreement.wording import second_reading_sentence, skew_sentence
from audit_core.exporters.report_json import plain

name = "json"
suffix = ".json"
media_type = "application/json"


def write(report: AgreementReport) -> str:
    """Return the report as one JSON object, indented, ending with a line feed.

    The names are those of `audit_core.agreement.report` and `.records`; the members of a set are a list. Annotators stand by
    their pseudonyms; `first` and `second` of a pair are their places in `annotators`, from 0.

    Raises:
        ValueError: a number that is not finite (a programming error: undefined numbers are None).
    """
    return json.dumps(as_json(report), ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def as_json(report: AgreementReport) -> dict[str, Any]:
    """Return the same as an object, with the sentences that belong to it."""
    sentences = {"skew": skew_sentence(report.items), "second_reading_sentence": second_reading_sentence(report)}
    return {"format": "assay-agreement", "format_version": 1, **plain(report), **sentences}
