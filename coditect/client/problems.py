"""What a server's problem details (RFC 9457) are as errors of the package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coditect.errors import (
    AccessDenied,
    CoditectError,
    Conflict,
    ModelError,
    NotFound,
    RateLimited,
    StoreError,
    TooLarge,
    Unavailable,
    UsageError,
)

__all__ = ["error_of"]

_KINDS: dict[int, type[CoditectError]] = {
    401: AccessDenied,
    403: AccessDenied,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    429: RateLimited,
    502: ModelError,
    503: Unavailable,
    504: Unavailable,
}


def error_of(status: int, told: Mapping[str, Any]) -> CoditectError:
    """The error that a problem is: every other 4xx is wrong use, every other 5xx a failing store.

    Args:
        status: of HTTP.
        told: the problem: ``title``, ``detail``, ``instance`` and ``retry_after_s``, as far as they are there; the last, in how
            many seconds the same may be asked again, stands in the error's ``context``.
    """
    kind = _KINDS.get(status, UsageError if 400 <= status < 500 else StoreError)
    title = str(told.get("title") or "the server refused")
    where: dict[str, Any] = {"instance": str(told["instance"])} if told.get("instance") else {}
    if isinstance(told.get("retry_after_s"), int | float):
        where["retry_after_s"] = told["retry_after_s"]
    return kind(title, hint=str(told["detail"]) if told.get("detail") else None, status=status, **where)
