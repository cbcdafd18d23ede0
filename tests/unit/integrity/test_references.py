"""Which rows each record needs: what is checked for, and what a sweep must not remove."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.integrity.references import blobs_of, inputs_of, references
from coditect.integrity.sweeping.inventory import RowSizes, index_tables
from coditect.keyspace import LAYOUT, Keyspace
from coditect.schemas import (
    BuildSettings,
    Calibration,
    CalibrationSwitch,
    Corpus,
    Derivation,
    Generation,
    Intake,
    Manifest,
    Record,
    RelevanceMark,
    Review,
)
from tests.unit.store.items import extraction, version

STEP: dict[str, Any] = {
    "corpus_id": "c",
    "stage": "extractions",
    "inputs": (),
    "method": "rules",
    "parameters": {},
    "code_version": "tier1/1",
    "outputs": (),
}
SIGNED: dict[str, Any] = {
    "corpus_id": "c",
    "fingerprint": "ab" * 32,
    "claim_text": "x",
    "evidence": (),
    "decision": "accept",
    "by": "the CISO",
    "at": "2026-01-01T00:00:00Z",
    "meaning": "agreed",
}


def _step(**changes: Any) -> Derivation:  # noqa: ANN401
    return Derivation.create(**{**STEP, **changes})


def _manifest(**changes: Any) -> Manifest:  # noqa: ANN401
    fields: dict[str, Any] = {
        "corpus_id": "c",
        "settings": BuildSettings(),
        "code_versions": {},
        "trees": {"a": "tree_1", "b": "tree_2"},
        "sections": (("derivation_1", "section_1"),),
        "summary_derivation": "derivation_2",
        "summary_id": "summary_1",
        "counts": {},
    }
    return Manifest.create(**{**fields, **changes})


def _corpus(**changes: Any) -> Corpus:  # noqa: ANN401
    return Corpus(corpus_id="c", name="", created_at="2026-01-01T00:00:00Z", **changes)


NEEDS: list[tuple[str, Record, list[tuple[str | int, ...]]]] = [
    (
        "outputs",
        _step(outputs=("extraction_1", "chunk_1", "claim_1", "sum:12")),
        [("extractions", "extraction_1"), ("chunks", "chunk_1"), ("claims", "claim_1")],
    ),
    (
        "reviews and switch",
        _step(parameters={"reviews": ["review_1"], "calibration_switch": "switch_1"}),
        [("reviews", "review_1"), ("switches", "switch_1")],
    ),
    ("review of a claim", Review.create(**SIGNED, signed_item="claim_1"), [("claims", "claim_1")]),
    (
        "review of an extraction that follows another",
        Review.create(**SIGNED, signed_item="extraction_1", follows=("review_1",)),
        [("reviews", "review_1"), ("extractions", "extraction_1")],
    ),
    ("review of the first release", Review.create(**SIGNED), []),
    (
        "mark",
        RelevanceMark.create(
            corpus_id="c", query="q", tier="extraction", judged_id="extraction_1", documents=(), relevant=True, by="b",
            at="2026-01-01T00:00:00Z", follows=("mark_1",),
        ),
        [("marks", "mark_1")],
    ),
    (
        "switch",
        CalibrationSwitch.create(
            corpus_id="c", by="b", at="2026-01-01T00:00:00Z", meaning="m", calibration_id="calibration_1",
            follows=("switch_1",),
        ),
        [("calibrations", "calibration_1"), ("switches", "switch_1")],
    ),
    (
        "switch back to what was shipped",
        CalibrationSwitch.create(corpus_id="c", by="b", at="2026-01-01T00:00:00Z", meaning="m"),
        [],
    ),
    (
        "manifest",
        _manifest(),
        [
            ("trees", "tree_1"),
            ("trees", "tree_2"),
            ("derivations", "derivation_1"),
            ("sections", "section_1"),
            ("derivations", "derivation_2"),
            ("summaries", "summary_1"),
        ],
    ),
    (
        "draft",
        _manifest(trees={}, sections=(), summary_derivation="derivation_2", summary_id=""),
        [],
    ),
    (
        "generation",
        Generation(
            corpus_id="c", generation=1, build_id="build_1", created_at="", tool_version="", derived={}, reused={}
        ),
        [("manifests", "build_1")],
    ),
    ("corpus without a build", _corpus(), []),
    (
        "corpus of two generations",
        _corpus(generation=2, build_id="build_2"),
        [("generations", 1), ("generations", 2), ("manifests", "build_2")],
    ),
    (
        "intake",
        Intake(corpus_id="c", document_id="document_1", name="a", version_id="version_1", raw_sha256="ab" * 32),
        [("documents", "document_1", "version_1")],
    ),
    ("extraction", extraction(), []),
]  # fmt: skip


@pytest.mark.parametrize(("record", "needed"), [case[1:] for case in NEEDS], ids=[case[0] for case in NEEDS])
def test_record_needs_the_rows_that_it_names(record: Record, needed: list[tuple[str | int, ...]]) -> None:
    """All of them, in order, and no others."""
    assert list(references(record)) == needed


def test_calibration_needs_what_it_was_fitted_on() -> None:
    """Reviews, marks, and the calibration that it was compared with, if there was one."""
    fields: dict[str, Any] = {"reviews": ("review_1",), "marks": ("mark_1", "mark_2")}
    for parent, more in (("", []), ("calibration_1", [("calibrations", "calibration_1")])):
        made = Calibration.model_construct(corpus_id="c", parent=parent, **fields)
        needed = [("reviews", "review_1"), ("marks", "mark_1"), ("marks", "mark_2"), *more]
        assert list(references(made)) == needed


def test_inputs_of_a_step_are_rows_where_they_have_an_id() -> None:
    """Steps and items; what else a step was made from is its own matter."""
    made = _step(inputs=("derivation_1", "version_1", "extraction_1", "sec_1", "text"))
    assert [*inputs_of(made)] == [
        ("derivations", "derivation_1"),
        ("documents", "version_1"),
        ("extractions", "extraction_1"),
    ]


def test_blobs_of_a_record_are_those_that_it_names() -> None:
    """A version has its file, its text and its layout; only vectors are outputs in blobs."""
    made = version()
    assert list(blobs_of(made)) == [made.raw_sha256, made.text_sha256, made.layout_sha256]
    assert list(blobs_of(_step(stage="vectors", outputs=("ab:12", "cd:3")))) == ["ab", "cd"]
    assert list(blobs_of(_step(outputs=("ab:12",)))) == []
    assert list(blobs_of(extraction())) == []


def test_tables_of_entries_are_those_that_the_format_reads() -> None:
    """A store of the first release keeps no optional index, whatever lies in its table."""
    assert "idx/entity" in index_tables(Keyspace("t", 2))
    assert "idx/entity" not in index_tables(Keyspace("t", 1))
    for layout in (1, 2):
        assert {"idx/topic", "idx/term", "idx/locator", "idx/answer"} <= set(index_tables(Keyspace("t", layout)))
        assert all(name.startswith("idx/") for name in index_tables(Keyspace("t", layout)))


def test_sizes_are_added_by_table_in_the_order_of_the_layout() -> None:
    """A row counts once where nothing else is said; a table without rows is not told."""
    sizes = RowSizes()
    names = list(LAYOUT)
    sizes.add(names[3], 10)
    sizes.add(names[1], 5, 2)
    sizes.add(names[3], 7)
    sizes.add(names[0], 0, 0)
    assert [(name, each.rows, each.size_bytes) for name, each in sizes.by_table.items()] == [
        (names[1], 2, 5),
        (names[3], 2, 17),
    ]
