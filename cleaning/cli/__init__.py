"""The `clean` commands, all in one group."""

from cleaning.cli import applying, choosing, comparing, labels, queueing, rewriting, scoring
from cleaning.cli.group import clean_group

__all__ = ["applying", "choosing", "clean_group", "comparing", "labels", "queueing", "rewriting", "scoring"]
