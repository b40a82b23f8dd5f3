"""Reading an answer that consists of fields, under any protocol that lists some."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit_core.domain import Answer, JsonObject, Outcome
from audit_core.errors import JudgmentInvalid
from audit_core.protocols.answer_fields import NOTE_MAX, active_ms_field, outcome_field, refuse_unstorable, text_field
from audit_core.protocols.audit_corrections import CorrectionPlaces
from audit_core.protocols.field_kinds import PAGES_MAX, Boxes, Choice, Field, Pages


@dataclass(frozen=True, slots=True)
class Headline:
    """What a protocol's report counts first: the share of entries whose `field` is `value`, among the decided ones.

    `words` say in a sentence what such entries are, `others` what the rest is.
    """

    field: str
    value: Any
    words: str
    others: str


def describe_fields(
    name: str, title: str, fields: Sequence[Field], guidelines: JsonObject, *, marks_first: bool = False
) -> JsonObject:
    """Return the description of a protocol without codes; `marks_first`: digits answer the first field at once."""
    return {
        "name": name,
        "title": title,
        "codes": [],
        "fields": [each.describe() for each in fields],
        "marks_first": marks_first,
        "note_max": NOTE_MAX,
        "correction": None,
        "guidelines": guidelines,
    }


def parse_answer(
    body: Mapping[str, Any], fields: Sequence[Field], *, is_draft: bool, places: CorrectionPlaces | None, asks: str
) -> Answer:
    """Return the answer that a request body holds, checked field by field.

    A draft may lack anything, and be without an outcome; what it has must be right. `places` are the pages that may be named
    (None: any, and no page is missing). `asks` says what the campaign asks for, for messages.

    Raises:
        JudgmentInvalid: the message names the field and what it may hold.
    """
    outcome = outcome_field(body, is_draft=is_draft)
    for unused in ("codes", "targets"):
        if body.get(unused):
            raise JudgmentInvalid(f"{unused} belongs to the audit protocol: this campaign asks for {asks}.")
    raw = body.get("fields")
    if raw is not None and not isinstance(raw, dict):
        raise JudgmentInvalid(f"fields must be an object with {', '.join(each.name for each in fields)}.")
    found = _given(raw or {}, fields)
    if outcome is Outcome.CANNOT_JUDGE and found:
        raise JudgmentInvalid(f"an entry that cannot be judged has no {next(iter(found))} nor others: take them back.")
    if places is not None:
        _refuse_elsewhere(found, fields, places)
    if outcome is Outcome.JUDGED and not is_draft:
        _require(found, fields, [] if places is None else list(places.listed))
    return Answer(
        outcome=outcome,
        fields=found,
        note=text_field(body, "note"),
        reason=text_field(body, "reason"),
        active_ms=active_ms_field(body),
    )


def refuse_correction(raw: object, *, asks: str) -> JsonObject | None:
    """Return None, since a protocol of fields proposes no corrections.

    Raises:
        JudgmentInvalid: there is one.
    """
    if raw is not None:
        raise JudgmentInvalid(f"correction: this campaign asks for {asks}; propose corrections in an audit.")
    return None


def _given(raw: Mapping[str, Any], fields: Sequence[Field]) -> JsonObject:
    """Return what is said, in the order of the fields; what says nothing is absent."""
    names = [each.name for each in fields]
    if strange := sorted(map(str, set(raw) - set(names))):
        raise JudgmentInvalid(f"fields holds {strange[0][:40]!r}: use {', '.join(names)}.")
    found: JsonObject = {}
    for field in fields:
        value = raw.get(field.name)
        value = None if value is None else _by_page(field, value) if field.per_page else field.read(value)
        if value is None:
            continue
        for page in _pages_of(field, value):
            if not field.is_asked(found, page):
                where = "" if page is None else f" of page {page!r}"
                words = ", or ".join(each.words for each in field.asked_if)
                raise JudgmentInvalid(f"{field.name}{where} is asked only where {words}: take it back.")
        found[field.name] = value
    return found


def _by_page(field: Field, value: Any) -> JsonObject | None:
    if not isinstance(value, dict) or not all(isinstance(page, str) for page in value):
        raise JudgmentInvalid(f"{field.name} must be an object from page id to value.")
    if len(value) > PAGES_MAX:
        raise JudgmentInvalid(f"{field.name} names {len(value)} pages: name at most {PAGES_MAX}.")
    found = {}
    for page in sorted(value):
        refuse_unstorable(page, field.name)
        if value[page] is not None and (read := field.read(value[page])) is not None:
            found[page] = read
    return found or None


def _pages_of(field: Field, value: Any) -> Iterable[str | None]:
    """Return the pages that a value speaks of, one by one; None for the entry as a whole."""
    if field.per_page:
        return list(value)
    if isinstance(field, Boxes):
        return [each["page_id"] for each in value]
    return [None]


def _refuse_elsewhere(found: JsonObject, fields: Sequence[Field], places: CorrectionPlaces) -> None:
    """Refuse what names a page that is not in the entry's documents, or is neither listed nor added."""
    added: Collection[str] = ()
    for field in fields:
        value = found.get(field.name)
        if value is None:
            continue
        if isinstance(field, Pages):
            for page in value:
                if page in places.listed:
                    raise JudgmentInvalid(f"{field.name}: page {page!r} is listed as evidence already.")
                if page not in places.pages:
                    raise JudgmentInvalid(f"{field.name}: page {page!r} is not in this entry's documents.")
            added = value
            continue
        for place in _pages_of(field, value):
            if place is not None and place not in places.listed and place not in added:
                raise JudgmentInvalid(f"{field.name} names page {place!r}, which is neither listed nor added.")


def _require(found: JsonObject, fields: Sequence[Field], listed: Sequence[str]) -> None:
    """Refuse an answer that lacks what is asked and required: of each listed page, and of each that was added."""
    added = [page for field in fields if isinstance(field, Pages) for page in found.get(field.name, ())]
    spoken_of = [page for field in fields if field.per_page for page in found.get(field.name, ())]
    pages = dict.fromkeys([*listed, *added, *spoken_of])
    for field in fields:
        if not field.is_required:
            continue
        value = found.get(field.name)
        wanted = f": say {field.wanted}" if isinstance(field, Choice) else ""
        if field.per_page:
            for page in pages:
                if page not in (value or {}) and field.is_asked(found, page):
                    raise JudgmentInvalid(f"{field.name} is missing of page {page!r}{wanted}.")
        elif value is None and field.is_asked(found):
            raise JudgmentInvalid(f"{field.name} is missing{wanted}.")
