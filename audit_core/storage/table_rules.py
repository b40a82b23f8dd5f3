"""What all tables of the main database have in common: how constraints are named, and the rules that many columns keep."""

from __future__ import annotations

from itertools import combinations

import sqlalchemy as sa

from audit_core.domain import IssueCode

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

#: The sixteen sets of issue codes as they are written: each in the order FEUN, the empty text for correct.
CODE_SETS = tuple(
    "".join(chosen)
    for size in range(len(IssueCode) + 1)
    for chosen in combinations([each.value for each in IssueCode], size)
)


def one_of(column: str, values: tuple[str, ...]) -> str:
    """Return the rule that a column holds one of these texts."""
    return f"{column} IN ({', '.join(repr(str(each)) for each in values)})"


def key_to(target: str) -> sa.ForeignKey:
    """Return the reference to a row that cannot be deleted as long as it is referred to."""
    return sa.ForeignKey(target, ondelete="RESTRICT")
