"""Our tuple encoding is FoundationDB's: the same bytes, the same order, and nothing read that was not written so."""

from __future__ import annotations

import fdb.tuple
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.keyspace.tuples import Element, pack, pack_element, unpack

TEXTS = st.text(st.characters(codec="utf-8"), max_size=40) | st.text("\0\x01\xff\U0010ffffa", max_size=10)
BYTES = st.binary(max_size=40) | st.lists(st.sampled_from([b"\0", b"\xff", b"a"]), max_size=10).map(b"".join)
EDGES = st.builds(
    lambda bits, step, sign: sign * ((1 << bits) + step),
    st.integers(0, 2039),
    st.integers(-2, 2),
    st.sampled_from([-1, 1]),
)
NUMBERS = st.integers(-(2**70), 2**70) | EDGES
ELEMENTS: st.SearchStrategy[Element] = st.none() | TEXTS | BYTES | NUMBERS
TUPLES = st.lists(ELEMENTS, max_size=5).map(tuple)


@given(TUPLES)
def test_tuples_are_packed_as_foundationdb_packs_them(elements: tuple[Element, ...]) -> None:
    """Byte for byte, so that stores of either encoder are the same store."""
    assert pack(elements) == fdb.tuple.pack(elements)
    assert pack(elements) == b"".join(pack_element(element) for element in elements)


@given(TUPLES)
def test_tuples_unpack_to_what_was_packed(elements: tuple[Element, ...]) -> None:
    """Nothing is lost, and no element becomes another."""
    found = unpack(pack(elements))
    assert found == elements == tuple(fdb.tuple.unpack(pack(elements)))
    assert [type(element) for element in found] == [type(element) for element in elements]


@given(TUPLES, TUPLES)
def test_packed_tuples_sort_as_foundationdb_compares_tuples(
    one: tuple[Element, ...], other: tuple[Element, ...]
) -> None:
    """Rows stand in the order of their elements, on every engine."""
    packed = (pack(one) > pack(other)) - (pack(one) < pack(other))
    assert packed == fdb.tuple.compare(one, other)


@given(st.lists(NUMBERS, min_size=2, max_size=20))
def test_packed_numbers_sort_by_value(numbers: list[int]) -> None:
    """Generations and parts are found in order, whatever their length."""
    assert sorted(numbers) == sorted(numbers, key=pack_element)


@given(st.binary(max_size=60) | st.builds(lambda packed, cut: packed[:cut], TUPLES.map(pack), st.integers(0, 60)))
def test_any_bytes_are_read_as_foundationdb_reads_them_or_refused(packed: bytes) -> None:
    """What is read packs to the same bytes again; everything else is refused with one kind of error."""
    try:
        elements = unpack(packed)
    except ValueError:
        return
    assert pack(elements) == packed
    assert tuple(fdb.tuple.unpack(packed)) == elements


@pytest.mark.parametrize(
    "packed",
    [
        b"\x02open",
        b"\x01a\x00\xff",
        b"\x15",
        b"\x15\x00",
        b"\x16\x00\x01",
        b"\x1d",
        b"\x1d\x02\x01",
        b"\x1d\x01\x05",
        b"\x0b",
    ],
)
def test_cut_and_long_forms_are_refused(packed: bytes) -> None:
    """A row has one key: what another program cut off or padded is no key."""
    with pytest.raises(ValueError, match="packed tuple"):
        unpack(packed)


@pytest.mark.parametrize("packed", [b"\x05\x00", b"\x21" + bytes(8), b"\x26", b"\x27", b"\x30" + bytes(16), b"\x33"])
def test_types_that_keys_do_not_hold_are_refused(packed: bytes) -> None:
    """Nested tuples, floating point, truth values, UUIDs and versionstamps are no elements of our keys."""
    with pytest.raises(ValueError, match="unknown type"):
        unpack(packed)


def test_values_that_keys_do_not_hold_are_refused() -> None:
    """A truth value is no number, and a number has at most 255 bytes; the greatest and least that fit, fit."""
    for value in (True, 1.5, ("a",)):
        with pytest.raises(TypeError):
            pack((value,))  # type: ignore[arg-type]
    for number in (2**2040 - 1, -(2**2040) + 1):
        assert unpack(pack((number,))) == (number,)
        with pytest.raises(OverflowError):
            pack((number * 2,))
