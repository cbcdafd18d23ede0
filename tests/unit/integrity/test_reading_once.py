"""A corpus without faults is read once; how far a reading is told; how long it took; and what is named of what is damaged."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from coditect.errors import NotFound
from coditect.integrity import tables, validate
from coditect.integrity.rows.blobs import WholeBlobs
from coditect.integrity.rows.commitments import Commitments
from coditect.integrity.rows.entries import IndexEntries
from coditect.integrity.sweeping import inventory
from coditect.integrity.sweeping import sweep as sweeping
from coditect.integrity.sweeping.sweep import sweep
from coditect.schemas import Corpus, tag_of
from coditect.store.store import Store
from tests.corpora import CORPUS

Told = list[tuple[str, int, int]]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that begins at 10 s and ends at 12.34567 s of the process' clock."""
    for module in (validate, sweeping):
        times = iter([10.0, 12.34567])
        monkeypatch.setattr(module, "time", _Clock(times))


class _Clock:
    def __init__(self, times: Any) -> None:  # noqa: ANN401 - an iterator
        self.perf_counter = times.__next__


def test_what_was_read_is_not_read_again(built: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where everything is there, and is what is committed to: a corpus may have millions of rows."""
    again: list[str] = []

    def noted(name: str, own: Any) -> Any:  # noqa: ANN401 - a method
        def call(self: object, *given: Any) -> Any:  # noqa: ANN401 - as the method's
            again.append(f"{name} {given[0] if given else ''}")
            return own(self, *given)

        return call

    for cls, name in (
        (Commitments, "_payload"),
        (WholeBlobs, "_read_again"),
        (IndexEntries, "_name_missing"),
        (IndexEntries, "_unexpected"),
        (tables._RecordCheck, "_documents_of"),
    ):
        monkeypatch.setattr(cls, name, noted(name, getattr(cls, name)))
    assert validate.check_rows(built, CORPUS).findings == ()
    assert [each for each in again if not each.startswith("_payload")] == []
    # The step of the summary commits to the sections as well, each of which came out of a step of its own.
    kinds = Counter(each.partition(" ")[2].partition("_")[0] for each in again)
    assert kinds == {"summary": 1, "section": validate.check_rows(built, CORPUS).checked["sections"]}


@pytest.mark.usefixtures("clock")
def test_rows_of_a_corpus_without_faults_are_counted_and_told_page_by_page(built: Store) -> None:
    """Of how many pages a table has nobody knows the total; of no generation is anything said."""
    told: Told = []
    report = validate.check_rows(built, CORPUS, progress=lambda *each: told.append(each))
    assert (report.clean, report.generation, report.build_id, report.seconds) == (True, 0, "", 2.346)
    stages = Counter(stage for stage, _, _ in told)
    seen: Counter[str] = Counter()
    for stage, done, total in told:
        seen[stage] += 1
        assert (done, total) == (seen[stage], 0)
    assert {"reading documents", "reading extractions", "reading corpus"} <= set(stages)
    assert report.checked["corpus"] == 1
    assert list(report.checked) == sorted(report.checked)


@pytest.mark.usefixtures("clock")
def test_documents_are_compared_one_by_one(built: Store) -> None:
    """The first is the first of all of them, the last the last."""
    told: Told = []
    report = validate.validate(built, CORPUS, progress=lambda *each: told.append(each))
    assert (report.clean, report.generation, report.seconds) == (True, 1, 2.346)
    count = report.checked["documents"]
    assert [each for each in told if each[2]] == [
        ("comparing with the text", number, count) for number in range(1, count + 1)
    ]


def test_a_corpus_that_is_not_there_has_no_report(built: Store) -> None:
    """Nor has a generation that never was; rows without a corpus are said."""
    with pytest.raises(NotFound):
        validate.validate(built, "another")
    with pytest.raises(NotFound):
        validate.validate(built, CORPUS, as_of=9)
    assert not any(validate.check_rows(built, "another").checked.values())
    key = built.keys.key("corpus", CORPUS)
    built.update(lambda transaction: transaction.clear(key))
    says = [each.message for each in validate.check_rows(built, CORPUS).findings if each.record == f"corpus/{CORPUS}"]
    assert says == ["rows of this corpus are here, but its record is not"]


def test_a_corpus_whose_record_is_not_stored_yet_is_checked_with_its_tiers(built: Store) -> None:
    """As an import does before anybody sees it: a record of another build is told, and one that was never built has no tiers."""
    record = built.corpus(CORPUS)
    for key in (built.keys.key("corpus", CORPUS), built.keys.key("idx/locator", tag_of(CORPUS), CORPUS, "")):
        built.update(lambda transaction, key=key: transaction.clear(key))  # type: ignore[misc]
    told: Told = []
    assert validate.check_staged(built, record, progress=lambda *each: told.append(each)) == ()
    assert any(stage == "comparing with the text" for stage, _, _ in told)
    told.clear()
    unbuilt = Corpus(corpus_id=CORPUS, created_at=record.created_at)
    assert validate.check_staged(built, unbuilt, progress=lambda *each: told.append(each)) == ()
    assert not any(stage == "comparing with the text" for stage, _, _ in told)
    (finding,) = validate.check_staged(built, record.model_copy(update={"build_id": "build_9"}))
    assert (finding.check, finding.record) == ("completeness", f"generations/{CORPUS}")


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize("apply", [False, True])
def test_a_sweep_tells_its_pages_and_how_long_it_took(built: Store, apply: bool) -> None:
    """Reading first, then sweeping, where that is asked for."""
    told: Told = []
    report = sweep(built, apply=apply, progress=lambda *each: told.append(each))
    ((corpus,), seconds) = report.corpora, report.seconds
    assert (corpus.corpus_id, corpus.state, corpus.removed, seconds) == (
        CORPUS,
        "swept" if apply else "found",
        {},
        2.346,
    )
    assert {stage.partition(" ")[0] for stage, _, _ in told} == ({"reading", "sweeping"} if apply else {"reading"})
    seen: Counter[str] = Counter()
    for stage, done, total in told:
        seen[stage] += 1
        assert (done, total) == (seen[stage], 0)


@pytest.mark.parametrize("apply", [False, True])
@pytest.mark.parametrize(("count", "named"), [(4, 4), (5, 5), (6, 5), (9, 5)])
def test_five_damaged_rows_are_named(
    built: Store, monkeypatch: pytest.MonkeyPatch, apply: bool, count: int, named: int
) -> None:
    """Of all of them together, and nothing is removed."""
    take = inventory.take_inventory

    def damaged(*given: Any) -> Any:  # noqa: ANN401 - as the function's
        found = take(*given)
        found.damage.extend(f"row {each}" for each in range(count))
        return found

    monkeypatch.setattr(sweeping, "take_inventory", damaged)
    (corpus,) = sweep(built, CORPUS, apply=apply).corpora
    assert (corpus.state, corpus.removed) == ("damaged", {})
    assert corpus.reason == "; ".join(f"row {each}" for each in range(named))
