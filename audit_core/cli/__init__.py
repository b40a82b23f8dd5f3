"""The command line: a skin over the functions of `workflow`, one file a group of commands."""
