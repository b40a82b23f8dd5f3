"""Timed work at the size of a whole benchmark, and the generator of its data. No part of the tests; see README.md."""
