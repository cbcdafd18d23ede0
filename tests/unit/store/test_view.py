"""One generation as it is read: which items belong to it, where they are found, and what is no id at all."""

from __future__ import annotations

import os
import socket

import pytest

from coditect.errors import Corrupt, NotFound, UsageError
from coditect.schemas import Chunk, Extraction, Verdict
from coditect.store.item_ids import kind_of
from coditect.store.rows import index_rows, indexed_derivation, optional_entries
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.store.work import process_is_gone
from tests.corpora import CORPUS, DOCUMENTS
from tests.unit.store.items import extraction, section, version


@pytest.mark.parametrize(
    "text",
    [
        "",
        "section",
        "section_",
        "section_0123456789a",
        "topic_0123456789ab",
        "section_0123456789aé",
        "section_0123-56789ab",
    ],
)
def test_text_that_is_no_id_is_told_so(text: str) -> None:
    """A kind that there is, and at least the twelve digits of a tag behind it."""
    with pytest.raises(UsageError, match="not an item id"):
        kind_of(text)


def test_kind_of_an_id_is_what_it_begins_with() -> None:
    """Whatever the length of its hash."""
    assert kind_of("section_0123456789ab") == "section"
    assert kind_of(extraction().extraction_id) == "extraction"


def test_items_of_a_generation_are_its_own_and_found_by_their_ids(built: Store) -> None:
    """Each of every kind; one of another document, another version or another derivation is not."""
    view = open_view(built, CORPUS)
    document_id = next(iter(view.entries))
    items = [
        view.document(document_id),
        view.extractions(document_id)[0],
        view.chunks(document_id)[0],
        view.sections[0],
        next(iter(view.claims.values())),
        next(iter(view.verdicts.values())),
        view.summary,
    ]
    for item in items:
        assert view.holds(item)
        assert view.find(item.item_id) == item
    assert len(view.documents) == len(view.entries) == len(DOCUMENTS)
    assert not view.holds(version())
    assert not view.holds(view.document(document_id).model_copy(update={"version_id": "version_other"}))
    assert not view.holds(extraction())
    assert not view.holds(view.summary.model_copy(update={"summary_id": "summary_other"}))
    verdict: Verdict = next(iter(view.verdicts.values()))
    assert not view.holds(verdict.model_copy(update={"verdict_id": "verdict_other"}))
    with pytest.raises(NotFound, match="unknown item"):
        view.find("section_" + "0" * 52)
    with pytest.raises(NotFound, match="unknown document"):
        view.extractions("document_other")


def test_items_by_their_ids_are_all_there_or_the_store_is_corrupt(built: Store) -> None:
    """In the order of the ids; of tiers 1 and 2 each with its document."""
    view = open_view(built, CORPUS)
    document_id = next(iter(view.entries))
    wanted = view.extractions(document_id)[:3][::-1]
    assert view.items(Extraction, [each.extraction_id for each in wanted], [document_id] * 3) == wanted
    with pytest.raises(Corrupt, match="is missing"):
        view.items(Chunk, ["chunk_" + "0" * 52], [document_id])
    assert view.generation == 1
    assert list(view.each_extraction(document_id)) == view.extractions(document_id)


def test_entries_of_an_index_name_the_derivation_of_their_item(memory: Store) -> None:
    """An id as bytes or, from elsewhere, as text; optional indexes are told apart from required ones."""
    for derivation in ("derivation_1", "derivation_" + "0f" * 26):
        item = section("access").model_copy(update={"derivation_id": derivation})
        ((key, value),) = index_rows(memory.keys, item)
        assert indexed_derivation(memory.keys, key, value) == derivation
        assert optional_entries(item) == ()
    ((name, _, derivation),) = optional_entries(extraction())
    assert (name, derivation) == ("entity", "derivation_1")


def test_process_is_gone_is_never_said_without_knowing() -> None:
    """This one runs; a number that no process can have, another machine, and no number at all prove nothing."""
    host = socket.gethostname()
    assert not process_is_gone(f"{host}/{os.getpid()}/x")
    assert not process_is_gone(f"{host}/{'9' * 30}/x")
    assert not process_is_gone(f"elsewhere/{'4' * 9}/x")
    assert not process_is_gone(f"{host}/self/x")
    assert not process_is_gone("")
