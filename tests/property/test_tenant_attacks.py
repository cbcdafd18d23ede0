"""No tenant reaches what is another's: crafted names, ids, numbers, bounds, tokens, folders and words, each kind named and counted.

A kind of attack is a generator, in one of the modules named ``attacks_…``, that makes attempts and yields a label after each that
failed to break in. An attempt that succeeds is an error there and then; after each kind the victim's rows are compared with
what they were.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.keyspace import LAYOUT, Keyspace
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.property import attacks_archives, attacks_commands, attacks_reading, attacks_writing
from tests.property.attacks import KINDS, LeakError, Witness, World

AT_LEAST = 200
"""Attacks that the suite makes."""

MODULES = (attacks_archives, attacks_commands, attacks_reading, attacks_writing)
"""Where the kinds are; importing them enters the kinds."""

TEXTS = st.text(st.characters(), min_size=1, max_size=120) | st.text(
    "\0\xff\x01\x02\U0010ffffab#", min_size=1, max_size=60
)
TABLES = st.sampled_from(sorted(LAYOUT))
PARTS = st.lists(TEXTS | st.integers(-(2**70), 2**70), max_size=3)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A store on disk with a victim and an attacker, for all kinds of attacks."""
    made = World.make(tmp_path_factory.mktemp("world"))
    yield made
    made.engine.close()


def attack(name: str, world: World) -> list[str]:
    """Make the attacks of a kind, and return their labels."""
    labels = list(KINDS[name](world))
    assert len(set(labels)) == len(labels), "two attacks with one label would be counted twice"
    world.check_untouched()
    return labels


def test_tenant_withstands_every_attack_of_every_kind(world: World) -> None:
    """No attempt gets at a key, a row, a word or a folder of the victim's, its rows stay; at least 200 of 20 kinds are made.

    One test, since a kind that ran in another process would have to run again to be counted.
    """
    counts = {}
    for name in KINDS:
        counts[name] = len(attack(name, world))
        print(f"{counts[name]:>5}  {name}")  # noqa: T201 - shown where one succeeds
        assert counts[name], name
    assert sum(counts.values()) >= AT_LEAST
    assert len(counts) >= 20


@given(TEXTS, TEXTS, TABLES, TABLES, PARTS, PARTS)
def test_bounds_of_a_tenant_hold_no_key_of_another(
    first: str, second: str, table: str, other: str, parts: list[str | int], others: list[str | int]
) -> None:
    """Whatever two tenants are called: no range of one, over a table, a part of it or all, holds a key or a bound of the other."""
    mine, theirs = Keyspace(first), Keyspace(second)
    begin, end = mine.bounds(table, *parts)
    low, high = mine.space
    assert low <= begin < end <= high
    for key in (theirs.key(other, *others), *theirs.bounds(other, *others), theirs.space[0]):
        assert (low <= key < high) == (first == second)
        assert first == second or not begin <= key < end


@given(TEXTS, TEXTS)
def test_witness_lets_a_tenants_own_keys_pass_and_no_others(first: str, second: str) -> None:
    """The suite's own instrument: it stays quiet for the tenant's keys, and is loud for another's."""
    witness = Witness(MemoryEngine(), first)
    Store(witness, first).put_blob("c", b"x")
    if first != second:
        with pytest.raises(LeakError):
            Store(witness, second).put_blob("c", b"x")


def test_world_notices_a_secret_in_a_result_and_in_an_error(world: World) -> None:
    """The suite's own instrument: a result or an error of the victim's that is shown to the attacker is found."""
    with pytest.raises(LeakError):
        world.attempt(lambda: world.victim.query("numbat-merger", "echidna", include_sources=True), "echidna")
    with pytest.raises(LeakError):
        world.attempt(world.victim.status)
    with pytest.raises(LeakError):
        world.attempt(lambda: world.victim.store.corpus("nothing"))
    assert world.attempt(world.attacker.status)
