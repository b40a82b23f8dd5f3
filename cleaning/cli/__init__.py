"""The `clean` commands, all in one group."""

from cleaning.cli import comparing, labels
from cleaning.cli.group import clean_group

__all__ = ["clean_group", "comparing", "labels"]
