"""What the terminal says about the first account."""

from __future__ import annotations

from audit_core.workflow.accounts import FIRST


def first_account_words(password: str) -> str:
    """Return the lines that tell the first account's name and one-time password."""
    line = "-" * 72
    return (
        f"{line}\nYour first sign-in\n\n    name      {FIRST}\n    password  {password}\n\n"
        "The password works once and is shown only here; you then choose your own.\n"
        f"Lost it? python -m audit_core account reset {FIRST}\n{line}"
    )


#: What `prepare` says while the first account's one-time password was never used.
FIRST_WAITS = (
    f"The account {FIRST} still waits for its first password: sign in with its one-time password, and choose one.\n"
    f"Lost it? python -m audit_core account reset {FIRST}"
)
#: What the sign-in page says until somebody has chosen a password.
FIRST_HINT = (
    "The first start? The terminal in which Assay was started shows a name and a one-time password. "
    f"If it is lost, run there: python -m audit_core account reset {FIRST}"
)
