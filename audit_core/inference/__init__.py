"""Embeddings of texts: embedders behind one contract, a durable cache of vectors, and screening before use."""
