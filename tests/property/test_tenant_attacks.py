"""No tenant reaches what is another's: crafted names, ids, numbers, bounds, tokens, folders and words, each kind named and counted.

A kind of attack is a generator (in ``attacks_reading`` and ``attacks_writing``) that makes attempts and yields a label after
each that failed to break in. An attempt that succeeds is an error there and then; after each kind the victim's rows are
compared with what they were.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.keyspace import LAYOUT, Keyspace
from tests.property import attacks_reading, attacks_writing
from tests.property.attacks import KINDS, Outsider, Witness, World
from coditect.testing.memory import MemoryEngine
from coditect.store.store import Store

AT_LEAST = 200
"""Attacks that the suite makes."""

MADE: dict[str, list[str]] = {}
"""Labels of the attacks that this process made, by kind."""

MODULES = (attacks_reading, attacks_writing)

TEXTS = st.text(st.characters(), min_size=1, max_size=120) | st.text("\0\xff\x01\x02\U0010ffffab#", min_size=1, max_size=60)
TABLES = st.sampled_from(sorted(LAYOUT))
PARTS = st.lists(TEXTS | st.integers(-(2**70), 2**70), max_size=3)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A store on disk with a victim and an attacker, for all kinds of attacks."""
    made = World.make(tmp_path_factory.mktemp("world"))
    yield made
    made.engine.close()


def attack(name: str, world: World) -> list[str]:
    """Make the attacks of a kind, unless this process has made them, and return their labels."""
    if name not in MADE:
        labels = list(KINDS[name](world))
        assert len(set(labels)) == len(labels), "two attacks with one label would be counted twice"
        world.check_untouched()
        MADE[name] = labels
    return MADE[name]


@pytest.mark.parametrize("name", KINDS)
def test_tenant_withstands_every_attack_of_a_kind(name: str, world: World) -> None:
    """No attempt gets at a key, a row, a word or a folder of the victim's, and the victim's rows stay as they are."""
    assert attack(name, world)


def test_suite_makes_enough_attacks_and_names_their_kinds(world: World, record_property: pytest.TestReport) -> None:
    """At least 200 attacks were made in the end, and it can be read how many of which kind."""
    counts = {name: len(attack(name, world)) for name in KINDS}
    for name, count in counts.items():
        print(f"{count:>5}  {name}")  # noqa: T201 - shown with -s, and where the test fails
    assert sum(counts.values()) >= AT_LEAST
    assert len(counts) >= 20
