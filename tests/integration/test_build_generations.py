"""Generations that readers have seen stay as they were; one that is not proven is never seen."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from coditect.errors import ModelError, NotFound, QuoteNotFound, Unavailable, Unsupported, UsageError
from coditect.integrity.validate import validate
from coditect.knowledge.building import summary as upper
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.query.drilldown import chain, drill_down
from coditect.schemas import Source, Verdict
from coditect.store.generations import generations
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.verify.checker import check
from tests.corpora import CORPUS, DOCUMENTS, MODELS, SETTINGS, build_all, clock, feed, folder_of, ingest_all
from tests.places import lmdb_only, open_at


def _all_of(view: View) -> dict[str, Any]:
    """Everything that a generation shows."""
    return {
        "manifest": view.manifest,
        "generation": view.generation,
        "texts": {document_id: view.text(document_id) for document_id in view.entries},
        "documents": view.documents,
        "extractions": {document_id: view.extractions(document_id) for document_id in view.entries},
        "chunks": list(view.all_chunks()),
        "sections": view.sections,
        "claims": view.claims,
        "verdicts": view.verdicts,
        "summary": view.summary,
    }


def _second(store: Store, folder: Path) -> None:
    """One document changed, one withdrawn, one new."""
    changed = {name: text for name, text in DOCUMENTS.items() if name != "retention.txt"}
    changed["access.md"] = changed["access.md"].replace("90 days", "60 days")
    changed["new.md"] = "# Clean Desk Policy\n\nEmployees shall lock papers away within 1 hour.\n"
    ingest_all(store, folder_of(folder / "second", changed), sync=True)
    build_all(store)


def _third(store: Store, folder: Path) -> None:
    """Only one document is left."""
    ingest_all(store, folder_of(folder / "third", {"incident.md": DOCUMENTS["incident.md"]}), sync=True)
    build_all(store)


def test_views_of_earlier_generations_are_exactly_as_they_were(built: Store, tmp_path: Path) -> None:
    """Texts, items, verdicts: as of 1 and as of 2 say after the third build what they said when they were current."""
    first = _all_of(open_view(built, CORPUS))
    _second(built, tmp_path)
    second = _all_of(open_view(built, CORPUS))
    assert second != first
    _third(built, tmp_path)
    assert _all_of(open_view(built, CORPUS, 1)) == first
    assert _all_of(open_view(built, CORPUS, 2)) == second
    assert open_view(built, CORPUS).generation == 3
    for generation in (1, 2, 3, None):
        report = validate(built, CORPUS, as_of=generation)
        assert (report.findings, report.generation) == ((), generation or 3)


def test_a_view_that_is_open_does_not_move(built: Store, tmp_path: Path) -> None:
    """What was opened before a build and is read after it is the old generation, whole."""
    expected = _all_of(open_view(built, CORPUS))
    held = open_view(built, CORPUS)
    _second(built, tmp_path)
    assert _all_of(held) == expected


def _leaves(source: Source) -> list[Source]:
    return [leaf for each in source.sources for leaf in _leaves(each)] if source.sources else [source]


def test_drill_down_of_an_id_that_only_an_earlier_generation_had_leads_to_its_evidence(
    built: Store, tmp_path: Path
) -> None:
    """An id in an old report is worth something: claims, sections, chunks and extractions of generation 1."""
    old = open_view(built, CORPUS)
    texts = {document_id: old.text(document_id) for document_id in old.entries}
    _second(built, tmp_path)
    _third(built, tmp_path)
    now = open_view(built, CORPUS)
    gone: dict[str, str] = {}
    for item in (*old.claims.values(), *old.sections, *old.all_chunks()):
        if not now.holds(item):
            gone.setdefault(item.record_kind, item.item_id)
    assert set(gone) == {"claim", "section", "chunk"}
    for item_id in gone.values():
        with pytest.raises(NotFound):
            drill_down(built, item_id, as_of=3)
        assert drill_down(built, item_id) == drill_down(built, item_id, as_of=1)
        leaves = _leaves(chain(built, item_id))
        assert leaves
        for leaf in leaves:
            assert leaf.tier == 1
            assert texts[leaf.document_id][leaf.char_offset_start : leaf.char_offset_end] == leaf.text
            assert leaf.raw_sha256 == old.documents[leaf.document_id].raw_sha256
        assert drill_down(built, leaves[0].item_id) == []


def test_drill_down_of_what_never_was_says_so(built: Store) -> None:
    """An unknown id, another corpus and an unknown generation are three different errors, none of them a traceback."""
    section = open_view(built, CORPUS).sections[0].section_id
    for item_id in ("section_" + "0" * 40, section[:-1] + ("0" if section[-1] != "0" else "1")):
        with pytest.raises(NotFound):
            drill_down(built, item_id)
    with pytest.raises(NotFound):
        drill_down(built, section, corpus_id="another")
    for number in (0, 2, -1):
        with pytest.raises(NotFound):
            drill_down(built, section, as_of=number)
    for nonsense in (
        "",
        "section",
        "section_",
        "x_" + "0" * 40,
        "section_\0",
        "section_ä" * 9,
        "derivation_" + "0" * 40,
    ):
        with pytest.raises(UsageError):
            drill_down(built, nonsense)


@pytest.mark.parametrize(
    "error",
    [ValueError("x"), KeyError("x"), ZeroDivisionError(), QuoteNotFound("x"), ModelError("the service is down")],
)
def test_build_whose_checker_fails_is_not_published(
    error: Exception, built: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A validator that raises publishes nothing: readers keep the generation that they have, and the feed is silent."""
    before, events = _all_of(open_view(built, CORPUS)), feed(built, CORPUS)

    def broken(*_: object) -> None:
        raise error

    monkeypatch.setattr(upper, "check", broken)
    with pytest.raises(Unsupported) as caught:
        _second(built, tmp_path)
    assert caught.value.hint
    assert _all_of(open_view(built, CORPUS)) == before
    assert [event.event for event in feed(built, CORPUS)[len(events) :]] == ["ingested"]
    assert len(generations(built, CORPUS)) == 1
    assert validate(built, CORPUS).findings == ()
    monkeypatch.undo()
    assert build_all(built).generation == 2
    assert validate(built, CORPUS).findings == ()


