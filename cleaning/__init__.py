"""Which queries to remove from a benchmark: strategies, and their fair comparison on one split."""
