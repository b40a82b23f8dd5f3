"""What Assay writes: one file a format; the folder is the registry."""
