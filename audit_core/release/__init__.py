"""Releases of corrections: the ledger, the corrected revision, the proof that nothing else changed, and what is told of it."""
