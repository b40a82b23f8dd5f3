"""What a reply of a chat model comes to: one accepted object, or one reason why there is none."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import InferenceError
from audit_core.inference.chat import Status
from audit_core.inference.chat_reply import Reading, read_reply
from audit_core.inference.json_in_text import DEEPEST, attempts

QUARTERS = [0, 0.25, 0.5, 0.75, 1]
SCHEMA = {
    "type": "object",
    "properties": {"clarity": {"enum": QUARTERS}, "closedness": {"enum": QUARTERS}, "reason": {"type": "string"}},
    "required": ["clarity", "closedness"],
    "additionalProperties": False,
}
CHECK = {
    "type": "object",
    "properties": {
        "valid": {"type": "boolean"},
        "failure_modes": {"type": "array", "items": {"enum": ["pronoun", "layout"]}},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "count": {"type": "integer"},
    },
    "required": ["valid", "confidence"],
    "additionalProperties": False,
}
GOOD = '{"clarity": 0.75, "closedness": 1}'
OTHER = '{"clarity": 0.25, "closedness": 1}'
VALUE = {"clarity": 0.75, "closedness": 1}


def body(content: Any, *, finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    """The body of a chat completion."""
    inner = {"role": "assistant", "content": content} | message
    return {"object": "chat.completion", "choices": [{"index": 0, "message": inner, "finish_reason": finish}]}


def read(content: Any, schema: dict[str, Any] = SCHEMA, **members: Any) -> Reading:
    """The reading of a content; it carries a value when it is accepted, and a reason when it is not."""
    reading = read_reply(body(content, **members), schema)
    assert (reading.value is not None) == (reading.status == Status.ACCEPTED) == (reading.says == "")
    reading.says.encode()
    return reading


def rated(clarity: str, rest: str = "") -> str:
    """A rating with this text as the value of clarity."""
    return f'{{"clarity": {clarity}, "closedness": 1{rest}}}'


ACCEPTED = {
    "bare": GOOD,
    "with space around": f"\n\n  {GOOD}\n",
    "over several lines": json.dumps(VALUE, indent=2),
    "fenced": f"```json\n{GOOD}\n```",
    "fenced without a language": f"```\n{GOOD}\n```",
    "in prose": f"Of course! Here is my rating: {GOOD} I hope that helps.",
    "fenced in prose": f"Sure:\n```json\n{GOOD}\n```\nAnything else?",
    "after thinking": f"<think>Perhaps {OTHER}? No.</think>\n{GOOD}",
    "after thinking in capitals": f"<THINKING>{OTHER}</Thinking>{GOOD}",
    "after reasoning": f"<reasoning>{OTHER}</reasoning>{GOOD}",
    "after a tag with an attribute": f'<thinking type="long">{OTHER}</thinking>{GOOD}',
    "after thinking in brackets": f"[THINK]{OTHER}[/THINK]{GOOD}",
    "after thinking whose beginning is in the prompt": f"Perhaps {OTHER}? No.</think>{GOOD}",
    "after thinking that speaks of thinking": f"<think>A <think> tag? {OTHER} </think> or {OTHER} </think>{GOOD}",
    "after two blocks of thinking": f"<think>{OTHER}</think>\n<think>{OTHER}</think>\n{GOOD}",
    "before thinking that ends": f"{GOOD}<think>was that right? {OTHER}</think>",
    "in the final channel": (
        f"<|channel|>analysis<|message|>{OTHER}<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}<|return|>"
    ),
    "in the final channel, analysis cut short": f"<|channel|>analysis<|message|>{OTHER}<|channel|>final<|message|>{GOOD}",
    "identical twice": f"{GOOD} As I said: {GOOD}",
    "identical but for order and spelling": f'{GOOD} {{"closedness":1.0,"clarity":0.750}}',
    "beside empty braces": f"{{}} {GOOD}",
    "beside an unrelated object": f'{{"query": "who?"}} {GOOD}',
    "beside a list": f"[1, 2, 3] {GOOD} [see above]",
    "beside braces in prose": f"The set {{a, b}} is {{fine}}; }} {{ {GOOD} {{",
    "after a link in brackets": f"[1]: see [the page](http://127.0.0.1/) {GOOD}",
    "after a byte order mark": "\ufeff" + GOOD,
    "with an escaped name": GOOD.replace("clarity", "cl\\u0061rity"),
}


@pytest.mark.parametrize("content", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_one_object_that_keeps_the_schema_is_accepted_wherever_it_stands(content: str) -> None:
    assert read(content) == Reading(Status.ACCEPTED, VALUE, "")


@pytest.mark.parametrize(
    ("written", "number"),
    [("1", 1), ("1.0", 1), ("1e0", 1), ("10E-1", 1), ("0.50", 0.5), ("5e-1", 0.5), ("0", 0), ("0.0", 0), ("-0", 0)],
)
def test_a_number_on_the_scale_is_accepted_however_it_is_spelt(written: str, number: float) -> None:
    reading = read(rated(written))
    assert reading.status == Status.ACCEPTED
    assert reading.value is not None
    assert reading.value["clarity"] == number


REASONS = {
    "a tag of thinking": "the query says <think> and never </think>",
    "braces": 'the set {"clarity": 0} is nested {{{',
    "a fence": "```json {} ```",
    "marks": "<|channel|>analysis<|message|>",
    "quotation marks and a backslash": 'it says "why" and \\',
    "a character beyond the first plane": "\U0001f30a",
    "a line break": "first\nsecond",
    "a null": "\0",
}


@pytest.mark.parametrize("reason", REASONS.values(), ids=REASONS.keys())
def test_what_stands_inside_a_text_of_the_object_is_left_as_it_is(reason: str) -> None:
    for ascii_only in (True, False):
        text = json.dumps(VALUE | {"reason": reason}, ensure_ascii=ascii_only)
        assert read(f"<think>{OTHER}</think> {text} .").value == VALUE | {"reason": reason}


OFF_SCALE = {
    "0.8": rated("0.8"),
    "5": rated("5"),
    "-1": rated("-1"),
    "a text with a decimal comma": rated('"0,75"'),
    "a decimal comma": rated("0,75"),
    "a text with a number on the scale": rated('"0.75"'),
    "true": rated("true"),
    "false": rated("false"),
    "null": rated("null"),
    "NaN": rated("NaN"),
    "Infinity": rated("Infinity"),
    "-Infinity": rated("-Infinity"),
    "1e400": rated("1e400"),
    "400 digits": rated("9" * 400),
    "5000 digits": rated("9" * 5000),
    "an exponent beyond all": rated("1e" + "9" * 50),
    "an exponent below all": rated("1e-" + "9" * 50),
    "a hair above 0.75": rated("0.750000000000000000000001"),
    "a hair above 0": rated("1e-400"),
    "a fraction": rated("3/4"),
    "percent": rated("75%"),
    "a leading point": rated(".75"),
    "a leading plus": rated("+1"),
    "a leading zero": rated("00.75"),
    "a trailing point": rated("1."),
    "a word": rated("high"),
    "a word of Python": rated("True"),
    "a list": rated("[0.75]"),
    "an object": rated('{"value": 0.75}'),
    "a duplicate name": rated("0.75", ', "clarity": 0.25'),
    "a duplicate name with the same value": rated("0.75", ', "clarity": 0.75'),
    "a duplicate name in an escape": rated("0.75", ', "cl\\u0061rity": 0.75'),
    "a nested duplicate name": rated('{"a": 1, "a": 1}'),
    "a reason that is no text": rated("1", ', "reason": 5'),
    "off the scale twice": rated("0.8") * 2,
    "a number that is too large for its decoder": rated("1", ', "reason": ' + "1" * 100_000),
}


@pytest.mark.parametrize("content", OFF_SCALE.values(), ids=OFF_SCALE.keys())
def test_a_value_that_is_not_on_the_scale_is_never_rounded_read_or_repaired(content: str) -> None:
    assert read(content).status == Status.OFF_SCALE


def test_what_is_off_the_scale_is_told_with_its_name_its_value_and_the_rule() -> None:
    assert read(rated("0.8")).says == "The value of clarity is 0.8, which is none of 0, 0.25, 0.5, 0.75, 1."
    assert read(rated("true")).says == "The value of clarity is true, which is none of 0, 0.25, 0.5, 0.75, 1."
    assert read(rated("NaN")).says == "The reply's object cannot be taken: NaN is no number of JSON."
    assert 'the name "clarity" occurs twice' in read(rated("1", ', "clarity": 1')).says
    assert read('{"valid": true, "confidence": 2}', CHECK).says == "The value of confidence is 2, which is more than 1."
    assert (
        read('{"valid": 1, "confidence": 1}', CHECK).says
        == "The value of valid is 1, which is not of the kind boolean."
    )


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ('{"valid": true, "confidence": 0.875, "failure_modes": ["pronoun"]}', Status.ACCEPTED),
        ('{"valid": true, "confidence": 0.33333333333333333333333333}', Status.ACCEPTED),
        ('{"valid": false, "confidence": 1, "count": 3.0}', Status.ACCEPTED),
        ('{"valid": false, "confidence": true}', Status.OFF_SCALE),
        ('{"valid": "true", "confidence": 1}', Status.OFF_SCALE),
        ('{"valid": 0, "confidence": 1}', Status.OFF_SCALE),
        ('{"valid": true, "confidence": 1.01}', Status.OFF_SCALE),
        ('{"valid": true, "confidence": 1, "count": 2.5}', Status.OFF_SCALE),
        ('{"valid": true, "confidence": 1, "count": true}', Status.OFF_SCALE),
        ('{"valid": true, "confidence": 1, "failure_modes": ["other"]}', Status.OFF_SCALE),
        ('{"valid": true}', Status.MISMATCH),
    ],
)
def test_booleans_ranges_lists_and_whole_numbers_keep_their_kind(content: str, status: Status) -> None:
    assert read(content, CHECK).status == status


MISMATCH = {
    "prose": "The query is clear.",
    "a bare number": "0.75",
    "a number in prose": "I would say clarity: 0.75 and closedness: 1.",
    "a text of JSON": json.dumps(GOOD),
    "names of Python": str(VALUE),
    "names without quotation marks": "{clarity: 0.75, closedness: 1}",
    "empty braces": "{}",
    "an unrelated object": '{"query": "who?"}',
    "an empty list": "[]",
    "a name missing": '{"clarity": 1}',
    "a name too many": rated("1", ', "note": "x"'),
    "names in capitals": GOOD.replace("clarity", "Clarity"),
    "in a list": f"[{GOOD}]",
    "in another object": f'{{"rating": {GOOD}}}',
    "in a broken object": f'{{"rating": {GOOD}, oops',
    "broken off": GOOD[:-1],
    "broken off in a name": GOOD[:-10],
    "a comma too many": rated("1", ","),
    "a comma missing": '{"clarity": 1 "closedness": 1}',
    "comments": '{"clarity": 1, // good\n "closedness": 1}',
    "a raw line break in a text": rated("1", ', "reason": "a\nb"'),
    "a wrong escape": rated("1", ', "reason": "a\\x"'),
    "half a character in an escape": rated("1", ', "reason": "\\ud800"'),
    "half a character": rated("1", ', "reason": "\ud800"'),
    "half a character as a name": rated("1", ', "\\udfff": 1'),
    "nested too deep": rated("1", ', "reason": ' + "[" * DEEPEST + "]" * DEEPEST),
    "typed quotation marks": GOOD.replace('"', "“"),
    "half a final channel": "<|channel|>final<|message|>fine",
}


@pytest.mark.parametrize("content", MISMATCH.values(), ids=MISMATCH.keys())
def test_a_text_without_one_whole_object_of_these_names_is_a_mismatch(content: str) -> None:
    assert read(content).status == Status.MISMATCH


TWO_OBJECTS = {
    "two that keep the schema": f"{GOOD} or {OTHER}",
    "fenced": f"```json\n{GOOD}\n```\n```json\n{OTHER}\n```",
    "one is off the scale": f"{rated('0.8')} rounded: {GOOD}",
    "one has a decimal comma": f"{rated('0,75')} that is {GOOD}",
    "one lacks a name": f'{{"clarity": 1}} {GOOD}',
    "one is in a list": f"{GOOD} [{OTHER}]",
    "one is in another": f'{GOOD} {{"rating": {OTHER}}}',
    "one breaks off": f'{GOOD} {{"clarity": 0.5, "clo',
    "one has a name twice": rated("1", ', "clarity": 1') + GOOD,
    "one may be thinking": f'{{"a": "</think>\n {GOOD}',
    "1 and true": f"{rated('1')} {rated('true')}",
    "three": f"{GOOD} {OTHER} {GOOD}",
}


@pytest.mark.parametrize("content", TWO_OBJECTS.values(), ids=TWO_OBJECTS.keys())
def test_of_two_different_objects_none_is_chosen(content: str) -> None:
    assert read(content).status == Status.TWO_OBJECTS


EMPTY: dict[str, Any] = {
    "nothing": "",
    "space": " \n\t",
    "null": None,
    "no parts": [],
    "thinking alone": f"<think>{GOOD}</think>",
    "thinking that does not end": f"<think>I am not sure. {GOOD}",
    "thinking whose end has another name": f"<think>{GOOD}</thinking>{GOOD}",
    "thinking whose beginning is in the prompt": f"{GOOD}</think>\n",
    "the analysis channel alone": f"<|channel|>analysis<|message|>{GOOD}<|end|>",
    "a final channel with nothing in it": f"<|channel|>analysis<|message|>{GOOD}<|channel|>final<|message|><|return|>",
}


@pytest.mark.parametrize("content", EMPTY.values(), ids=EMPTY.keys())
def test_a_reply_of_nothing_but_thinking_is_empty(content: Any) -> None:
    assert read(content).status == Status.EMPTY


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
@pytest.mark.parametrize("content", [None, "", []])
def test_json_in_the_reasoning_field_is_no_answer(field: str, content: Any) -> None:
    reading = read(content, **{field: GOOD})
    assert reading == Reading(Status.EMPTY, None, "The reply is empty; what stands in its reasoning is no answer.")
    assert read(GOOD, **{field: OTHER}).value == VALUE, "beside an answer, reasoning is not looked at"


def test_a_called_tool_is_no_answer() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "rate", "arguments": GOOD}}
    reading = read(None, finish="tool_calls", tool_calls=[call])
    assert reading.status == Status.EMPTY
    assert "called a tool" in reading.says


def test_parts_of_text_are_read_as_lines_and_parts_of_thinking_are_not() -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": OTHER}]}
    assert read([thinking, {"type": "text", "text": "Here:"}, {"type": "text", "text": GOOD}]).value == VALUE
    assert read([{"type": "output_text", "text": GOOD[:16]}, {"type": "text", "text": GOOD[16:]}]).value == VALUE
    digits = [{"type": "text", "text": '{"clarity": 0'}, thinking, {"type": "text", "text": '.75, "closedness": 1}'}]
    assert read(digits).status == Status.MISMATCH, "no number is put together from two parts"
    assert read([thinking]).status == Status.EMPTY
    assert read([{"type": "refusal", "refusal": "No."}, {"type": "text", "text": GOOD}]).status == Status.REFUSED


@pytest.mark.parametrize("content", [5, {"clarity": 1, "closedness": 1}, ["text"], True])
def test_a_content_that_is_no_text_is_a_mismatch(content: Any) -> None:
    assert read(content).status == Status.MISMATCH


@pytest.mark.parametrize(
    ("finish", "status"),
    [
        ("length", Status.TRUNCATED), ("max_tokens", Status.TRUNCATED), ("model_length", Status.TRUNCATED),
        ("content_filter", Status.FILTERED), ("SAFETY", Status.FILTERED), ("refusal", Status.REFUSED),
        ("error", Status.HTTP_FAILURE), ("stop", Status.ACCEPTED), (None, Status.ACCEPTED), ("eos", Status.ACCEPTED),
    ],
)  # fmt: skip
def test_how_a_reply_ends_goes_before_what_it_holds(finish: str | None, status: Status) -> None:
    assert read(GOOD, finish=finish).status == status
    empty = read(None, finish=finish)
    assert empty.status == (Status.EMPTY if status == Status.ACCEPTED else status)


def test_a_refusal_is_told_in_the_words_of_the_model() -> None:
    reading = read(None, refusal="I cannot\nrate this \ud800.")
    assert reading == Reading(Status.REFUSED, None, "The model refused: I cannot rate this ?.")
    assert read(GOOD, refusal="", finish="length").status == Status.TRUNCATED


@pytest.mark.parametrize("found", [None, {}, [], "text", {"choices": None}, {"choices": {}}, {"object": "list"}])
def test_a_body_that_is_no_completion_is_a_failure_of_the_server_and_no_answer(found: Any) -> None:
    assert read_reply(found, SCHEMA).status == Status.HTTP_FAILURE


def test_a_server_that_puts_its_error_into_a_good_reply_is_quoted() -> None:
    reading = read_reply({"error": {"message": "overloaded.", "code": 502}}, SCHEMA)
    assert reading == Reading(Status.HTTP_FAILURE, None, "The server sent no chat completion: overloaded.")


@pytest.mark.parametrize("choices", [[], [None], [{}], [{"message": None}], [{"message": "text"}], ["text"]])
def test_a_reply_without_a_message_is_empty(choices: list[Any]) -> None:
    assert read_reply({"choices": choices}, SCHEMA).status == Status.EMPTY


def test_several_choices_are_taken_only_when_they_agree() -> None:
    def several(*contents: str) -> Status:
        return read_reply({"choices": [each for one in contents for each in body(one)["choices"]]}, SCHEMA).status

    assert several(GOOD, f"```{GOOD}```") == Status.ACCEPTED
    assert several(GOOD, OTHER) == Status.TWO_OBJECTS
    assert several(GOOD, "") == Status.EMPTY


def test_a_schema_that_is_none_is_told() -> None:
    with pytest.raises(InferenceError, match="The schema of the answers is no JSON schema: 'objekt' is not valid"):
        read_reply(body(GOOD), {"type": "objekt"})


def test_an_object_of_a_schema_without_names_is_any_object() -> None:
    assert read('so: {"a": 1}', {"type": "object"}).value == {"a": 1}
    assert read('{"a": 1} {"a": 2}', {"type": "object"}).status == Status.TWO_OBJECTS


#: A million characters of what could make a reader start over at every place, or go as deep as it is nested.
HUGE = {
    "braces": "{" * 1_000_000,
    "brackets": "[" * 1_000_000,
    "braces and quotation marks": '{"' * 500_000,
    "nested objects": '{"clarity":' * 90_000,
    "nested lists": '{"clarity":' + "[" * 1_000_000,
    "nested and whole": '{"clarity":' * 80_000 + "1" + "}" * 80_000,
    "broken objects": '{"clarity" ' * 90_000,
    "open texts": '{"\\"' * 250_000,
    "spaces": "{ " * 500_000,
    "much space": '{"clarity":' + " " * 1_000_000,
    "one long text": '{"reason": "' + "x" * 1_000_000,
    "backslashes": '{"reason": "' + "\\" * 1_000_001,
    "digits": '{"clarity": ' + "1" * 1_000_000,
    "tags": "<think>" * 140_000,
    "closing tags": "</think>" * 125_000,
    "pairs of tags": "<think></think>" * 66_000,
    "half tags": "<think " * 140_000,
    "channels": "<|channel|>analysis" * 52_000,
    "names twice": '{"clarity": 1' + ', "clarity": 1' * 70_000 + "}",
    "many names": "{" + ", ".join(f'"n{number}": 1' for number in range(60_000)) + ', "clarity": 1}',
}


@pytest.mark.parametrize("content", HUGE.values(), ids=HUGE.keys())
def test_a_huge_reply_is_read_once_from_left_to_right_and_is_no_answer(content: str) -> None:
    # Every regular expression of the reader is possessive or bounded, so what it costs is what the attempts cover:
    # where they do not overlap, the cost is linear.
    end = 0
    for attempt in attempts(content, SCHEMA["properties"]):  # type: ignore[arg-type]
        assert end <= attempt.start < attempt.end
        end = attempt.end
    assert end <= len(content)
    assert read(content).status in {Status.MISMATCH, Status.OFF_SCALE, Status.EMPTY}


def test_an_answer_behind_a_huge_text_is_found() -> None:
    assert read("{" * 300_000 + GOOD).value == VALUE
    assert read(f"<think>{'{' * 300_000}</think>{GOOD}").value == VALUE


PIECES = [
    GOOD, OTHER, rated("0.8"), rated("0,75"), rated("NaN"), rated("true"), rated("1", ', "clarity": 1'), GOOD[:-1],
    GOOD[:17], '{"clarity": 1}', "{}", "[", "]", "{", "}", '"', "\\", ",", ":", "0.75", "<think>", "</think>", "```json\n",
    "\n```", " so ", f"[{GOOD}]", json.dumps(GOOD), json.dumps(VALUE | {"reason": GOOD}), "\ufeff", "\n",
    "<|channel|>analysis<|message|>", "<|channel|>final<|message|>", "<|end|>", '"reason": "', "\ud800", "nullNaN",
]  # fmt: skip


def made_up(chance: random.Random) -> str:
    """A text of up to eight pieces, in which up to three characters are lost, doubled or exchanged."""
    text = "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 8)))
    for _ in range(chance.choice([0, 0, 0, 1, 2, 3])):
        place = chance.randrange(len(text) + 1)
        text = (
            text[:place]
            + chance.choice(["", text[place : place + 1] * 2, chance.choice('{}[]",:0.\\')])
            + text[place + 1 :]
        )
    return text


def keeping(text: str) -> list[Any]:
    """Every object that begins anywhere in a text and keeps the schema, by a decoder that starts over at each brace."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("twice")
        return dict(pairs)

    decoder = json.JSONDecoder(object_pairs_hook=once)
    found = []
    for place, char in enumerate(text):
        if char == "{":
            try:
                value = decoder.raw_decode(text, place)[0]
            except ValueError:
                continue
            numbers = [value.get("clarity"), value.get("closedness")]
            on_scale = all(type(number) in (int, float) and number in QUARTERS for number in numbers)
            if on_scale and set(value) <= set(SCHEMA["properties"]) and isinstance(value.get("reason", ""), str):  # type: ignore[arg-type]
                found.append(value)
    return found


def test_no_text_without_an_object_that_keeps_the_schema_is_ever_accepted() -> None:
    chance = random.Random(20_231)
    seen: dict[Status, int] = {}
    for _ in range(20_000):
        text = made_up(chance)
        reading = read(text)
        seen[reading.status] = seen.get(reading.status, 0) + 1
        found = keeping(text)
        if reading.status == Status.ACCEPTED:
            assert reading.value in found, text
        elif "<" not in text and len(found) == 1 and text.strip() == json.dumps(found[0]):
            raise AssertionError(f"a bare answer was not accepted: {text}")
    kinds = {Status.ACCEPTED, Status.OFF_SCALE, Status.MISMATCH, Status.EMPTY, Status.TWO_OBJECTS}
    assert set(seen) == kinds
    assert min(seen.values()) > 200, "the texts are of all kinds"


def test_the_page_on_language_models_explains_every_status() -> None:
    page = (Path(__file__).parents[2] / "docs" / "llm.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z ]+)` \| (?:holds|was|is|has|never)", page, flags=re.MULTILINE) == list(Status)
