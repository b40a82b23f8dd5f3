"""What the chat server can answer: rightly by the request's schema, or wrong in every way that real servers are."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.inference.chat_server import Handler

Request = dict[str, Any]
Answer = Callable[["Handler", Request], None]

PROSE = "The sea was calm that evening, and the boats came home."
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


def said(request: Request) -> str:
    """Return what the user says in a request: the texts of the user's messages, without images."""
    texts: list[str] = []
    for message in request["messages"]:
        if message["role"] == "user":
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            texts.extend(part["text"] for part in parts if part["type"] == "text")
    return "\n".join(texts)


def images_of(request: Request) -> list[str]:
    """Return the addresses (data URLs) of the images that a request carries, in order."""
    contents = [message["content"] for message in request["messages"] if not isinstance(message["content"], str)]
    return [part["image_url"]["url"] for parts in contents for part in parts if part["type"] == "image_url"]


def schema_of(request: Request) -> dict[str, Any] | None:
    """Return the JSON schema that a request asks for, None where it asks for none."""
    wanted = request.get("response_format") or {}
    return (wanted.get("json_schema") or {}).get("schema")


def example(schema: Mapping[str, Any], seed: str = "", root: Mapping[str, Any] | None = None) -> Any:
    """Return a value that keeps a schema of plain kinds; which of several depends on `seed` alone."""
    root = schema if root is None else root
    number = int.from_bytes(hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()[:4], "big")
    if "$ref" in schema:
        place: Any = root
        for name in schema["$ref"].removeprefix("#/").split("/"):
            place = place[name]
        return example(place, seed, root)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][number % len(schema["enum"])]
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return example(schema[several][0], seed, root)
    kind = schema.get("type", "object")
    kind = kind if isinstance(kind, str) else kind[0]
    if kind == "object":
        properties = schema.get("properties", {})
        return {name: example(each, f"{seed}/{name}", root) for name, each in properties.items()}
    if kind == "array":
        return [example(schema["items"], f"{seed}/{k}", root) for k in range(max(1, schema.get("minItems", 1)))]
    if kind in ("number", "integer"):
        low, high = schema.get("minimum", 0), schema.get("maximum", schema.get("minimum", 0) + 1)
        return (low, high)[number % 2]
    return {"boolean": number % 2 == 0, "null": None}.get(kind, "because " + "x" * schema.get("minLength", 0))


def completion(
    request: Request, content: Any, *, finish: str = "stop", usage: bool = True, **message: Any
) -> dict[str, Any]:
    """Return the body of a chat completion with one choice; `message` are further members of its message."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content} | message, "finish_reason": finish}
    body = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": request["model"], "choices": [choice],
    }  # fmt: skip
    if usage:
        prompt = len(json.dumps(request["messages"])) // 4 if not images_of(request) else len(said(request)) // 4
        spent = len(str(content)) // 4 + 1
        body["usage"] = {"prompt_tokens": prompt, "completion_tokens": spent, "total_tokens": prompt + spent}
    return body


def right(handler: Handler, request: Request) -> None:
    """Answer with an object that keeps the request's schema (see `example`); with prose where there is none."""
    schema = schema_of(request)
    handler.send(200, completion(request, PROSE if schema is None else json.dumps(example(schema, said(request)))))


as_schema = right


def saying(content: Any, *, finish: str = "stop", usage: bool = True, **message: Any) -> Answer:
    """Answer 200 with this content (a text, a list of parts or None); `message` as in `completion`."""
    return lambda handler, request: handler.send(
        200, completion(request, content, finish=finish, usage=usage, **message)
    )


def rating(**values: Any) -> Answer:
    """Answer with one object of these members."""
    return saying(json.dumps(values))


def by_text(chosen: Mapping[str, Answer], otherwise: Answer = right) -> Answer:
    """Answer by what the user says: the first text of `chosen` that occurs there names the answer."""

    def answer(handler: Handler, request: Request) -> None:
        text = said(request)
        next((each for part, each in chosen.items() if part in text), otherwise)(handler, request)

    return answer


def knowing(truth: Mapping[str, Any]) -> Answer:
    """Answer with what `truth` says of the query in the prompt, and as `right` where it knows nothing of it.

    Of an object as many members are answered as the schema names; a text is answered as it is.
    """

    def answer(handler: Handler, request: Request) -> None:
        known = _known(truth, said(request))
        schema = schema_of(request)
        if isinstance(known, str):
            return saying(known)(handler, request)
        names = list((schema or {}).get("properties", known or ()))
        if known is None or any(name not in known for name in names):
            return right(handler, request)
        return saying(json.dumps({name: known[name] for name in names}))(handler, request)

    return answer


