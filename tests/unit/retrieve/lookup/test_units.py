"""Items of one document as search indexes see them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from coditect.retrieve.local.routing import Route
from coditect.retrieve.lookup.live import LiveIndex
from coditect.retrieve.lookup.references import Resolver
from coditect.retrieve.units import NOTHING_SAID, DocumentUnits
from coditect.schemas import DocumentVersion
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.store.store import Store
from coditect.store.view import View, open_view
from tests.places import open_at
from tests.unit.retrieve.lookup.built import RULES, built_at

TEXT = (
    "# Keys\n\n1.1 The clerk shall keep the keys as section 1.2 says.\n\n"
    "1.2 The guard shall lock the gate as section 1.1 says.\n"
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A built corpus of one document, without passages."""
    return built_at(tmp_path_factory.mktemp("units") / "store", {"keys.md": TEXT})


@pytest.fixture
def view(place: Path) -> Iterator[View]:
    """The corpus."""
    with closing(open_at(place)) as engine:
        yield open_view(Store(engine), RULES)


def test_statements_are_listed_where_a_passage_names_them(view: View) -> None:
    """They stand for it in search; in a document without passages none does."""
    (document,) = view.documents
    units = list(DocumentUnits(view, document, 0).of("extraction"))
    assert units
    assert not any(unit.listed for unit in units)
    named = DocumentUnits(view, document, 0)
    named.passages = [SimpleNamespace(proposition_ids=(units[0].item_id,))]  # type: ignore[list-item]
    assert [unit.item_id for unit in named.of("extraction") if unit.listed] == [units[0].item_id]
    assert not any(unit.listed for unit in named.of("extraction", to_embed=True))


def test_units_to_embed_have_the_words_and_nothing_to_filter_by(view: View) -> None:
    """Spans of a few words are no units in either case."""
    (document,) = view.documents
    units = list(DocumentUnits(view, document, 0).of("extraction"))
    bare = list(DocumentUnits(view, document, 0).of("extraction", to_embed=True))
    assert [(unit.item_id, unit.embedded) for unit in bare] == [(unit.item_id, unit.embedded) for unit in units]
    assert all((unit.said, unit.chunks) == (NOTHING_SAID, ()) for unit in bare)
    assert all(unit.said != NOTHING_SAID and len(unit.chunks) == 1 for unit in units)
    spans = {e.extraction_id for e in view.extractions(document) if e.extraction_kind in SPAN_KINDS}
    assert spans
    assert spans.isdisjoint(unit.item_id for unit in units)
    (chunk, *_) = DocumentUnits(view, document, 0).of("chunk")
    assert chunk.chunks == (chunk.item_id,)
    assert chunk.said != NOTHING_SAID


def test_text_of_a_document_is_read_once_for_its_references(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands before each of them is looked at."""
    (document,) = view.documents
    references = [e for e in view.extractions(document) if e.extraction_kind == "cross_reference"]
    assert len(references) == 2
    read: list[str] = []
    text_of = View.text_of

    def noted(self: View, version: DocumentVersion) -> str:
        read.append(version.name)
        return text_of(self, version)

    monkeypatch.setattr(View, "text_of", noted)
    resolver = Resolver(view, LiveIndex(view))
    before = len(read)
    for each in references:
        resolver._coded_before(each)
    assert len(read) == before + 1


def test_words_that_count_less_than_half_only_say_which_document_is_meant() -> None:
    """They are dropped inside of it."""
    route = Route({}, (), {"policy": 0.2, "gate": 0.5, "key": 0.49, "lock": 1.0})
    assert route.dropped == {"policy", "key"}
