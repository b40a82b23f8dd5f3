"""The report of a protocol that asks fields as JSON: every number of it; undefined is null with its reason beside, never NaN."""

from __future__ import annotations

import json

from audit_core.audit_report.fields import FieldsReport
from audit_core.exporters.report_json import plain

name = "json"
suffix = ".json"
media_type = "application/json"


def write(report: FieldsReport) -> str:
    """Return the report as one JSON object, indented, ending with a line feed.

    The names are those of `audit_core.audit_report.fields`; proportions are parts of 1.

    Raises:
        ValueError: a number that is not finite (a programming error: undefined numbers are None).
    """
    content = {"format": "assay-fields-report", "format_version": 1, **plain(report)}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
