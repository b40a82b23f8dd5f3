"""Rules that say of a query, by its text or its evidence alone, that it should go; one file a rule."""
