"""What requests ask of the room: see :mod:`coditect.server.access.gatekeeper` for who answers."""

from __future__ import annotations

from typing import Protocol

from coditect.server.access.callers import Caller

__all__ = ["Gatekeeper"]


class Gatekeeper(Protocol):
    """Knows callers, and how much they may ask."""

    anonymous: Caller | None
    """Who asks without anything to show, on loopback; None: nobody may."""

    def by_token(self, token: str) -> Caller | None:
        """The caller that a token is of; None where it is none, has expired or was revoked."""
        ...

    def by_session(self, cookie: str) -> Caller | None:
        """The caller that a browser's session is of; None where it has ended."""
        ...

    def is_own_form(self, cookie: str, given: str) -> bool:
        """Whether what came with a form is what the session's pages hold."""
        ...

    def count(self, caller: Caller) -> None:
        """Count a request.

        Raises:
            Problem: 429, the caller has asked too often.
        """
        ...
