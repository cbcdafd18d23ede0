"""The anthropic library, opened when it is first needed, kept quiet and behind our errors."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

import structlog
from pydantic import SecretStr

from coditect.errors import ModelError, Unreachable, UsageError
from coditect.models.claude.failures import failure_of_status

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncAnthropic

__all__ = ["ClaudeConnection"]

T = TypeVar("T")

log = structlog.wrap_logger(logging.getLogger(__name__))

_EXTRA = "pip install 'coditect-knowledge[claude]'"
_CONNECT_TIMEOUT_S = 10.0
# They log requests and their content at DEBUG.
_TALKATIVE = ("anthropic", "httpx2", "httpcore2")
# What the library raises over a stream or a line of results that is damaged.
_DAMAGED = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


class _Elsewhere(Exception):  # noqa: N818 - never leaves this module
    """A request that was not sent."""


class ClaudeConnection:
    """One client, one attempt per call.

    Args:
        api_key: sent as a header, shown nowhere.
        base_url: of the service; None: the library's own.
        timeout_s: longest silence, > 0: a slow answer is fine, one that stops coming is not.
    Raises:
        UsageError: the library is not installed, or the key or the address cannot be one.
    """

    def __init__(self, api_key: str, base_url: str | None, timeout_s: float) -> None:
        self._key = SecretStr(api_key.strip())
        del api_key  # a traceback may show this frame's variables
        if find_spec("anthropic") is None:
            raise UsageError("the library for Claude is not installed", hint=_EXTRA, missing="anthropic")
        if not _is_header(self._key):
            raise UsageError("an API key is empty or has characters that no key has", hint="Set it anew.")
        if base_url is not None and not _is_address(base_url):
            raise UsageError("the address of a service is not one", hint="It begins with https://", base_url=base_url)
        if not timeout_s > 0:
            raise UsageError("a time limit is not positive", timeout_s=timeout_s)
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._client: AsyncAnthropic | None = None
        self._origin: tuple[str, str, int | None] = ("", "", None)

    @property
    def client(self) -> AsyncAnthropic:
        """The library's client; the first call imports the library, which takes seconds."""
        if self._client is None:
            from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient, Timeout

            for name in _TALKATIVE:
                logging.getLogger(name).setLevel(logging.WARNING)
            timeout = Timeout(self._timeout_s, connect=min(_CONNECT_TIMEOUT_S, self._timeout_s))
            self._client = client = AsyncAnthropic(
                api_key=self._key.get_secret_value(),
                base_url=self._base_url,
                timeout=timeout,
                max_retries=0,
                open_telemetry=False,
                http_client=DefaultAsyncHttpxClient(
                    timeout=timeout, follow_redirects=False, event_hooks={"request": [self._stay]}
                ),
            )
            self._origin = _origin(str(client.base_url))
        return self._client

    async def attempt(self, call: Callable[[AsyncAnthropic], Awaitable[T]], what: str, **context: Any) -> T:  # noqa: ANN401 - any value may be logged
        """Let ``call`` use the client, once.

        Args:
            call: one use of the service.
            what: its name, for the log.
            context: for the log; no content.
        Raises:
            ModelError: or one of its kinds. The library's own error is not kept: it holds the request and the key.
        """
        from anthropic import APIConnectionError, APIStatusError, APITimeoutError
        from httpx2 import HTTPError, TimeoutException

        client = self.client
        began = monotonic()
        failure: ModelError
        try:
            return await call(client)
        except ModelError as error:
            failure = error
        except APIStatusError as error:
            failure = failure_of_status(error)
        except (APITimeoutError, TimeoutException):
            failure = Unreachable("the service did not answer in time", timeout_s=self._timeout_s)
        except (APIConnectionError, HTTPError) as error:
            failure = Unreachable(
                "the connection to the service failed", reason=type(error.__cause__ or error).__name__
            )
            if isinstance(error.__cause__, _Elsewhere):
                failure = ModelError("the service leads to another address")
        except _DAMAGED as error:
            failure = Unreachable("the service's answer is damaged", reason=type(error).__name__)
        log.info(
            "claude_failed",
            call=what,
            error=type(failure).__name__,
            problem=failure.message,
            elapsed_s=round(monotonic() - began, 3),
            **{**context, **{name: failure.context[name] for name in _LOGGED if failure.context.get(name)}},
        )
        raise failure

    async def _stay(self, request: httpx2.Request) -> None:
        """Send nothing elsewhere: the address of a batch's results stands in an answer, and the key would go there, too.

        Raises:
            _Elsewhere: the request is for another service than the one that was named.
        """
        if _origin(str(request.url)) != self._origin:
            raise _Elsewhere

    async def close(self) -> None:
        """Let the connections go; the next call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


_LOGGED = ("request_id", "type", "status", "retry_after_s", "reason", "stop_reason", "category")


def _is_header(key: SecretStr) -> bool:
    value = key.get_secret_value()
    return bool(value) and value.isascii() and value.isprintable()


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, (parts.hostname or "").lower(), parts.port


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
