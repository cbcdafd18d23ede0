"""Bytes that stores of earlier releases hold: keys, ids in keys, and compressed values, to the byte and at their limits."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest
import zstandard

from coditect.errors import Corrupt, TooLarge, UsageError
from coditect.keyspace import POINTER, WHOLE, Keyspace, key_part, seal, seal_compressed
from coditect.keyspace.compression import (
    _CODECS,
    DICTIONARIES,
    FIRST_DICTIONARY,
    LONGEST_BYTES,
    PLAIN,
    compressed,
    decompressed,
)
from coditect.keyspace.ids import ID_KINDS, packed_id, unpacked_id
from coditect.keyspace.layout import _id_element
from coditect.keyspace.tuples import Stamp, pack, unpack

DOCUMENT = "document_" + "ab" * 26
EXTRACTION = "extraction_" + "cd" * 20


def test_keys_of_both_formats_are_those_of_every_release() -> None:
    """A store is read for years: where a row stands never changes, in either format of keys."""
    key = Keyspace("tenant").key("extractions", "c", DOCUMENT, EXTRACTION)
    head = b"\x02coditect\0\x15\x02\x02tenant\0"
    assert key == head + b"\x15\x0a\x02c\0\x01\x01" + b"\xab" * 26 + b"\0\x01\x03" + b"\xcd" * 20 + b"\0"
    first = Keyspace("tenant", 1)
    assert first.key("extractions", "c", DOCUMENT, "e") == (
        b"\x02coditect\0\x15\x01\x02tenant\0\x02knowledge\0\x02extractions\0\x02c\0\x02"
        + DOCUMENT.encode()
        + b"\0\x02e\0"
    )
    assert Keyspace("tenant").numbered(7) == (head + b"\x15\x07\0", head + b"\x15\x07\xff")


@pytest.mark.parametrize("layout", [1, 2])
def test_ids_unpack_to_their_text_in_both_formats(layout: int) -> None:
    """Format 1 wrote ids as text, format 2 as bytes; whoever reads a key gets the id."""
    keys = Keyspace("tenant", layout)
    assert keys.parts("extractions", keys.key("extractions", "c", DOCUMENT, EXTRACTION)) == ("c", DOCUMENT, EXTRACTION)
    stamp = Stamp(range(12))
    event = keys.feed("c") + (stamp if layout == 1 else bytes(stamp))
    assert keys.parts("feed", event) == ("c", stamp)
    assert type(keys.parts("feed", event)[1]) is Stamp
    with pytest.raises(Corrupt):
        keys.parts("feed", event[:-1])


def test_key_of_too_large_a_number_is_refused_with_its_table() -> None:
    """Nothing but an error of ours comes out, whatever number a caller asks for."""
    with pytest.raises(TooLarge):
        Keyspace().key("generations", "c", 2**2040)


def test_key_that_lacks_a_field_or_has_one_too_many_is_refused() -> None:
    """A key has all fields of its table, and nothing behind them."""
    keys = Keyspace()
    whole = keys.key("documents", "c", "d", "v")
    assert keys.parts("documents", whole) == ("c", "d", "v")
    for other in (
        keys.key("documents", "c", "d"),
        whole + b"\x02more\0",
        keys.key("documents") + pack((None, "d", "v")),
    ):
        with pytest.raises(Corrupt):
            keys.parts("documents", other)
    assert keys.table_of(b"elsewhere") is None


def test_tenant_is_a_text_with_a_name() -> None:
    """Bytes could be chosen that stand where a cut name does."""
    for tenant in ("", b"tenant"):
        with pytest.raises(UsageError):
            Keyspace(tenant)  # type: ignore[arg-type]


def test_cut_texts_stand_as_they_always_did() -> None:
    """A long name is its first 45 bytes, no half code point among them, and 32 digits of its hash; escapes shorten the first."""
    assert key_part("x" * 5_000) == b"x" * 45 + b"#c59d3c0480cc2d71d8f646e735e92da6"
    assert key_part("é" * 5_000) == "é".encode() * 22 + b"#349e5086ea495fe725baa7b08612d860"
    assert key_part("\0" * 60) == b"\0" * 27 + b"#5dcc1b5872dd9ff1c234501f1fefda01"
    for nuls, kept in ((10, 45), (11, 44), (12, 43)):  # 90 bytes with the escapes; one more shortens it by one
        text = "\0" * nuls + "x" * 5_000
        assert key_part(text)[: kept + 1] == text[:kept].encode() + b"#"


@pytest.mark.parametrize("kind", ID_KINDS)
def test_id_of_each_kind_and_length_packs_to_its_bytes_and_back(kind: str) -> None:
    """Twenty to 26 bytes of digits behind the byte of the kind; shorter, longer and odd ones stay text."""
    for count in (20, 26):
        packed = packed_id(f"{kind}_{'0f' * count}")
        assert packed == bytes((ID_KINDS[kind],)) + b"\x0f" * count
        assert unpacked_id(packed) == f"{kind}_{'0f' * count}"
    for digits in ("0f" * 19, "0f" * 27, "0f" * 20 + "0", "0F" * 20):
        assert packed_id(f"{kind}_{digits}") is None
    assert unpacked_id(bytes((ID_KINDS[kind],)) + bytes(19)) is None
    assert unpacked_id(bytes((ID_KINDS[kind],)) + bytes(27)) is None


def test_bytes_are_read_as_an_id_only_where_an_id_stands() -> None:
    """A name that somebody else cut to bytes like those of an id is no id."""
    keys = Keyspace("tenant")
    packed = b"\x07" + b"\x0f" * 20
    assert keys.parts("documents", keys.key("documents", packed, packed, "v")) == (packed, "claim_" + "0f" * 20, "v")


@pytest.mark.parametrize(("table", "between"), [("derivations", ()), ("failures", ()), ("documents", (DOCUMENT,))])
def test_keys_that_are_packed_together_are_those_that_are_packed_one_by_one(
    table: str, between: tuple[str, ...]
) -> None:
    """Whatever stands in them: ids, names, bytes, elements that are cut, numbers."""
    keys = Keyspace("tenant")
    last = (EXTRACTION, "a name", b"\x07" + b"\x0f" * 20, "n" * 400, 7)
    places = [(corpus, *between, each) for each in last for corpus in ("c", "d")]
    assert keys.keys_of(table, places) == [keys.key(table, *place) for place in places]
    assert keys.keys_of(table, []) == []
    with pytest.raises(TooLarge):
        keys.keys_of(table, [("c", *between, 1 << 2_048)])


def test_fields_of_keys_are_kept_for_a_few_thousand_keys() -> None:
    """Those of a page that is gone through again are not read again; memory does not grow with what is read."""
    keys = Keyspace("tenant")
    rows = [keys.key("sections", "c", f"s{n}") for n in range(2_049)]
    for key in (*rows[:2_048], *rows[:2_048]):
        keys.parts("sections", key)
    assert keys._parts.cache_info()[:2] == (2_048, 2_048)
    keys.parts("sections", rows[-1])
    assert keys._parts.cache_info().currsize == 2_048
    assert _id_element.cache_info().maxsize == 32_768


def test_hash_packs_to_its_bytes_and_back() -> None:
    """SHA-256 takes 33 bytes; bytes of another length, or that begin otherwise, are no hash."""
    assert packed_id("0f" * 32) == b"\x1f" + b"\x0f" * 32
    assert unpacked_id(b"\x1f" + b"\x0f" * 32) == "0f" * 32
    for other in (b"\x1f" + bytes(31), b"\x1f" + bytes(20), b"\x20" + bytes(32), b"\x20" + bytes(20)):
        assert unpacked_id(other) is None
    assert packed_id("0f" * 31) is None
    assert packed_id("nothing_" + "0f" * 20) is None


def test_stamp_has_twelve_bytes_wherever_it_stands() -> None:
    """What the engine gives goes in and comes out as it is; one that is cut off is refused."""
    stamp = Stamp(range(12))
    assert pack((stamp,)) == b"\x33" + bytes(range(12))
    assert unpack(pack((stamp,))) == (stamp,)
    assert unpack(pack(("a", stamp, 1))) == ("a", stamp, 1)
    for length in range(12):
        with pytest.raises(ValueError, match="unknown type"):
            unpack(pack((stamp,))[: 1 + length])
    for length in (11, 13):
        with pytest.raises(TypeError):
            pack((Stamp(bytes(length)),))


def test_truth_values_are_no_numbers_in_keys() -> None:
    """True would stand where 1 does."""
    for value in (True, False, 1.5):
        with pytest.raises(TypeError):
            pack((value,))  # type: ignore[arg-type]


@pytest.mark.parametrize("dictionary", [None, *DICTIONARIES])
def test_compressed_values_of_each_form_open_again(dictionary: int | None) -> None:
    """With every dictionary and without; the form says which, and no other form opens it as if it were its own."""
    payload = b'{"kind":"extraction","text":"The supplier shall report incidents."}' * 20
    form, packed = compressed(payload, dictionary) or (0, b"")
    assert form == (PLAIN if dictionary is None else FIRST_DICTIONARY + dictionary)
    assert len(packed) < len(payload) // 3
    assert decompressed(form, packed) == payload
    frame = zstandard.get_frame_parameters(packed)
    assert (frame.content_size, frame.dict_id, frame.has_checksum) == (len(payload), 0, False)


def test_values_that_gain_nothing_stay_as_they_are() -> None:
    """Below 64 bytes nothing is tried; noise of any length does not get shorter."""
    assert compressed(b"a" * 63, None) is None
    assert compressed(b"a" * 64, None) is not None
    assert compressed(os.urandom(500), None) is None


def test_first_byte_of_a_value_says_its_form_for_ever() -> None:
    """1 as it is, 2 a pointer to a blob, 3 compressed, and from 16 on with the dictionary of the number above it."""
    assert [seal(b"key", b"text", form)[0] for form in (WHOLE, POINTER)] == [1, 2]
    payload = b"The clerk shall sign. " * 20
    forms = [seal_compressed(b"key", payload, dictionary)[0] for dictionary in (None, *range(5))]
    assert forms == [3, 16, 17, 18, 19, 20]


def test_value_that_gets_no_shorter_is_not_compressed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where it gets no longer: nobody would have to open it."""
    for saved, gained in ((0, False), (1, True), (-1, False)):
        writer = SimpleNamespace(compress=lambda payload, saved=saved: bytes(len(payload) - saved))
        monkeypatch.setitem(_CODECS.writers, None, writer)
        assert (compressed(b"a" * 100, None) is not None) is gained


