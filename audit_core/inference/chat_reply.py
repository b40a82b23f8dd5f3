"""The body of a chat completion to one accepted object, or to the one reason why there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import InferenceError
from audit_core.inference.chat import Status
from audit_core.inference.json_in_text import Written, found_in

#: A validator of jsonschema, which comes without types.
Validator = Any

#: Words for the reason why a reply ends: the protocol's own, and those of servers that pass on their model's.
_ENDS = {
    "length": Status.TRUNCATED,
    "max_tokens": Status.TRUNCATED,
    "model_length": Status.TRUNCATED,
    "content_filter": Status.FILTERED,
    "safety": Status.FILTERED,
    "refusal": Status.REFUSED,
    "error": Status.HTTP_FAILURE,
}
_REASONING = ("reasoning_content", "reasoning", "thinking")
#: Rules of a schema that are about names; all others are about values.
_ABOUT_NAMES = {
    "required", "additionalProperties", "unevaluatedProperties", "propertyNames", "minProperties", "maxProperties",
    "dependentRequired",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply comes to: `value` is the object with `Status.ACCEPTED`, else None, and `says` tells why."""

    status: Status
    value: JsonObject | None
    says: str


def read_reply(body: Mapping[str, Any] | None, schema: Mapping[str, Any]) -> Reading:
    """Return what the JSON body of a chat completion answers; None or no completion is an HTTP failure.

    Accepted is exactly one object that keeps the schema, outside thinking, in prose or a fence or bare; the same object
    twice is one. Its text is never mended: `"0,75"` is not 0.75, and no number is looked for in prose. An object with
    one of the schema's names that does not keep it counts as an object too, so that beside an accepted one it makes two.
    What stands in a reasoning field or a call of a tool is no answer.

    Raises:
        InferenceError: the schema is none.
    """
    validator, names = _prepared(json.dumps(schema, sort_keys=True))
    choices = body.get("choices") if isinstance(body, Mapping) else None
    if not isinstance(choices, list):
        return _undecided(Status.HTTP_FAILURE, f"The server sent no chat completion{_complaint(body)}.")
    if not choices:
        return _undecided(Status.EMPTY, "The reply has no choices.")
    readings = [_choice(each, validator, names) for each in choices]
    failed = [each for each in readings if each.status != Status.ACCEPTED]
    if failed:
        return failed[0]
    if any(each.value != readings[0].value for each in readings):
        return _undecided(Status.TWO_OBJECTS, f"The reply has {len(readings)} choices that differ.")
    return readings[0]


def _choice(choice: object, validator: Validator, names: frozenset[str]) -> Reading:
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(choice, Mapping) or not isinstance(message, Mapping):
        return _undecided(Status.EMPTY, "The reply has no message.")
    refusal = _refusal(message)
    if refusal:
        return _undecided(Status.REFUSED, f"The model refused: {_line(refusal)}")
    reason = choice.get("finish_reason")
    status = _ENDS.get(reason.lower()) if isinstance(reason, str) else None
    if status == Status.TRUNCATED:
        return _undecided(status, "The reply is longer than the tokens that were allowed, and was cut off.")
    if status is not None:
        return _undecided(status, f"The reply ended with the reason {_line(str(reason))}{_complaint(choice)}.")
    content = message.get("content")
    text = content if isinstance(content, str) else _joined(content)
    if text is None:
        return _undecided(Status.MISMATCH, "The reply's content is no text.")
    return _text(text, message, validator, names)


def _text(text: str, message: Mapping[str, Any], validator: Validator, names: frozenset[str]) -> Reading:
    found = found_in(text, names)
    if found.is_blank:
        return _undecided(Status.EMPTY, _why_empty(text, message))
    if not found.written:
        wanted = ", ".join(sorted(names))
        return _undecided(Status.MISMATCH, f"The reply holds no JSON object with the names {_line(wanted)}.")
    if len(found.written) > 1:
        return _undecided(Status.TWO_OBJECTS, f"The reply holds {len(found.written)} different objects.")
    return _object(found.written[0], validator)


