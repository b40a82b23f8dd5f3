"""Corrections of queries and their evidence: typed atomic changes, checked against the dataset, applied in order."""
