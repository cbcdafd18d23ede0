"""Which failure of the service is which error of ours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import CoditectError, ModelError, RateLimited, Unreachable
from coditect.models.claude.failures import failure_of_type, retry_after_s


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("rate_limit_error", RateLimited),
        ("overloaded_error", RateLimited),
        ("api_error", Unreachable),
        ("timeout_error", Unreachable),
        ("conflict_error", Unreachable),
        ("authentication_error", ModelError),
        ("billing_error", ModelError),
        ("permission_error", ModelError),
        ("not_found_error", ModelError),
        ("request_too_large", ModelError),
        ("invalid_request_error", ModelError),
        ("one_of_next_year", ModelError),
    ],
)
def test_failure_is_told_by_its_type(kind: str, expected: type[CoditectError]) -> None:
    """What may pass is told apart from what stays, and from being asked to wait."""
    error = failure_of_type(kind, status=400)
    assert type(error) is expected
    assert error.context["type"] == kind


@settings(deadline=None)
@given(st.integers(-1_000, 100_000))
def test_date_of_retry_is_read_against_the_services_clock(seconds: int) -> None:
    """A date says how long to wait from the response's own date, whatever this machine's clock shows."""
    then = datetime(2031, 5, 1, tzinfo=UTC)
    headers = {"date": format_datetime(then, usegmt=True)}
    headers["retry-after"] = format_datetime(then + timedelta(seconds=seconds), usegmt=True)
    assert retry_after_s(headers) == max(0, seconds)


@settings(deadline=None)
@given(st.text())
def test_any_retry_header_is_seconds_or_nothing(value: str) -> None:
    """Whatever stands in the header, the result is a number of seconds from 0, or None."""
    seconds = retry_after_s({"retry-after": value})
    assert seconds is None or 0 <= seconds < float("inf")
