"""Assay's core: datasets, campaigns, judgments, page images and reports.

Import the modules you need (`audit_core.datasets`, `audit_core.workflow`, ...); this file loads nothing, so that a
command that only prints help starts at once.
"""

__version__ = "0.1.0"