def _known(truth: Mapping[str, Any], text: str) -> Any:
    """Return what is known of the longest text of `truth` that stands in a prompt, best as a JSON string of its own."""
    quoted: list[str] = []
    for match in _QUOTED.finditer(text):
        try:
            quoted.append(json.loads(match.group()))
        except ValueError:
            continue
    found = [each for each in quoted if each in truth]
    # A quotation mark in the prompt's own words can put the pairs out of step.
    found = found or [each for each in truth if each in text or json.dumps(each)[1:-1] in text]
    return truth[max(found, key=len)] if found else None


def status(code: int, message: str = "no", *, kind: str | None = None, **headers: str) -> Answer:
    """Answer with an error; `Retry_After="7"` is sent as the header Retry-After."""
    return lambda handler, _: handler.send(code, {"error": {"message": message, "code": kind}}, **headers)


def truncated(handler: Handler, request: Request) -> None:
    """Break off in the middle of the right object, as a server does at max_tokens."""
    text = json.dumps(example(schema_of(request) or {"enum": [{"a": 1}]}, said(request)))
    handler.send(200, completion(request, text[: len(text) // 2], finish="length"))


refused = saying(None, refusal="I cannot help with that.")
filtered = saying("", finish="content_filter")
empty = saying("")


def null_with_reasoning(handler: Handler, request: Request) -> None:
    """Answer with null content and the right object in the field of the reasoning."""
    text = json.dumps(example(schema_of(request) or {"enum": [{"a": 1}]}, said(request)))
    handler.send(200, completion(request, None, reasoning_content=text))


def no_usage(handler: Handler, request: Request) -> None:
    """Answer rightly, and say nothing about tokens."""
    schema = schema_of(request)
    content = PROSE if schema is None else json.dumps(example(schema, said(request)))
    handler.send(200, completion(request, content, usage=False))


def ignores_schema(handler: Handler, request: Request) -> None:
    """Be a server that does not know `response_format`: JSON (in prose and a fence) only where the prompt says JSON."""
    schema = schema_of(request)
    texts = json.dumps([message["content"] for message in request["messages"]])
    if schema is None or "JSON" not in texts:
        return handler.send(200, completion(request, PROSE))
    text = json.dumps(example(schema, said(request)), indent=1)
    return handler.send(200, completion(request, f"Here it is:\n```json\n{text}\n```\nAnything else?"))


def refuses_response_format(otherwise: Answer) -> Answer:
    """Answer 400 to every request with `response_format`, and `otherwise` to the rest."""
    no = status(400, "response_format is not supported")
    return lambda handler, request: (no if "response_format" in request else otherwise)(handler, request)


def slow(seconds: float, then: Answer = right) -> Answer:
    """Answer after so many seconds; at once when the server is shut down."""

    def answer(handler: Handler, request: Request) -> None:
        handler.server.closing.wait(seconds)
        then(handler, request)

    return answer


def until(event: threading.Event, then: Answer = right) -> Answer:
    """Answer only when `event` is set, or the server is shut down."""

    def answer(handler: Handler, request: Request) -> None:
        while not event.wait(0.02) and not handler.server.closing.is_set():
            pass
        then(handler, request)

    return answer


def every(step: int, answer: Answer, otherwise: Answer = right) -> Answer:
    """Answer every `step`-th request with `answer`, the rest with `otherwise`."""
    guard = threading.Lock()
    count = 0

    def chosen(handler: Handler, request: Request) -> None:
        nonlocal count
        with guard:
            count += 1
            turn = count % step == 0
        (answer if turn else otherwise)(handler, request)

    return chosen


def every_third(answer: Answer, otherwise: Answer = right) -> Answer:
    """Answer the 3rd, 6th ... request with `answer`: `every_third(slow(60))` for time-outs."""
    return every(3, answer, otherwise)


def cut_off(handler: Handler, request: Request) -> None:
    """Promise the whole reply, send half of it, and hang up."""
    _half(handler, request)
    handler.close_connection = True


def stalling(seconds: float) -> Answer:
    """Send half of the right reply at once and the rest after so many seconds."""

    def answer(handler: Handler, request: Request) -> None:
        rest = _half(handler, request)
        handler.server.closing.wait(seconds)
        handler.wfile.write(rest)

    return answer


def _half(handler: Handler, request: Request) -> bytes:
    """Send the head of the right reply and half of its body; return the other half."""
    schema = schema_of(request) or {"enum": [{"a": 1}]}
    content = json.dumps(completion(request, json.dumps(example(schema, said(request))))).encode()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content[: len(content) // 2])
    handler.wfile.flush()
    return content[len(content) // 2 :]


def hangs_up(handler: Handler, _: Request) -> None:
    """Send nothing, and hang up."""
    handler.close_connection = True


def wrong_type(handler: Handler, request: Request) -> None:
    """Send the right body as text/plain."""
    content = json.dumps(example(schema_of(request) or {"enum": [{"a": 1}]}, said(request)))
    handler.send(200, completion(request, content), kind="text/plain")


def html(handler: Handler, _: Request) -> None:
    """Send a page, as a proxy that wants a sign-in does."""
    handler.send(200, "<!doctype html><title>Sign in</title><p>Please sign in.", kind="text/html")
