"""Labelling protocols, one file each: what is asked of an annotator, what an answer may hold, how it is shown."""
