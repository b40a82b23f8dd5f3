"""The audit report: how many audited entries are correct, and what that says of the whole benchmark."""

from __future__ import annotations

from audit_core.audit_report.build import build_audit_report
from audit_core.audit_report.entry_values import EntryValue, entry_value
from audit_core.audit_report.records import (
    AuditReport,
    BenchmarkEstimate,
    CarriedOver,
    DesignCheck,
    EntryOutcome,
    ReportContext,
    ReportRow,
    StratumMismatch,
    UnjudgedEntries,
    Use,
)

__all__ = [
    "AuditReport",
    "BenchmarkEstimate",
    "CarriedOver",
    "DesignCheck",
    "EntryOutcome",
    "EntryValue",
    "ReportContext",
    "ReportRow",
    "StratumMismatch",
    "UnjudgedEntries",
    "Use",
    "build_audit_report",
    "entry_value",
]
