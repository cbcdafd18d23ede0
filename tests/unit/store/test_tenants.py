"""Tenants and corpora on one engine do not see each other, whatever they are called."""

from __future__ import annotations

from itertools import permutations

import pytest

from coditect.errors import NotFound, UsageError
from coditect.keyspace import key_part, part_text
from coditect.schemas import Section
from coditect.store.generations import create_corpus
from coditect.store.item_ids import locate
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import clock, feed
from tests.unit.store.items import section

LONG = "t" * 5_000
UNSEEN = ("a\u200bb", "\u202eab", "a\u2028b")
TENANTS = ("a", "a\0", "a\0b", "b", "ab", "A", "ä", LONG, LONG + "x", part_text(key_part(LONG)), "🗝️" * 300, "a\udcff")


@pytest.mark.parametrize(("mine", "theirs"), list(permutations(TENANTS, 2)))
def test_store_of_one_tenant_sees_nothing_of_another(mine: str, theirs: str) -> None:
    """Corpora, items, index entries, locators and feed of another tenant do not exist, under the very same ids."""
    engine = MemoryEngine()
    own, other = Store(engine, mine), Store(engine, theirs)
    create_corpus(own, "c", "", clock())
    item = section("access")
    own.put_items([item])
    assert [corpus.corpus_id for corpus in own.corpora()] == ["c"]
    assert other.corpora() == []
    assert other.get("sections", Section, "c", item.section_id) is None
    assert list(other.scan("sections", Section)) == []
    assert list(other.scan_index("idx/topic", "access")) == []
    assert locate(other, item.section_id) == []
    assert feed(other, "c") == []
    with pytest.raises(NotFound):
        other.corpus("c")
    create_corpus(other, "d", "", clock())
    assert [corpus.corpus_id for corpus in own.corpora()] == ["c"]


@pytest.mark.parametrize("corpus", ["c", "🗝️" * 60, "c" * 200, "ä" * 200])
def test_locate_finds_an_item_by_its_id_in_a_corpus_of_any_name(memory: Store, corpus: str) -> None:
    """A long corpus id is cut in keys; the item still leads to the corpus as it is called."""
    create_corpus(memory, corpus, "", clock())
    item = section("access", corpus)
    memory.put_items([item])
    assert locate(memory, item.section_id) == [(corpus, "")]
    assert list(memory.scan("sections", Section, corpus)) == [((key_part(corpus), item.section_id), item)]
    assert [found.corpus_id for found in memory.corpora()] == [corpus]


def test_corpora_with_ids_that_begin_alike_are_two(memory: Store) -> None:
    """Also where the cut form of one is the id of the other."""
    long = "c" * 180
    names = [long, long + "d", part_text(key_part(long)), "c"]
    for name in names:
        create_corpus(memory, name, name, clock())
        memory.put_items([section("access", name)])
    assert sorted(corpus.name for corpus in memory.corpora()) == sorted(names)
    for name in names:
        assert [record.corpus_id for _, record in memory.scan("sections", Section, name)] == [name]


@pytest.mark.parametrize(
    "corpus",
    ["", " a", "a ", "a\nb", "a\0b", "a\udcff", "x" * 201, "\u00a0", "a\x7f", "a\u200bb", "\u202eab", "a\u2028b"],
)
def test_create_corpus_refuses_what_is_no_id(memory: Store, corpus: str) -> None:
    """Ids that people cannot type or see are refused, with the way out."""
    with pytest.raises(UsageError) as caught:
        create_corpus(memory, corpus, "", clock())
    assert caught.value.hint
    assert memory.corpora() == []


@pytest.mark.parametrize("corpus", ["a\udcff", "", "\0", "x" * 5_000])
def test_corpus_that_cannot_exist_is_not_found(memory: Store, corpus: str) -> None:
    """Whatever a command line hands over, the answer is an error of ours."""
    with pytest.raises(NotFound):
        memory.corpus(corpus)
