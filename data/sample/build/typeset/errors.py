"""The one error of the build."""

from __future__ import annotations


class BuildError(Exception):
    """The sample cannot be built; the message says what is wrong, where, and what to do."""