def test_build_whose_checker_fails_halfway_is_not_published(
    built: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also at the last claim."""
    calls = 0
    last = len(open_view(built, CORPUS).claims) // 2

    def tired(*arguments: Any) -> object:  # noqa: ANN401 - what check takes
        nonlocal calls
        calls += 1
        if calls > last:
            raise ArithmeticError("tired")
        return check(*arguments)

    monkeypatch.setattr(upper, "check", tired)
    with pytest.raises(Unsupported):
        _second(built, tmp_path)
    assert open_view(built, CORPUS).generation == 1
    assert calls > last


def test_build_whose_checker_refuses_everything_publishes_no_claim(
    built: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused claims are counted and kept, not published."""

    def strict(claim: Any, evidence: Any, minimum: float) -> object:  # noqa: ANN401 - what check takes
        verdict = check(claim, evidence, minimum).model_dump()
        del verdict["verdict_id"]
        verdict.update(published=False, label="unsupported", support_score=0.0, checker="strict/1")
        return Verdict.create(**verdict)

    monkeypatch.setattr(upper, "check", strict)
    _second(built, tmp_path)
    view = open_view(built, CORPUS)
    assert view.generation == 2
    assert view.summary.claims == ()
    assert len(view.summary.filtered) == view.manifest.counts["filtered_claims"] > 0
    assert set(view.verdicts) == set(view.summary.filtered)


@lmdb_only("its files can be removed beneath it")
def test_build_whose_store_is_removed_meanwhile_is_not_published(tmp_path: Path) -> None:
    """What nobody can read is not said to be there."""
    path = tmp_path / "store"

    def remove(stage: str, done: int, total: int) -> None:
        shutil.rmtree(path, ignore_errors=True)

    with closing(open_at(path)) as engine:
        store = Store(engine)
        ingest_all(store, folder_of(tmp_path / "documents", DOCUMENTS))
        with pytest.raises(Unavailable, match="removed or replaced"):
            build(store, CORPUS, SETTINGS, clock=clock, jobs=1, models=MODELS, progress=remove)
