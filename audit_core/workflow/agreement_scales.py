"""The scales of ratings in a file: each has the values of its own, as they are named or as its own lines hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from audit_core.agreement.records import Compare
from audit_core.errors import AssayError
from audit_core.workflow.agreement_rows import Rating, is_not_finite


@dataclass(frozen=True, slots=True)
class Scale:
    """All values that could be given on one scale, in order: numbers where all of an ordinal one are. `is_named`: by the user."""

    name: str
    values: tuple[str | float, ...]
    is_named: bool

    @property
    def is_numeric(self) -> bool:
        """Whether the values are numbers."""
        return all(isinstance(each, float) for each in self.values)


def scales_of(rows: Sequence[Rating], named: Sequence[str], compare: Compare, file: Path) -> list[Scale]:
    """Return the scales of ratings by their names.

    Each of `named` is `A,B,C`, for all scales that have none of their own, or `SCALE=A,B,C`.

    Raises:
        AssayError: categories are not clear, or a value is none of them.
    """
    names = sorted({each.scale for each in rows})
    given = _given(named, names)
    return [_scale([one for one in rows if one.scale == each], given.get(each), compare, file) for each in names]


def _given(named: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return the categories of each scale of which there are any, as they were written."""
    own: dict[str, str] = {}
    shared: list[str] = []
    for each in named:
        scale, sign, text = each.partition("=")
        if not (sign and scale.strip() and scale.strip() in names):
            shared.append(each)
        elif own.setdefault(scale.strip(), text) != text:
            raise AssayError(f"The categories of scale {scale.strip()} are named twice: name them once.")
    if len(shared) > 1:
        raise AssayError(
            f"The categories are named twice ({' and '.join(shared)}): name them once, or of each scale as SCALE=A,B. Scales of this "
            f"file: {', '.join(each for each in names if each) or 'none is named'}."
        )
    return {**dict.fromkeys(names, shared[0]), **own} if shared else own


def _scale(rows: Sequence[Rating], given: str | None, compare: Compare, file: Path) -> Scale:
    name = rows[0].scale
    if compare is Compare.ORDINAL:
        _refuse_no_numbers(rows, file)
    if given is None:
        if compare is Compare.ORDINAL:
            raise AssayError(
                "An ordinal scale needs all its values in their order: name them with --categories "
                f"{name + '=' if name else ''}1,2,3,4."
            )
        return Scale(name, tuple(sorted({each.value for each in rows})), is_named=False)
    values = [each.strip() for each in given.split(",")]
    shown = ", ".join(values)
    if len(set(values)) != len(values) or not all(values):
        raise AssayError(f"The categories are {shown}: name each once, and none that is empty.")
    for each in rows:
        if each.value not in values:
            hint = f" Those of this scale alone are named as {name}=A,B." if name else ""
            raise AssayError(
                f"{file}, line {each.line}, column value: {each.value!r} is none of the categories {shown}.{hint}"
            )
    return Scale(name, _ordered(values) if compare is Compare.ORDINAL else tuple(values), is_named=True)


def _refuse_no_numbers(rows: Sequence[Rating], file: Path) -> None:
    for each in rows:
        if is_not_finite(each.value):
            raise AssayError(
                f"{file}, line {each.line}, column value: {each.value!r} has no place in an order. Leave the line out where "
                "nobody rated."
            )


def _ordered(values: Sequence[str]) -> tuple[str | float, ...]:
    """Return ordinal categories: as numbers where all of them are."""
    shown = ", ".join(values)
    if wrong := next((each for each in values if is_not_finite(each)), None):
        raise AssayError(f"The categories are {shown}: {wrong!r} has no place in an order. Leave it out.")
    try:
        numbers = tuple(float(each) for each in values)
    except ValueError:
        return tuple(values)
    if any(one >= other for one, other in pairwise(numbers)):
        raise AssayError(f"The categories are {shown}: give numbers in rising order.")
    return numbers
