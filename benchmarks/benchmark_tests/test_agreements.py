"""How the register of agreements is counted against marks."""

from __future__ import annotations

import json
from pathlib import Path

from coditect_benchmarks.agreements import MARKED, count, half_of, read_marks

from coditect.schemas import AgreementField

Span = tuple[int, int]


def test_a_sentence_that_overlaps_a_mark_is_found() -> None:
    """Touching ends do not overlap; what is told elsewhere, or of a contract without a mark, is counted apart."""
    marks: dict[str, dict[AgreementField, list[Span]]] = {
        "a": {"term": [(10, 20), (90, 95)]}, "b": {"term": [(10, 20)]}, "c": {"term": [(10, 20)]}, "d": {},
    }  # fmt: skip
    told: dict[str, dict[AgreementField, Span]] = {
        "a": {"term": (94, 120)}, "b": {"term": (20, 30)}, "c": {}, "d": {"term": (0, 5)}, "e": {},
    }  # fmt: skip
    counted = count(["a", "b", "c", "d", "e"], marks, told, "term")
    assert (counted.marked, counted.found, counted.elsewhere) == (3, 1, 1)
    assert (counted.unmarked, counted.told) == (2, 1)
    assert 0.0 <= counted.low <= 1 / 3 <= counted.high <= 1.0


def test_marks_are_read_of_one_half(tmp_path: Path) -> None:
    """Each contract belongs to one half, and clauses that the register has no field for are left out."""
    names = [f"contract {number}.txt" for number in range(20)]
    rows = [
        {"file": name, "clause": clause, "query": f"Consider it; {clause}?", "spans": [[1, 2]]}
        for name in names
        for clause in ("Governing Law", "Price Restrictions")
    ]
    file = tmp_path / "queries.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    halves = [read_marks(file, half) for half in ("develop", "report")]
    assert sorted(name for marks, _ in halves for name in marks) == sorted(names)
    for half, (marks, questions) in zip(("develop", "report"), halves, strict=True):
        assert questions == {"governing_law": "Governing Law?"}
        assert all(half_of(name) == half and fields == {"governing_law": [(1, 2)]} for name, fields in marks.items())
    assert set(MARKED.values()) >= {"term", "renewal", "governing_law"}