def _object(written: Written, validator: Validator) -> Reading:
    if written.fault is not None:
        status = Status.OFF_SCALE if written.is_off_scale else Status.MISMATCH
        return _undecided(status, f"The reply's object cannot be taken: {written.fault}.")
    if not isinstance(written.value, dict):
        return _undecided(Status.MISMATCH, "The reply holds a list instead of one object.")
    errors = sorted(validator.iter_errors(written.value), key=lambda error: [str(part) for part in error.path])
    about_names = [error for error in errors if error.validator in _ABOUT_NAMES]
    if about_names:
        return _undecided(Status.MISMATCH, f"The reply's object has other names: {_line(about_names[0].message)}.")
    if errors:
        return _undecided(Status.OFF_SCALE, _off_scale(errors[0]))
    return Reading(Status.ACCEPTED, written.value, "")


def _off_scale(error: Any) -> str:
    place = ".".join(str(part) for part in error.absolute_path)
    value = json.dumps(error.instance)
    value = value if len(value) <= 80 else value[:80] + "…"
    rule = error.validator_value
    rules = {
        "enum": lambda: f"which is none of {', '.join(json.dumps(each) for each in rule)}",
        "type": lambda: f"which is not of the kind {rule if isinstance(rule, str) else ' or '.join(rule)}",
        "minimum": lambda: f"which is less than {rule}",
        "maximum": lambda: f"which is more than {rule}",
    }
    says = rules.get(str(error.validator), lambda: f"which breaks the schema's {error.validator}")()
    return f"The value of {_line(place)} is {value}, {_line(says)}."


def _why_empty(text: str, message: Mapping[str, Any]) -> str:
    if text.strip():
        return "The reply holds nothing but thinking."
    if any(message.get(each) for each in _REASONING):
        return "The reply is empty; what stands in its reasoning is no answer."
    if message.get("tool_calls") or message.get("function_call"):
        return "The reply is empty: the model called a tool instead of answering."
    return "The reply is empty."


def _refusal(message: Mapping[str, Any]) -> str | None:
    refusal = message.get("refusal")
    content = message.get("content")
    if not refusal and isinstance(content, list):
        refusals = [part.get("refusal") for part in content if isinstance(part, Mapping)]
        refusal = next((each for each in refusals if each), None)
    return str(refusal) if refusal else None


def _joined(content: object) -> str | None:
    """Return the text parts of a content, "" for none, and None where it is neither nothing nor a list of parts.

    Each part begins a new line, so that no two digits are put together that stood apart.
    """
    if content is None:
        return ""
    if not isinstance(content, list) or not all(isinstance(part, Mapping) for part in content):
        return None
    texts = [part.get("text") for part in content if part.get("type") in ("text", "output_text")]
    return "\n".join(text for text in texts if isinstance(text, str))


def _complaint(body: object) -> str:
    """Return what a body says of an error, as a continuation of a sentence."""
    error = body.get("error") if isinstance(body, Mapping) else None
    says = error.get("message") if isinstance(error, Mapping) else error
    return f": {_line(str(says)).rstrip('.')}" if says else ""


def _line(text: str) -> str:
    """Return a text of the server on one line, cut to 300 characters, in characters that can be stored."""
    line = " ".join(text[:2000].split())
    return (line if len(line) <= 300 else line[:300] + "…").encode("utf-8", "replace").decode()


def _undecided(status: Status, says: str) -> Reading:
    return Reading(status, None, says)


@lru_cache(maxsize=64)
def _prepared(schema_text: str) -> tuple[Validator, frozenset[str]]:
    """Return a schema's validator and all names of properties in it."""
    import jsonschema

    schema = json.loads(schema_text)
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise InferenceError(f"The schema of the answers is no JSON schema: {error.message}.") from None
    return jsonschema.Draft202012Validator(schema), frozenset(_names(schema))


def _names(schema: object) -> Iterator[str]:
    if isinstance(schema, dict):
        properties = schema.get("properties")
        if isinstance(properties, dict):
            yield from properties
        for each in schema.values():
            yield from _names(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from _names(each)
