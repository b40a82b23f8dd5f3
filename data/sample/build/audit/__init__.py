"""The queries of the sample, their gold verdicts, and the two simulated annotators."""
