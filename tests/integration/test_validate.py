"""Validation of whole stores: what it reads, what it is not fooled by, and whom it refuses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from coditect.engine.port import Transaction
from coditect.errors import NotFound, Unavailable
from coditect.integrity.validate import validate
from coditect.keyspace import LAYOUT, seal, unseal
from coditect.knowledge.building import pipeline as building
from coditect.knowledge.building.identity import UPPER_VERSIONS
from coditect.knowledge.query.drilldown import drill_down
from coditect.schemas import Claim, Generation, Section, SectionPart, Verdict
from coditect.store.blobs import blob_rows, put_rows
from coditect.store.generations import create_corpus
from coditect.store.rows import row_name
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.verify.checker import Evidence
from coditect.verify.judges import recheck
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, folder_of, ingest_all, table_rows

T = TypeVar("T")

TABLES = [name for name, table in LAYOUT.items() if not table.transient]


def test_validate_reads_every_row(built: Store) -> None:
    """What the report says was checked is what is stored, table by table."""
    report = validate(built, CORPUS)
    assert report.clean
    stored = {table: len(table_rows(built.engine, built, table)) for table in TABLES}
    assert {table: report.checked.get(table, 0) for table in TABLES} == stored
    assert report.checked["characters"] == sum(
        len(open_view(built, CORPUS).text(d)) for d in open_view(built, CORPUS).entries
    )


def test_validate_twice_says_the_same_but_for_the_time(built: Store) -> None:
    """Validation writes nothing and depends on nothing else."""
    first, second = (validate(built, CORPUS).model_copy(update={"seconds": 0.0}) for _ in range(2))
    assert first == second


def test_validate_of_what_is_not_there_is_not_found(built: Store) -> None:
    """An unknown corpus, a corpus that was never built, and a generation that never was."""
    create_corpus(built, "empty", "", clock())
    for corpus, as_of in (("unknown", None), ("empty", None), ("empty", 1), (CORPUS, 2), (CORPUS, 0), (CORPUS, -1)):
        with pytest.raises(NotFound) as caught:
            validate(built, corpus, as_of=as_of)
        assert caught.value.hint


def test_validate_tells_its_progress(built: Store) -> None:
    """Stages, and numbers that grow."""
    told: list[tuple[str, int, int]] = []
    validate(built, CORPUS, progress=lambda stage, done, total: told.append((stage, done, total)))
    assert {f"reading {table}" for table in TABLES if table != "feed"} <= {stage for stage, _, _ in told}
    assert told[-1] == ("comparing with the text", len(DOCUMENTS), len(DOCUMENTS))


@pytest.mark.parametrize("corpus", ["🗝️" * 60, "c" * 200, "a/b", "ä" * 30])
def test_validate_of_a_corpus_with_any_name_is_clean_and_its_items_are_found(
    corpus: str, memory: Store, documents: Path
) -> None:
    """Long ids are cut in keys; nothing that is told from keys may depend on it."""
    ingest_all(memory, documents, corpus=corpus)
    build_all(memory, corpus=corpus)
    report = validate(memory, corpus)
    assert report.findings == ()
    assert report.checked["idx/topic"] == len(table_rows(memory.engine, memory, "idx/topic"))
    view = open_view(memory, corpus)
    for item in (*view.sections, *view.claims.values()):
        assert view.find(item.item_id) == item
        assert drill_down(memory, item.item_id)


def test_store_that_ceases_to_answer_is_no_finding(built_once: MemoryStore) -> None:
    """Whenever it does: the check ends with what the engine said, and never calls a sound row damaged."""

    class Ceasing(MemoryEngine):
        left = 1_000_000

        def read(self, fn: Callable[[Transaction], T]) -> T:
            self.left -= 1
            if self.left < 0:
                raise Unavailable("the cluster does not answer")
            return super().read(fn)

    engine = Ceasing(built_once)
    store = Store(engine)
    assert validate(store, CORPUS).clean
    reads = 1_000_000 - engine.left
    for left in range(1, reads - 1, max(1, reads // 25)):
        engine.left = left
        with pytest.raises(Unavailable):
            validate(store, CORPUS)


def test_validate_of_one_corpus_is_not_concerned_with_another(built: Store, documents: Path) -> None:
    """Damage in a neighbour, in this tenant or another, is the neighbour's finding."""
    ingest_all(built, documents, corpus="neighbour")
    build_all(built, corpus="neighbour")
    stranger = Store(built.engine, "stranger")
    ingest_all(stranger, documents)
    build_all(stranger)
    tables = {"extractions": "neighbour", "idx/term": "neighbour"}
    for table, corpus in tables.items():
        key = next(
            k
            for k in table_rows(built.engine, built, table)
            if built.keys.parts(table, k)[LAYOUT[table].corpus_field] == corpus
        )
        built.engine.run(lambda transaction, key=key: transaction.set(key, b"x"))  # type: ignore[misc]
    begin, end = stranger.keys.bounds("claims")
    built.engine.run(lambda transaction: transaction.clear_range(begin, end))
    assert validate(built, CORPUS).clean
    assert len(validate(built, "neighbour").findings) >= len(tables)
    assert not validate(stranger, CORPUS).clean


