"""The built-in sample: imported at the first start, with a campaign to try the judging page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from audit_core.errors import NotFound
from audit_core.storage.campaigns import CampaignRow
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sample_request import SampleRequest
from audit_core.workflow.workspace import Workspace

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
CAMPAIGN = "try-it"
#: The order of its entries is the same everywhere, so that a guide can speak of the first one.
SEED = 1


def add_sample(workspace: Workspace, *, progress: Callable[[str, float], None] | None = None) -> CampaignRow:
    """Import the built-in sample and start a campaign over its queries; return the campaign.

    Raises:
        NotFound: the sample is not beside the package (an installation without the checkout).
    """
    if not (SAMPLE / "dataset.json").is_file():
        raise NotFound(f"The sample is not at {SAMPLE}: run from a checkout, or use --no-sample.")
    result = import_bundle(workspace, SAMPLE, progress=progress)
    return start_campaign(workspace, dataset=result.dataset, name=CAMPAIGN, sample=SampleRequest(seed=SEED))
