"""The key layout: keys that unpack to what was packed, stay short, and never stand for another text."""

from __future__ import annotations

from itertools import pairwise

import pytest

from coditect.engine.limits import KEY_BYTES
from coditect.errors import Corrupt, UsageError
from coditect.keyspace import LAYOUT, PART_BYTES, Keyspace, key_part, part_text
from coditect.keyspace.tuples import pack_element

EXTREME = {
    "empty": "",
    "nul": "a\0b",
    "only nuls": "\0" * 60,
    "high": "\xff" * 40,
    "last code point": "\U0010ffff" * 90,
    "emoji": "🗝️" * 2_500,
    "long": "x" * 5_000,
    "newline": "a\nb/c",
    "surrogate": "a\udcffb",
}


@pytest.mark.parametrize("table", LAYOUT)
@pytest.mark.parametrize("text", EXTREME.values(), ids=EXTREME.keys())
def test_key_of_extreme_text_is_short_and_unpacks_to_its_parts(table: str, text: str) -> None:
    """No text makes a key longer than every engine allows, with room for what the feed appends, and none is lost in it."""
    keys = Keyspace(text or "tenant")
    fields = LAYOUT[table].fields
    parts = tuple(f"{text}{n}" for n in range(len(fields)))
    key = keys.key(table, *parts)
    assert len(key) + 12 <= KEY_BYTES
    assert keys.parts(table, key) == tuple(key_part(part) for part in parts)
    assert keys.table_of(key) == table


def test_key_part_short_text_stands_as_it_is() -> None:
    """What people read in a key is what they wrote."""
    assert key_part("incident response") == "incident response"
    assert key_part("Prüfbericht 🗝️") == "Prüfbericht 🗝️"


def test_key_part_of_a_cut_text_cannot_be_chosen() -> None:
    """A text that reads like the cut form of another stands elsewhere: no tenant or corpus can be named into another's place."""
    long = "x" * 5_000
    cut = key_part(long)
    assert isinstance(cut, bytes)
    lookalike = part_text(cut)
    assert key_part(lookalike) != cut
    assert Keyspace(lookalike).prefix != Keyspace(long).prefix
    keys = Keyspace()
    assert keys.key("corpus", lookalike) != keys.key("corpus", long)


def test_key_part_cut_texts_with_the_same_beginning_differ() -> None:
    """The hash covers the whole text."""
    assert key_part("x" * 5_000 + "a") != key_part("x" * 5_000 + "b")


def test_key_unpacked_parts_pack_to_the_same_key() -> None:
    """What was unpacked, cut or not, leads back to the row."""
    keys = Keyspace()
    key = keys.key("idx/term", "t" * 900, "c" * 900, "document_1", "extraction_1")
    assert keys.key("idx/term", *keys.parts("idx/term", key)) == key


def test_key_part_at_the_limit_is_the_longest_whole_one() -> None:
    """The cut begins where the encoding is longer than the limit, not before."""
    assert key_part("x" * (PART_BYTES - 2)) == "x" * (PART_BYTES - 2)
    assert isinstance(key_part("x" * (PART_BYTES - 1)), bytes)


def test_bounds_hold_the_rows_below_a_prefix_and_no_others() -> None:
    """A corpus whose id begins another's does not see its rows."""
    keys = Keyspace()
    begin, end = keys.bounds("documents", "a")
    assert begin <= keys.key("documents", "a", "d", "v") < end
    for other in ("a\0", "a\0b", "ab", "", "a\x01", "b"):
        assert not begin <= keys.key("documents", other, "d", "v") < end, other


def test_bounds_of_tables_do_not_overlap() -> None:
    """Each key belongs to one table."""
    keys = Keyspace()
    spans = sorted(keys.bounds(table) for table in LAYOUT)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


def test_tenants_with_similar_names_have_separate_ranges() -> None:
    """No tenant's keys lie between another's, NUL or not."""
    names = ["a", "a\0", "a\0b", "b", "a\xff", "ab", "default"]
    spaces = {name: Keyspace(name) for name in names}
    for name, space in spaces.items():
        for table in LAYOUT:
            begin, end = space.bounds(table)
            for other, foreign in spaces.items():
                inside = begin <= foreign.key(table, "x", "y", "z") < end
                assert inside == (name == other), (name, other)


@pytest.mark.parametrize("tail", [b"", b"\x99", b"\x02open", b"\x02a\x00", b"\x05", b"\x21\x00", b"\x33", b"\x1d\x01"])
def test_parts_of_a_key_that_was_not_packed_here_are_refused(tail: bytes) -> None:
    """Bytes that are no key of the table are told as such, whatever they are."""
    keys = Keyspace()
    with pytest.raises(Corrupt):
        keys.parts("extractions", keys.key("extractions") + tail)


def test_parts_of_another_tables_key_are_refused() -> None:
    """A key is read by its own table only."""
    keys = Keyspace()
    with pytest.raises(Corrupt):
        keys.parts("chunks", keys.key("extractions", "c", "d", "e"))


def test_keyspace_without_a_tenant_is_refused() -> None:
    """There is no nameless tenant."""
    with pytest.raises(UsageError):
        Keyspace("")


@pytest.mark.parametrize("length", range(PART_BYTES - 5, PART_BYTES + 4))
def test_key_part_is_cut_only_where_its_encoding_is_too_long(length: int) -> None:
    """A text of two bytes less than a part may have stands as it is; one more, and it is cut: in keys as in parts."""
    text = "x" * length
    assert (key_part(text) == text) == (length <= PART_BYTES - 2)
    assert len(pack_element(key_part(text))) <= PART_BYTES
    keys = Keyspace("tenant")
    table = LAYOUT["corpus"]
    assert keys.parts(table.name, keys.key(table.name, text)) == (key_part(text),)


def test_key_part_counts_bytes_and_not_characters() -> None:
    """Of a text of two bytes each 44 characters fit, and one escaped NUL less beside them."""
    for text, whole in (("é" * 44, True), ("é" * 45, False), ("é" * 43 + "\0", True), ("é" * 44 + "\0", False)):
        assert (key_part(text) == text) is whole, text
