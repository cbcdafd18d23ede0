"""Which release can keep an optional index."""

from __future__ import annotations

from dataclasses import replace

import pytest

from coditect.engine.limits import TRANSACTION_BYTES
from coditect.schemas import CrossReferenceData
from coditect.schemas.store import IndexState
from coditect.store.blobs import put_rows
from coditect.store.indexes import definitions, states
from coditect.store.indexes.states import is_foreign, is_former
from coditect.store.store import Store

KNOWN = definitions.optional_indexes()["entity"]


def _state(name: str, version: int) -> IndexState:
    return IndexState(name=name, version=version, table=1, state="readable", build="b")


@pytest.mark.parametrize(
    ("name", "version", "former", "foreign"),
    [
        ("entity", KNOWN.version, False, False),
        ("entity", KNOWN.version + 1, False, True),
        ("given up", 1, True, False),
        ("given up", 9, True, False),
        ("of tomorrow", 1, False, True),
    ],
)
def test_index_is_kept_unless_an_earlier_or_a_later_release_knows_it(
    monkeypatch: pytest.MonkeyPatch, name: str, version: int, former: bool, foreign: bool
) -> None:
    """The version of this release is kept; what it gave up is former; what it never knew is another release's."""
    monkeypatch.setitem(definitions.FORMER_INDEXES, "given up", "idx/entity")
    assert is_former(_state(name, version)) is former
    assert is_foreign(_state(name, version)) is foreign


def test_index_of_an_earlier_version_is_former(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that was written by the release before has it; this one keeps the next version."""
    later = replace(KNOWN, version=3)
    monkeypatch.setattr(states, "optional_indexes", lambda: {"entity": later})
    assert [is_former(_state("entity", version)) for version in (2, 3, 4)] == [True, False, False]
    assert [is_foreign(_state("entity", version)) for version in (2, 3, 4)] == [False, False, True]


def test_rows_of_more_than_a_transaction_are_stored(memory: Store) -> None:
    """Whoever stores them need not know how much a transaction takes."""
    value = b"x" * 90_000
    rows = [(memory.keys.key("blobs", "c", "0" * 64, number), value) for number in range(TRANSACTION_BYTES // 40_000)]
    put_rows(memory.engine, rows)
    stored = memory.engine.read(lambda transaction: transaction.get_many([key for key, _ in rows]))
    assert stored == [value] * len(rows)


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"target_kind": "policy", "target": "Access  Control\nPolicy"}, ("Access Control Policy",)),
        ({"target_kind": "document", "document": "Data Schedule", "target": "it"}, ("Data Schedule",)),
        ({"target_kind": "policy", "target": "this Policy", "internal": True}, ()),
        ({"target_kind": "section", "target": "Section 4"}, ()),
        ({"target_kind": "policy"}, ()),
    ],
)
def test_documents_that_are_named_are_those_of_the_company_elsewhere(
    fields: dict[str, str | bool], names: tuple[str, ...]
) -> None:
    """A policy or document by its name on one line; no place, nothing inside the document, nothing without a name."""
    assert definitions.named_documents(CrossReferenceData.model_validate(fields)) == names
