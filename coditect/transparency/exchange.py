"""One request over HTTP, and its answer: for witnesses and for time stamp authorities, which are asked seldom and say little."""

from __future__ import annotations

from collections.abc import Callable
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from coditect.errors import Unreachable, UsageError

__all__ = ["Exchange", "NoRedirects", "exchange"]

TIMEOUT_S = 30.0

Exchange = Callable[[str, bytes, str, int], tuple[int, bytes]]
"""(URL, body, its content type, longest answer in bytes) to (status, body)."""


class NoRedirects(HTTPRedirectHandler):
    """Goes nowhere but where it was told to go."""

    def redirect_request(self, *args: object) -> None:
        """None: the answer that redirects is the answer."""


def exchange(url: str, body: bytes, content_type: str, most_bytes: int) -> tuple[int, bytes]:
    """Send a POST.

    Args:
        url: http or https.
        body: of the request.
        content_type: of the body.
        most_bytes: of the answer.
    Returns:
        (status, body), whatever the status.

    Raises:
        UsageError: not such a URL.
        Unreachable: nobody answers, or answers more than that.
    """
    if urlsplit(url).scheme not in ("http", "https"):
        raise UsageError("not a URL of HTTP", url=url)
    request = Request(url, data=body, headers={"Content-Type": content_type}, method="POST")  # noqa: S310 - checked above
    try:
        try:
            with build_opener(NoRedirects).open(request, timeout=TIMEOUT_S) as answer:
                status, found = answer.status, answer.read(most_bytes + 1)
        except HTTPError as error:
            with error:
                status, found = error.code, error.read(most_bytes + 1)
    except (URLError, OSError, HTTPException) as error:
        raise Unreachable("nobody answers", url=url, reason=str(error)) from error
    if len(found) > most_bytes:
        raise Unreachable("an answer is longer than it can be", url=url, limit=most_bytes)
    return status, found
