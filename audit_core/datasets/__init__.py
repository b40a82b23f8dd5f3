"""Dataset revisions: immutable folders that are built aside, renamed when whole, opened and looked into."""
