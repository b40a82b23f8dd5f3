"""What holds for every labelling protocol, whatever it asks."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from audit_core import registry
from audit_core.domain import Outcome
from audit_core.errors import JudgmentInvalid
from audit_core.protocols.agreement import Level, Unit, values_of
from audit_core.protocols.audit_corrections import CorrectionPlaces

PROTOCOLS = registry.load_folder("audit_core.protocols")
EACH = pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
PLACES = CorrectionPlaces(pages={"p1", "p2", "p3"}, listed=["p1", "p2"])
OK = {"naturalness": "ok", "ambiguity": "ok", "answerability": "ok", "evidence": "yes", "outcome": "keep"}
#: The smallest whole answer under each protocol, and what it names.
LEAST: dict[str, dict[str, Any]] = {
    "audit": {},
    "removal": {"fields": {"remove": False}},
    "relevance": {"fields": {"query": "good", "grades": {"p1": 0, "p2": 0}, "answered": "unanswerable"}},
    "query-review": {"fields": OK},
}
#: An answer under each protocol that says something in every part that can be said together.
FULL: dict[str, dict[str, Any]] = {
    "audit": {"codes": "FEUN", "targets": {"E": ["p1"]}},
    "removal": {"fields": {"remove": True, "clarity": 0.0, "correctness": 1.0, "closedness": 0.5, "no_layout_reference": 0.25}},
    "relevance": {
        "fields": {
            "query": "good",
            "pages": ["p3"],
            "grades": {"p1": 2, "p2": 0, "p3": 1},
            "types": {"p1": ["text", "table"], "p3": ["other"]},
            "boxes": [{"page_id": "p1", "box": [0.1, 0.2, 0.3, 0.4]}],
            "answered": "answer",
            "answer_text": "4.2 m",
        }
    },
    "query-review": {
        "fields": {
            "naturalness": "rewrite",
            "naturalness_reasons": ["stiff", "other"],
            "ambiguity": "ok",
            "answerability": "ok",
            "evidence": "no",
            "quality": 7,
            "outcome": "rewrite",
            "rewritten": "How deep is the north basin?",
        }
    },
}  # fmt: skip


def judged(said: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"outcome": "judged", **said, "note": "n", "active_ms": 1500, **more}


def places_of(protocol: ModuleType) -> Any:
    return {"p1", "p2"} if protocol.name == "audit" else PLACES


def parsed(protocol: ModuleType, said: dict[str, Any]) -> Any:
    return protocol.parse(judged(said), places=places_of(protocol))


def test_there_are_four_protocols_and_each_has_its_answers_here() -> None:
    assert set(PROTOCOLS) == set(LEAST) == set(FULL) == {"audit", "removal", "relevance", "query-review"}


@EACH
def test_a_protocol_describes_itself_to_the_surface(protocol: ModuleType) -> None:
    description = protocol.description()
    json.dumps(description, allow_nan=False)
    assert set(description) == {
        "name", "title", "codes", "fields", "marks_first", "note_max", "correction", "guidelines",
    }  # fmt: skip
    assert (description["name"], description["title"]) == (protocol.name, protocol.title)
    for each in description["codes"]:
        assert set(each) == {"code", "key", "short", "meaning", "colour"}
    names = [each["name"] for each in description["fields"]]
    assert len(set(names)) == len(names)
    options = [option for each in description["fields"] for option in each.get("options", [])]
    for each in [*description["codes"], *options]:
        assert each["colour"].startswith("#")
        assert len(each["colour"]) == 7
        assert each["short"]
        assert each["meaning"]


@EACH
def test_no_key_and_no_letter_means_two_things(protocol: ModuleType) -> None:
    description = protocol.description()
    options = [option for each in description["fields"] for option in each.get("options", [])]
    keys = [each["key"] for each in [*description["codes"], *options] if "key" in each]
    assert len(set(keys)) == len(keys)
    assert all(len(key) == 1 and key.islower() and key.isascii() for key in keys)
    letters = [each["code"] for each in description["codes"]] + [each["letter"] for each in options if "letter" in each]
    assert len(set(letters)) == len(letters)
    assert not {*keys, *(each.lower() for each in letters)} & {"c", "x"}, "C and X: correct, and cannot judge"
    for field in description["fields"]:
        digits = [option["digit"] for option in field.get("options", [])] or [str(n) for n in field.get("steps", [])]
        assert len(set(digits)) == len(digits) <= 10


@EACH
def test_a_condition_speaks_of_an_earlier_field_and_of_values_that_it_can_have(protocol: ModuleType) -> None:
    seen: dict[str, list[Any]] = {}
    for field in protocol.description()["fields"]:
        for condition in field.get("asked_if", []):
            assert set(condition["values"]) <= set(seen[condition["field"]])
        seen[field["name"]] = [option["value"] for option in field.get("options", [])]
        for name in field.get("proposed_from", {"fields": []})["fields"]:
            assert set(field["proposed_from"]["values"]) == set(seen[name])
            assert set(field["proposed_from"]["values"].values()) <= set(seen[field["name"]])


@EACH
def test_the_guidelines_speak_of_every_answer_with_a_clear_and_a_borderline_case(protocol: ModuleType) -> None:
    description = protocol.description()
    sections = description["guidelines"]["sections"]
    assert description["guidelines"]["introduction"]
    assert all(each[part] for each in sections for part in ("title", "means", "clear", "borderline"))
    said = {each["code"] for each in sections} | {each.get("field") for each in sections}
    wanted = {each["code"] for each in description["codes"]} | {
        option["letter"] for field in description["fields"] for option in field.get("options", []) if "letter" in option
    }
    assert wanted | {"X"} <= said
    assert {each.get("field") for each in sections} - {None} <= {each["name"] for each in description["fields"]}


@EACH
@pytest.mark.parametrize("answers", [LEAST, FULL], ids=["least", "full"])
def test_a_whole_answer_is_taken_and_comes_back_the_same_however_often_it_is_read(
    protocol: ModuleType, answers: dict[str, dict[str, Any]]
) -> None:
    said = answers[protocol.name]
    answer = parsed(protocol, said)
    assert (answer.outcome, answer.note, answer.active_ms) == (Outcome.JUDGED, "n", 1500)
    assert answer.fields == said.get("fields", {})
    kept = json.loads(json.dumps(answer.fields))
    assert protocol.parse(judged({**said, "fields": kept}), places=places_of(protocol)) == answer
    assert protocol.parse(judged(said), is_draft=True) == answer


@EACH
def test_an_empty_answer_is_no_judgment_and_may_be_a_draft(protocol: ModuleType) -> None:
    with pytest.raises(JudgmentInvalid):
        protocol.parse({})
    assert protocol.parse({}, is_draft=True).fields == {}


@EACH
def test_every_part_of_an_answer_may_wait_in_a_draft(protocol: ModuleType) -> None:
    fields = FULL[protocol.name].get("fields", {})
    for size in range(len(fields)):
        part = dict(list(fields.items())[:size])
        assert protocol.parse({"outcome": None, "fields": part}, is_draft=True).fields == part


@EACH
def test_cannot_judge_carries_a_reason_and_no_answer(protocol: ModuleType) -> None:
    answer = protocol.parse({"outcome": "cannot_judge", "reason": "white page"})
    assert (answer.outcome, answer.reason, answer.fields, answer.codes) == (Outcome.CANNOT_JUDGE, "white page", {}, ())
    with pytest.raises(JudgmentInvalid, match="cannot be judged"):
        protocol.parse({"outcome": "cannot_judge", **FULL[protocol.name]})


@EACH
def test_what_is_asked_and_required_is_missed_by_the_name_of_its_field(protocol: ModuleType) -> None:
    described, fields = protocol.description()["fields"], FULL[protocol.name].get("fields", {})
    for field in described:
        if not field.get("required") or field["name"] not in fields:
            continue
        gone = {field["name"]}
        for each in described:
            gone |= {each["name"] for c in each.get("asked_if", []) if c["field"] in gone}
        without = {name: value for name, value in fields.items() if name not in gone}
        with pytest.raises(JudgmentInvalid, match=rf"^{field['name']} is missing"):
            parsed(protocol, {"fields": without})


@EACH
def test_values_of_another_kind_are_refused_by_the_name_of_the_field_in_drafts_too(protocol: ModuleType) -> None:
    fields = FULL[protocol.name].get("fields", {})
    for name in fields:
        for strange in (12, "strange", [12], {"p1": "strange"}, True, float("nan")):
            if name in ("answer_text", "rewritten") and isinstance(strange, str):
                continue
            if name == "pages" and strange == ["p3"]:
                continue
            if name == "remove" and strange is True:
                continue
            for is_draft in (False, True):
                with pytest.raises(JudgmentInvalid, match=name):
                    protocol.parse(judged({"fields": {**fields, name: strange}}), is_draft=is_draft, places=PLACES)


@EACH
def test_no_field_takes_what_a_database_cannot_keep(protocol: ModuleType) -> None:
    fields = FULL[protocol.name].get("fields", {})
    for name, value in fields.items():
        for bad in ("a\x00", "\ud800"):
            spoilt: Any = bad
            if isinstance(value, dict):
                spoilt = {bad: next(iter(value.values()))}
            elif name == "pages":
                spoilt = [bad]
            elif name == "boxes":
                spoilt = [{**value[0], "page_id": bad}]
            with pytest.raises(JudgmentInvalid, match=name):
                protocol.parse(judged({"fields": {**fields, name: spoilt}}), is_draft=True)


@EACH
def test_an_unknown_field_is_refused(protocol: ModuleType) -> None:
    if protocol.name == "audit":
        assert protocol.parse(judged({"fields": {"beauty": 1}})).fields == {}
        return
    with pytest.raises(JudgmentInvalid, match="'beauty': use"):
        protocol.parse(judged({"fields": {**LEAST[protocol.name]["fields"], "beauty": 1}}))


@EACH
def test_codes_targets_and_corrections_belong_to_the_audit(protocol: ModuleType) -> None:
    assert protocol.parse_correction(None) is None
    if protocol.name == "audit":
        return
    for part in ({"codes": "F"}, {"targets": {"F": ["p1"]}}):
        with pytest.raises(JudgmentInvalid, match="belongs to the audit"):
            protocol.parse(judged({**LEAST[protocol.name], **part}))
    with pytest.raises(JudgmentInvalid, match="propose corrections in an audit"):
        protocol.parse_correction({"query": "x"})


@EACH
def test_agreement_is_declared_on_fields_and_values_that_the_protocol_has(protocol: ModuleType) -> None:
    fields = {each["name"]: each for each in protocol.description()["fields"]}
    names = [each.name for each in protocol.AGREEMENT]
    assert len(set(names)) == len(names) > 0
    for each in protocol.AGREEMENT:
        assert each.level in Level
        if each.field == "codes":
            continue
        field = fields[each.field]
        values = field.get("steps") or [option["value"] for option in field["options"]]
        assert (each.unit is Unit.PAGE) == field.get("per_page", False)
        assert (each.option is not None) == (field["kind"] == "choices")
        assert list(each.values) == ([False, True] if each.option is not None else list(values))
        assert each.option is None or each.option in values


@EACH
def test_what_is_compared_is_read_off_an_answer_and_of_cannot_judge_there_is_nothing(protocol: ModuleType) -> None:
    answer = parsed(protocol, FULL[protocol.name])
    found = {each.name: values_of(each, answer) for each in protocol.AGREEMENT}
    assert any(found.values())
    for each in protocol.AGREEMENT:
        assert set(found[each.name].values()) <= set(each.values)
    nothing = protocol.parse({"outcome": "cannot_judge"})
    assert not any(values_of(each, nothing) for each in protocol.AGREEMENT)
