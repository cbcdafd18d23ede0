"""Values that are kept for as long as there is room."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from coditect.knowledge.query.kept import Kept


def test_kept_gives_back_what_was_put() -> None:
    """A value is found under its key, and nothing under another."""
    kept: Kept[str, str] = Kept(2)
    assert kept.put("a", "first") == "first"
    assert kept.get("a") == "first"
    assert kept.get("b") is None


def test_kept_lets_the_oldest_go() -> None:
    """Where there is no room, what was put first goes first; putting a key again renews it."""
    kept: Kept[int, int] = Kept(2)
    for key in (1, 2, 1, 3):
        kept.put(key, key)
    assert [kept.get(key) for key in (1, 2, 3)] == [1, None, 3]


def test_kept_counts_what_values_cost() -> None:
    """Values of different sizes share the room; one that is larger than all of it is kept alone."""
    kept: Kept[str, str] = Kept(10, len)
    kept.put("a", "four")
    kept.put("b", "sixsix")
    assert (kept.get("a"), kept.get("b")) == ("four", "sixsix")
    kept.put("c", "x")
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (None, "sixsix", "x")
    kept.put("d", "y" * 50)
    assert [kept.get(key) for key in "abc"] == [None] * 3
    assert kept.get("d") == "y" * 50


@given(st.lists(st.tuples(st.integers(0, 5), st.text(max_size=8)), max_size=60))
def test_kept_never_holds_more_than_its_room(puts: list[tuple[int, str]]) -> None:
    """Whatever is put: the costs of what is there never exceed the room, but for one value alone."""
    kept: Kept[int, str] = Kept(12, len)
    for key, value in puts:
        kept.put(key, value)
        there = [found for each in range(6) if (found := kept.get(each)) is not None]
        assert kept.get(key) == value
        assert sum(map(len, there)) <= 12
