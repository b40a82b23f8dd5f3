"""Two small retrieval methods over the pages of the sample, and their frozen runs."""
