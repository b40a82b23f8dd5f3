"""`python -m tests.jobs.entry`: the command line with the kinds of the tests, also in the processes that it starts."""

from audit_core.__main__ import run
from audit_core.jobs import processes
from audit_core.jobs.kinds import join

COMMAND = ("-m", "tests.jobs.entry", "job", "run")

if __name__ == "__main__":
    join("tests.jobs.made_kinds")
    processes.COMMAND = COMMAND
    run()
