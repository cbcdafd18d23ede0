"""Errors say where and why, and never with which password."""

from __future__ import annotations

import pickle

import pytest

from coditect.errors import Unavailable, without_credentials


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://user:pass@host:6333/a", "http://***@host:6333/a"),
        ("http://key@host", "http://***@host"),
        ("http://u:p@ss@host/x?y=1", "http://***@host/x?y=1"),
        ("https://host/?api_key=abc&limit=1", "https://host/?api_key=***&limit=1"),
        ("https://host/?limit=1&API-KEY=abc#x", "https://host/?limit=1&API-KEY=***#x"),
        ("two: http://a:b@c and http://d:e@f.", "two: http://***@c and http://***@f."),
        ("http://host/mail@example.org", "http://host/mail@example.org"),
        ("lmdb:///home/me@work/store", "lmdb:///home/me@work/store"),
        ("write to a@b.example?", "write to a@b.example?"),
    ],
)
def test_addresses_lose_their_credentials_and_nothing_else(text: str, shown: str) -> None:
    """User names, passwords and keys go; hosts, paths and addresses of people stay."""
    assert without_credentials(text) == shown


def test_errors_hold_no_credentials_wherever_they_stand() -> None:
    """In text, in lists and below names, also after the way back from a worker process."""
    url, masked = "http://user:pass@host", "http://***@host"
    error = Unavailable("it does not answer", place=url, tried=[url], by={"a": (url, 1)}, port=6333)
    for each in (error, pickle.loads(pickle.dumps(error))):  # noqa: S301 - our own
        assert each.context == {"place": masked, "tried": [masked], "by": {"a": (masked, 1)}, "port": 6333}
        assert "pass" not in str(each)
