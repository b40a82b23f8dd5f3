"""Readers of datasets: one file a format, and the parts that the bundle reader is made of."""