def test_forms_that_no_release_has_written_are_refused() -> None:
    """Neither a dictionary of a later release nor the numbers between are guessed at."""
    _, packed = compressed(b"a" * 100, None) or (0, b"")
    for form in (PLAIN + 1, FIRST_DICTIONARY - 1, FIRST_DICTIONARY + len(DICTIONARIES), 255):
        with pytest.raises(Corrupt, match="unknown form"):
            decompressed(form, packed)
    with pytest.raises(Corrupt):
        decompressed(PLAIN, b"no frame at all")


def test_frame_that_claims_more_than_a_value_holds_is_refused_unopened() -> None:
    """A few bytes could claim gigabytes; what says no length at all was not written here either."""
    fits = zstandard.ZstdCompressor().compress(bytes(LONGEST_BYTES))
    assert decompressed(PLAIN, fits) == bytes(1_000_000)
    for frame in (
        zstandard.ZstdCompressor().compress(bytes(1_000_001)),
        zstandard.ZstdCompressor(write_content_size=False).compress(b"a" * 100),
    ):
        with pytest.raises(Corrupt, match="how long"):
            decompressed(PLAIN, frame)
    empty = zstandard.ZstdCompressor().compress(b"")
    assert decompressed(PLAIN, empty) == b""


@pytest.mark.parametrize(
    ("number", "packed"),
    [
        (0, "14"),
        (1, "1501"),
        (255, "15ff"),
        (256, "160100"),
        (2**64 - 2, "1c" + "ff" * 7 + "fe"),
        (2**64 - 1, "1d08" + "ff" * 8),
        (2**64, "1d0901" + "00" * 8),
        (-1, "13fe"),
        (-255, "1300"),
        (-256, "12feff"),
        (-(2**64) + 2, "0c" + "00" * 7 + "01"),
        (-(2**64) + 1, "0bf7" + "00" * 8),
        (-(2**64), "0bf6fe" + "ff" * 8),
    ],
)
def test_numbers_are_packed_as_every_client_packs_them(number: int, packed: str) -> None:
    """Length and sign in front, the fewest bytes behind, and with a length of their own from 2**64 - 1 on."""
    assert pack((number,)).hex() == packed
    assert unpack(bytes.fromhex(packed)) == (number,)
    for cut in range(1, len(packed) // 2):
        with pytest.raises(ValueError, match="cut off"):
            unpack(bytes.fromhex(packed)[:cut])
