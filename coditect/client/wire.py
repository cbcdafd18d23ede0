"""Requests as they go over the wire: tokens, retries with patience, entity tags, and problems that become errors."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from random import random
from threading import Lock
from typing import Any

import orjson

try:
    import httpx
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "coditect.client needs a library that is not installed: pip install 'coditect-knowledge[client]'",
        name=error.name,
    ) from error

from coditect.client.problems import error_of
from coditect.errors import Malformed, Unavailable, UsageError

__all__ = ["PATIENCE", "Patience", "Wire"]

_BUSY = (429, 503)
_KEPT_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client tries.

    Attributes:
        tries: of one request, the first one included, at least 1.
        first_wait_s: before the second try, twice as long before each further one, and by chance up to as long again.
        longest_wait_s: between two tries, also where the server asks for more: then the error says so.
        timeout_s: for connecting, and for each piece that is read or written.
    """

    tries: int = 6
    first_wait_s: float = 0.25
    longest_wait_s: float = 30.0
    timeout_s: float = 60.0


PATIENCE = Patience()
"""As usual."""


class Wire:
    """Sends requests, again where that is safe. Safe for threads.

    Args:
        address: of the server: ``https://host`` or, on this machine alone, ``http://``.
        token: that is shown; "": none.
        patience: how long it tries.
        http: sends them; None: one is made, and closed at the end.
        sleep: waits so many seconds.
        chance: gives numbers from 0 to 1, that spread the waits of many clients.

    Raises:
        UsageError: not such an address, or a token would go over the network in clear.
    """

    def __init__(
        self,
        address: str,
        token: str = "",
        patience: Patience = PATIENCE,
        *,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random,
    ) -> None:
        url = httpx.URL(address)
        if url.scheme not in ("http", "https") or not url.host:
            raise UsageError("not the address of a server", address=address, hint="Write https://host.")
        if token and url.scheme == "http" and not _is_here(url.host):
            raise UsageError("the token would be readable on the way", address=address, hint="Take https://.")
        self._own = http is None
        self._http = http or httpx.Client(timeout=patience.timeout_s)
        self._address = address.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._patience = patience
        self._sleep = sleep
        self._chance = chance
        self._kept: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        self._lock = Lock()

    def close(self) -> None:
        """Close the connections."""
        if self._own:
            self._http.close()

    def get(self, path: str, params: Mapping[str, Any] | None = None) -> bytes:
        """The body of an answer. One that was there before is not sent again while its entity tag stands.

        Raises:
            CoditectError: as the server's problem, or it does not answer.
        """
        asked = {name: value for name, value in (params or {}).items() if value is not None}
        name = f"{path} {orjson.dumps(asked, option=orjson.OPT_SORT_KEYS).decode()}"
        with self._lock:
            tag, body = self._kept.get(name, ("", b""))
        response = self._asked("GET", path, lambda: {"params": asked}, {"If-None-Match": tag} if tag else {})
        if response.status_code == 304:
            with self._lock:
                if name in self._kept:
                    self._kept.move_to_end(name)
            return body
        content: bytes = response.content
        if "etag" in response.headers:
            self._keep(name, response.headers["etag"], content)
        return content

    def post(self, path: str, body: Callable[[], Mapping[str, Any]], key: str | None = None) -> bytes:
        """The body of the answer to a change.

        Args:
            path: on the server.
            body: makes what httpx takes; called for each try, as files have to be read from their beginning again.
            key: the idempotency key; without one a change whose answer got lost is not asked for again.
        """
        content: bytes = self._asked("POST", path, body, {"Idempotency-Key": key} if key else {}).content
        return content

    @contextmanager
    def stream(self, path: str) -> Iterator[httpx.Response]:
        """An answer that is read piece by piece; one try.

        Raises:
            CoditectError: as the server's problem, or the connection breaks.
        """
        try:
            with self._http.stream("GET", self._address + path, headers=self._headers) as response:
                if response.status_code != 200:
                    response.read()
                    _raise(response)
                yield response
        except httpx.HTTPError as error:
            raise Unavailable("the server does not answer", reason=str(error), hint="Ask again later.") from error

    def pause(self, number: int) -> None:
        """Wait after the try of a number, from 1."""
        self._sleep(self._wait_s(number, None))

    @property
    def tries(self) -> int:
        """Of one request."""
        return self._patience.tries

    def _asked(
        self, method: str, path: str, body: Callable[[], Mapping[str, Any]], headers: Mapping[str, str]
    ) -> httpx.Response:
        again = method == "GET" or "Idempotency-Key" in headers
        for number in range(1, self._patience.tries + 1):
            try:
                response = self._http.request(
                    method, self._address + path, headers={**self._headers, **headers}, **body()
                )
            except httpx.HTTPError as error:
                # Whoever was never reached did nothing; of anything else nobody knows.
                safe = again or isinstance(error, httpx.ConnectError)
                if not safe or number == self._patience.tries:
                    raise Unavailable(
                        "the server does not answer", reason=str(error), hint="Is it running, and is this its address?"
                    ) from error
                self.pause(number)
                continue
            if response.status_code not in _BUSY or number == self._patience.tries:
                break
            wait_s = self._wait_s(number, response.headers.get("retry-after"))
            if wait_s > self._patience.longest_wait_s:
                break
            self._sleep(wait_s)
        if response.status_code >= 300 and response.status_code != 304:
            _raise(response)
        return response

    def _wait_s(self, number: int, asked: str | None) -> float:
        own: float = min(self._patience.first_wait_s * 2 ** (number - 1), self._patience.longest_wait_s / 2)
        return max(own, _seconds(asked)) + own * self._chance()

    def _keep(self, name: str, tag: str, content: bytes) -> None:
        if len(content) > _KEPT_BYTES // 8:
            return
        with self._lock:
            self._kept[name] = (tag, content)
            self._kept.move_to_end(name)
            while sum(len(each) for _, each in self._kept.values()) > _KEPT_BYTES or len(self._kept) > 1000:
                self._kept.popitem(last=False)


def _seconds(asked: str | None) -> float:
    """Of Retry-After (RFC 9110): a number, or a time."""
    if not asked:
        return 0.0
    if asked.strip().isdigit():
        return float(asked)
    try:
        until: float = parsedate_to_datetime(asked).timestamp()
        return max(0.0, until - time.time())
    except ValueError:
        return 0.0


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _raise(response: httpx.Response) -> None:
    """Raise what a refusal says."""
    try:
        told = orjson.loads(response.content)
    except ValueError:
        told = None
    if not isinstance(told, dict) or "title" not in told:  # a proxy's page, a redirect, another server
        if 300 <= response.status_code < 400:
            raise Malformed("the server leads elsewhere", status=response.status_code, hint="Is this its address?")
        told = {"title": "the server refused", "detail": f"It, or a proxy before it, said {response.status_code}."}
    if asked := response.headers.get("retry-after"):
        told = {**told, "retry_after_s": _seconds(asked)}
    raise error_of(response.status_code, told)
