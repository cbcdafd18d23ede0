"""The service's failures as errors of ours. Neither the key nor any content is in them."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import TYPE_CHECKING, Any

from coditect.errors import ModelError, RateLimited, Unreachable

if TYPE_CHECKING:
    from anthropic import APIStatusError

__all__ = ["failure_of_status", "failure_of_type", "retry_after_s"]

_SLOW_DOWN = frozenset({"rate_limit_error", "overloaded_error"})
_PASSING = frozenset({"api_error", "timeout_error", "conflict_error"})
_HINTS = {
    "authentication_error": "Check the API key.",
    "billing_error": "Check the account's billing.",
    "permission_error": "The API key may not use this model or feature.",
    "not_found_error": "Check the name of the model, or the id of the batch.",
    "request_too_large": "Send less at once.",
    "invalid_request_error": "The service refuses this request; its log names the reason under the request id.",
}
_TYPE_OF_STATUS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    409: "conflict_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


def failure_of_status(error: APIStatusError) -> ModelError:
    """What a response with an error says; its type counts, and its status if it names none."""
    kind = error.type or _TYPE_OF_STATUS.get(error.status_code, "")
    if kind not in _SLOW_DOWN | _PASSING | _HINTS.keys():
        # 200: the error came in the middle of a stream.
        kind = "api_error" if error.status_code >= 500 or error.status_code < 400 else "invalid_request_error"
    return failure_of_type(
        kind,
        retry_after=retry_after_s(error.response.headers),
        status=error.status_code,
        request_id=error.request_id or "",
    )


def failure_of_type(kind: str, *, retry_after: float | None = None, **context: Any) -> ModelError:  # noqa: ANN401 - any value may be shown
    """The error for a type of failure.

    Args:
        kind: the service's name of it.
        retry_after: what the service asks for, seconds.
        context: what else is known.
    """
    if kind in _SLOW_DOWN:
        return RateLimited("the service asks to slow down", type=kind, retry_after_s=retry_after, **context)
    if kind in _PASSING:
        return Unreachable("the service failed", type=kind, **context)
    return ModelError("the service refuses the request", hint=_HINTS.get(kind), type=kind, **context)


def retry_after_s(headers: Mapping[str, str]) -> float | None:
    """Seconds that a response asks to wait, >= 0; None if it does not say, or not in numbers or dates.

    Source: RFC 9110, 10.2.3. A date is read against the response's own, not against this machine's clock.
    """
    value = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value) - parsedate_to_datetime(headers.get("date", ""))).total_seconds()
        except (ValueError, TypeError):  # TypeError: one of them without a time zone
            return None
    return max(0.0, seconds) if isfinite(seconds) else None
