"""Vectors of tokens in few bits: what is stored comes back, near what it was, and what is no block is told so."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from coditect.errors import Corrupt
from coditect.models.cards import card_for
from coditect.models.port import ReadTokens
from coditect.models.rows import unit_rows
from coditect.schemas import Derivation
from coditect.store.embedded.tokens import CodedTokens, TokenBlock, TokenVectorStore, _packed, _parsed, coded, decoded
from coditect.store.embedded.vectors import finish_vectors
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine

ITEMS = ("passage_1", "passage_2", "passage_3")
SOURCE = Derivation.create("c", "passages", ("version_1",), "rules", {}, "1", ITEMS)
GOLDEN = Path(__file__).parent / "golden" / "token-vectors-1.bin"


def _read(count: int, dimension: int = 64, seed: int = 0) -> ReadTokens:
    chance = np.random.default_rng(seed)
    return ReadTokens(chance.integers(0, 30_000, count), unit_rows(chance.standard_normal((count, dimension))))


def _store() -> TokenVectorStore:
    store = Store(MemoryEngine())
    store.put_derivations([SOURCE])
    return TokenVectorStore(
        store, "c", card_for("model@000000000000", 384, name="of tests"), "units/1-passage-0-tokens-x"
    )


def test_coded_vectors_are_near_what_they_were() -> None:
    """Four bits a value keep the direction: a cosine of .99 with what it was, of unit length."""
    read = _read(500)
    found = coded(read)
    order = np.argsort(read.ids, kind="stable")
    assert found.ids.tolist() == sorted(read.ids.tolist())
    assert found.codes.shape == (500, 32)
    again = decoded(found.codes)
    assert again.dtype == np.float32
    assert np.linalg.norm(again, axis=1) == pytest.approx(1)
    assert (again * read.vectors[order]).sum(axis=1).min() > 0.98
    assert (again * read.vectors[order]).sum(axis=1).mean() > 0.99


def test_values_beyond_the_steps_are_the_last_ones() -> None:
    """A vector along one direction is the farthest that there is."""
    (row,) = decoded(coded(ReadTokens(np.zeros(1, np.int64), np.eye(64, dtype=np.float32)[:1])).codes)
    assert row.argmax() == 0
    assert row[0] == pytest.approx(7.5 / np.sqrt(7.5**2 + 63 * 0.5**2))
    assert np.abs(row[1:]) == pytest.approx(0.5 / np.sqrt(7.5**2 + 63 * 0.5**2))


def test_blocks_come_back_with_their_items() -> None:
    """Only those outputs that were read, one without tokens among them; nothing counts before it is finished."""
    tokens = _store()
    block = TokenBlock((ITEMS[0], ITEMS[2]), (coded(_read(5)), coded(_read(0))))
    done = tokens.prepare(SOURCE, block)
    assert tokens.get([SOURCE.derivation_id]) == {}
    finish_vectors(tokens.store, "c", [done])
    found = tokens.through(tokens.store).get([SOURCE.derivation_id, "derivation_of_nothing"])
    assert list(found) == [SOURCE.derivation_id]
    again = found[SOURCE.derivation_id]
    assert again.item_ids == block.item_ids
    assert [each.ids.tolist() for each in again.tokens] == [each.ids.tolist() for each in block.tokens]
    assert again.tokens[0].codes.tolist() == block.tokens[0].codes.tolist()
    assert done.derivation_id == tokens.id_for(SOURCE.derivation_id)


def test_a_block_of_this_version_is_read_for_ever() -> None:
    """The bytes that release 0.1 wrote."""
    positions, tokens = _parsed(GOLDEN.read_bytes(), "derivation_1")
    wanted = CodedTokens(np.asarray([3, 7], np.uint16), np.asarray([[0x10, 0x32], [0xFE, 0x80]], np.uint8))
    assert positions == [0, 2]
    assert [each.ids.tolist() for each in tokens] == [[3, 7], []]
    assert tokens[0].codes.tolist() == wanted.codes.tolist()
    assert _packed([0, 2], [wanted, CodedTokens(wanted.ids[:0], wanted.codes[:0])]) == GOLDEN.read_bytes()


def test_a_block_without_units_is_one() -> None:
    """A document may have no passages."""
    assert _parsed(_packed([], []), "derivation_1") == ([], ())


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0" * 11,
        _packed([0], [coded(_read(3))])[:-1],
        _packed([0], [coded(_read(3))]) + b"\0",
        _packed([1, 1], [coded(_read(1)), coded(_read(2))]),
        struct.pack("<III", 1, 1, 1) + struct.pack("<II", 0, 2) + b"\0\0\0",
    ],
    ids=["empty", "half a head", "cut off", "longer", "a position twice", "another number of tokens"],
)
def test_what_is_no_block_is_damage(data: bytes) -> None:
    """It is told so, by the name of its derivation."""
    with pytest.raises(Corrupt, match="token vectors") as told:
        _parsed(data, "derivation_1")
    assert told.value.context["derivation_id"] == "derivation_1"


def test_blocks_that_reach_beyond_the_outputs_are_damage() -> None:
    """Another derivation than the one that they were made of."""
    tokens = _store()
    longer = Derivation.create("c", "passages", ("version_1",), "rules", {}, "1", (*ITEMS, "passage_4"))
    object.__setattr__(longer, "derivation_id", SOURCE.derivation_id)
    done = tokens.prepare(longer, TokenBlock(("passage_4",), (coded(_read(2)),)))
    finish_vectors(tokens.store, "c", [done])
    with pytest.raises(Corrupt, match="do not fit"):
        tokens.get([SOURCE.derivation_id])