def test_validate_of_what_a_kill_left_behind_is_clean(
    built: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half a blob, items without a derivation, a draft without a generation: nothing points to them, nothing is wrong."""

    def killed(*_: Any) -> None:  # noqa: ANN401 - as _publish
        raise KeyboardInterrupt

    ingest_all(built, folder_of(tmp_path, {"new.md": "# Clean Desk\n\nEmployees shall lock papers away each day.\n"}))
    for name in ("draft_manifest", "_publish"):
        monkeypatch.setattr(building, name, killed)
        with pytest.raises(KeyboardInterrupt):
            build_all(built)
        assert validate(built, CORPUS).findings == ()
        monkeypatch.undo()
    digest, rows = blob_rows(built.keys, CORPUS, bytes(250_000))
    put_rows(built.engine, rows[:1])
    assert validate(built, CORPUS).findings == ()
    put_rows(built.engine, [(rows[1][0], rows[1][1][:-1] + b"x")])
    assert [f.record for f in validate(built, CORPUS).findings] == [f"blobs/{CORPUS}/{digest}/1"]


def _section_with(built: Store, change: Callable[[Section], Section]) -> str:
    """Publish a generation in which one section is another, with an id that is right."""
    view = open_view(built, CORPUS)
    wanted = next(s for s in view.sections if any(part.type == "extractive" for part in s.content))
    fields = change(wanted).model_dump()
    del fields["section_id"]
    forged = Section.create(**fields)
    built.put_items([forged])
    sections = tuple((d, forged.section_id if s == wanted.section_id else s) for d, s in view.manifest.sections)
    draft = view.manifest.model_copy(update={"sections": sections})
    fields = draft.model_dump()
    del fields["build_id"]
    manifest = type(draft).create(**fields)
    built.put_items([manifest])
    for table, record, place in (
        ("corpus", built.corpus(CORPUS), ()),
        ("generations", next(r for _, r in built.scan("generations", Generation, CORPUS)), (1,)),
    ):
        updated = record.model_copy(update={"build_id": manifest.build_id})
        key = built.keys.key(table, CORPUS, *place)
        row = (key, seal(built.keys.relative(key), updated.payload()))
        built.engine.run(lambda transaction, row=row: transaction.set(*row))  # type: ignore[misc]
    return forged.section_id


def _misquote(section: Section) -> Section:
    part = next(part for part in section.content if part.type == "extractive")
    changed = part.model_copy(update={"content": part.content.replace("shall", "need not") + "!"})
    return section.model_copy(update={"content": tuple(changed if p is part else p for p in section.content)})


def _talk(section: Section) -> Section:
    prose = SectionPart(type="synthetic", content="In short, all is well with this company. " * 40)
    return section.model_copy(update={"content": (*section.content, prose)})


@pytest.mark.parametrize(("change", "check"), [(_misquote, "citations"), (_talk, "synthesis")])
def test_validate_is_not_fooled_by_a_forgery_with_right_hashes(
    change: Callable[[Section], Section], check: str, built: Store
) -> None:
    """Someone writes a section that quotes what is not there, or talks too much, and makes every id and checksum anew."""
    section_id = _section_with(built, change)
    report = validate(built, CORPUS)
    assert any(f.check == check and section_id in f.record for f in report.findings), report.findings
    fewer = validate(built, CORPUS, citations=check != "citations", synthesis_ratios=check != "synthesis")
    assert not any(f.check == check and section_id in f.record for f in fewer.findings)


def test_validate_of_an_empty_engine_is_not_found() -> None:
    """Nothing at all is an unknown corpus, not a finding."""
    with pytest.raises(NotFound):
        validate(Store(MemoryEngine()), CORPUS)


@pytest.mark.parametrize("table", ["documents", "extractions", "chunks", "passages", "sections", "claims", "verdicts"])
@pytest.mark.parametrize("both", [True, False], ids=["swapped", "copied"])
def test_validate_finds_items_in_the_place_of_others(built: Store, table: str, both: bool) -> None:
    """A row that opens, because it was sealed for its new place, is a finding and no defect, whatever depends on it."""
    rows = list(table_rows(built.engine, built, table).items())
    (first, one), (last, other) = rows[0], rows[-1]
    moved = {last: one, first: other} if both else {last: one}
    origin = {last: first, first: last}

    def body(transaction: Transaction) -> None:
        for key, value in moved.items():
            form, payload = unseal(built.keys.relative(origin[key]), value)
            transaction.set(key, seal(built.keys.relative(key), payload, form))

    built.engine.run(body)
    found = {finding.record for finding in validate(built, CORPUS).findings}
    assert {row_name(built.keys, key) for key in moved} <= found


@pytest.mark.parametrize("others", [False, True])
def test_claims_that_rules_of_another_release_made_are_no_fault(
    documents: Path, monkeypatch: pytest.MonkeyPatch, others: bool
) -> None:
    """What a claim tells is found again by today's rules; where the step that made it names other ones, a difference is counted."""
    if others:
        monkeypatch.setitem(UPPER_VERSIONS, "conflicts", "conflicts/1")
    store = Store(MemoryEngine())
    ingest_all(store, documents)
    build_all(store)
    assert validate(store, CORPUS).clean

    def otherwise(claim: Claim, evidence: Evidence, minimum: float, stored: Verdict) -> Verdict:
        found = recheck(claim, evidence, minimum, stored)
        return found.model_copy(update={"support_score": round(1.0 - found.support_score, 3)})

    monkeypatch.setattr("coditect.integrity.validate.recheck", otherwise)
    report = validate(store, CORPUS)
    counted = sum(count for name, count in report.checked.items() if "rules of another release" in name)
    told = sum("another verdict" in each.message for each in report.findings)
    claims = len(open_view(store, CORPUS).claims)
    assert (counted, told) == ((claims, 0) if others else (0, claims))
    assert claims
    assert report.clean is others
