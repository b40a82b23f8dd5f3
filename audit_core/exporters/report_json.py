"""The audit report as JSON: every number of it; undefined is null with its reason beside, never NaN."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Set
from datetime import datetime
from enum import Enum
from typing import Any

from audit_core.audit_report import AuditReport

name = "json"
suffix = ".json"
media_type = "application/json"


def write(report: AuditReport) -> str:
    """Return the report as one JSON object, indented, ending with a line feed.

    The names are those of `audit_core.audit_report.records`; proportions are parts of 1. An interval that does not
    exist has null bounds and the reason in `undefined`.

    Raises:
        ValueError: a number that is not finite (a programming error: undefined numbers are None).
    """
    content = {"format": "assay-audit-report", "format_version": 1, **plain(report)}
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=2) + "\n"


def plain(value: Any) -> Any:
    """Return a record of a report as dicts, lists, texts and numbers, by the names of its fields."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(each) for key, each in value.items()}
    if isinstance(value, Set):
        return sorted(plain(each) for each in value)
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value
