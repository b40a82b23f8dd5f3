"""Strategies, one file each. A module registers itself by its `name` (see `cleaning.contract`)."""
