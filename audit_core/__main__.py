"""`python -m audit_core`: the command line."""

from audit_core.cli.main import run

if __name__ == "__main__":
    run()
