"""The certificate of a release: what it was made from and what came of it, the same bytes each time that it is made."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from audit_core import __version__
from audit_core.domain import JsonObject
from audit_core.release.ledger_rows import DatasetReference

FORMAT = "assay-certificate"
FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class CampaignFacts:
    """What a release rests on in one campaign; nothing of it is a name of a person or a time.

    `guidelines` are {version, sha256}; `protocol_hash` is of the protocol's own guidelines; `design` is the sample's, with its
    seed; `audit` the audit report as `report_json.plain` gives it, without its time; `agreement` rows of coefficients, each
    {code, coefficient, value, lower, upper, items, ...} or with a `reason`. `ambiguous` are {query_id, why}.
    """

    name: str
    protocol: str
    protocol_hash: str | None
    guidelines: Sequence[JsonObject]
    design: JsonObject | None
    audit: JsonObject | None
    agreement: Sequence[JsonObject]
    agreement_undefined: str | None = None
    ambiguous: Sequence[JsonObject] = ()
    mended: int = 0
    expected_left: JsonObject = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        """Return it as a JSON object."""
        return {
            "name": self.name, "protocol": self.protocol, "protocol_hash": self.protocol_hash,
            "guidelines": list(self.guidelines), "design": self.design, "audit": self.audit,
            "agreement": list(self.agreement), "agreement_undefined": self.agreement_undefined,
            "ambiguous": list(self.ambiguous), "mended": self.mended, "expected_left": self.expected_left,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """All that is told of a release. `files` maps the names of its files to their SHA-256; `seed` chose the examples.

    `counts` are those of `summary.change_counts` with `by_status` (queries of the old revision by row status), `queries`
    before and after, `without_evidence` after, and `notes` on runs and embeddings.
    """

    dataset: DatasetReference
    result: DatasetReference
    license: str
    ids_only: bool
    seed: int
    files: Mapping[str, str]
    counts: JsonObject
    verification: JsonObject
    campaigns: Sequence[CampaignFacts] = ()

    @property
    def title(self) -> str:
        """The two revisions, as they are called."""
        return f"{self.dataset.name} {self.dataset.revision} -> {self.result.revision}"


def certificate(facts: ReleaseFacts) -> JsonObject:
    """Return the certificate as one JSON document."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "assay_version": __version__,
        "dataset": facts.dataset.as_json(),
        "result": facts.result.as_json(),
        "license": facts.license,
        "ids_only": facts.ids_only,
        "seed": facts.seed,
        "files": dict(sorted(facts.files.items())),
        "counts": facts.counts,
        "verification": facts.verification,
        "campaigns": [each.as_json() for each in facts.campaigns],
    }


def certificate_text(document: Mapping[str, Any]) -> str:
    """Return a certificate as it stands in its file."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True) + "\n"
