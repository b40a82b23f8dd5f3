"""One function a user action; the only code that commits. Pages, routes and commands call the same ones."""
