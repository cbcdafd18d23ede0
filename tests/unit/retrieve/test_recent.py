"""Values that were looked at recently."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from coditect.retrieve.recent import Recent


def test_value_is_made_once_while_it_is_kept() -> None:
    """The one that was looked at longest ago gives way, and is made again when it is asked for."""
    recent: Recent[str, str] = Recent(2)
    made: list[str] = []

    def value(key: str) -> str:
        return recent.get(key, lambda: made.append(key) or key.upper())  # type: ignore[func-returns-value]

    assert [value(key) for key in "abacab"] == list("ABACAB")
    assert made == list("abcb")


def test_value_that_cannot_be_made_is_not_kept() -> None:
    """The error is passed on, and the next question tries again."""
    recent: Recent[str, int] = Recent(1)
    with pytest.raises(ZeroDivisionError):
        recent.get("a", lambda: 1 // 0)
    assert recent.get("a", lambda: 7) == 7


def test_threads_that_make_the_same_value_share_one() -> None:
    """Both are let in at once, and both get the same object."""
    recent: Recent[str, object] = Recent(1)
    barrier = Barrier(2)

    def made() -> object:
        barrier.wait(60)
        return object()

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: recent.get("a", made), range(2))
    assert first is second


def test_what_is_put_takes_the_place_of_what_was_kept() -> None:
    """And counts as looked at: what was looked at longest ago goes."""
    kept: Recent[str, int] = Recent(2)
    for key, value in (("a", 1), ("b", 2), ("a", 3), ("c", 4)):
        kept.put(key, value)
    assert [kept.kept(each) for each in "abc"] == [3, None, 4]
