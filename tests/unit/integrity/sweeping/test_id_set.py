"""Sets of ids by their hashes, against sets of ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.integrity.sweeping.id_set import IdSet

IDS = [f"item_{each}" for each in range(12)]
SOME = st.sets(st.sampled_from(IDS))


def test_an_empty_set_holds_nothing_and_misses_nothing() -> None:
    """Also before it is settled, and asked for nothing."""
    ids = IdSet()
    assert ids.holds(["a", "b"]) == [False, False]
    ids.settle()
    assert (ids.holds(["a"]), ids.holds([]), ids.missing) == ([False], [], 0)
    ids.add("a")
    ids.settle()
    assert ids.holds([]) == []


def test_what_is_needed_is_missing_until_it_is_met() -> None:
    """Needed is what is added without a word; what is only marked is missed by nobody."""
    ids = IdSet()
    ids.add("a")
    ids.add("b", needed=True)
    ids.add("c", needed=False)
    ids.add("a")
    ids.settle()
    assert ids.missing == 2
    assert ids.holds(["b", "x", "c"]) == [True, False, True]
    assert ids.missing == 1
    ids.add("d")
    ids.settle()
    assert ids.holds(["a", "b", "d"]) == [True, True, True]
    assert ids.missing == 0


@given(SOME, SOME, SOME)
def test_a_set_of_hashes_is_a_set(needed: set[str], marked: set[str], met: set[str]) -> None:
    """Whatever is added, twice or in parts, and asked for in any order."""
    ids = IdSet()
    for each in sorted(needed):
        ids.add(each)
    ids.settle()
    for each in sorted(marked):
        ids.add(each, needed=False)
    ids.settle()
    assert ids.missing == len(needed)
    assert ids.holds(sorted(met)) == [each in needed | marked for each in sorted(met)]
    assert ids.missing == len(needed - met)
    assert ids.holds(IDS) == [each in needed | marked for each in IDS]
    assert ids.missing == 0


@given(SOME, st.lists(st.tuples(st.sampled_from(IDS), SOME), max_size=10))
def test_links_are_followed_to_their_end(begin: set[str], links: list[tuple[str, set[str]]]) -> None:
    """Over any number of them, in circles too; from what is not marked nothing is reached, and nothing reached is needed."""
    ids = IdSet()
    for each in sorted(begin):
        ids.add(each)
    ids.follow(b"".join(IdSet.link(first, sorted(seconds)) for first, seconds in links))
    reached = set(begin)
    while more := {each for first, seconds in links if first in reached for each in seconds} - reached:
        reached |= more
    assert ids.missing == len(begin)
    assert ids.holds(IDS) == [each in reached for each in IDS]
    assert ids.missing == 0


@pytest.mark.parametrize("count", [1, 2])
def test_links_have_sixteen_bytes_each(count: int) -> None:
    """Eight for either end."""
    assert len(IdSet.link("a", IDS[:count])) == 16 * count
