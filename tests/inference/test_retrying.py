"""What a reply asks for in `Retry-After`, in all its forms."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from audit_core.inference.retrying import Patience, asked_to_wait

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Fri, 02 Jan 2026 03:04:35 GMT"}, 30.0),
        ({"retry-after": "Fri, 02 Jan 2026 03:04:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": ""}, None),
    ],
)
def test_a_reply_names_seconds_milliseconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_to_wait(headers, NOW) == seconds


def test_waits_double_up_to_the_longest_and_are_spread() -> None:
    patience = Patience(first=1.0, longest=10.0)
    for failures, most in ((1, 1.0), (2, 2.0), (3, 4.0), (4, 8.0), (5, 10.0), (9, 10.0)):
        seen = [patience.seconds(failures) for _ in range(20)]
        assert all(most / 2 <= each <= most for each in seen)
        assert len(set(seen)) > 10
