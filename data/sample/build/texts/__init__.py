"""The documents of the sample, one module each (drawings in a module beside it)."""
