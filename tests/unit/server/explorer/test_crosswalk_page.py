"""Crosswalks as pages: which requirements, what each document says of them, and how much of a family is answered."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from coditect.schemas import Crosswalk, CrosswalkEvidence, CrosswalkRow
from coditect.server.explorer.shown.crosswalk import Matrix, matrix
from tests.unit.server.explorer.visits import partly, view_of, visit_of


def evidence(document: str, label: str, **fields: Any) -> CrosswalkEvidence:  # noqa: ANN401 - of a record
    """A sentence beside a part."""
    given = {"document": document, "label": label, "text": "w", "reason": "r", "locator": "", "heading": "H", "reviewed_by": "",
             "version_id": "v", "char_start": 0, "char_end": 1, "item_id": "extraction_1"}  # fmt: skip
    return partly(CrosswalkEvidence, **{**given, **fields})


def part(requirement: str, label: str, *found: CrosswalkEvidence, **fields: Any) -> CrosswalkRow:  # noqa: ANN401 - of a record
    """A part of a requirement."""
    given = {"document": "f", "requirement_id": requirement, "part_id": f"{requirement}-p", "text": "w", "title": "T",
             "family": "AC", "label": label, "evidence": found}  # fmt: skip
    return partly(CrosswalkRow, **{**given, **fields})


def matrix_of(*rows: CrosswalkRow, family: str = "", label: str = "", number: int = 1, coverage: Any = ()) -> Matrix:  # noqa: ANN401 - doubles
    """The page of a crosswalk."""
    found = partly(
        Crosswalk,
        rows=rows,
        coverage=coverage,
        orphans=(1, 2),
        framework_corpus="nist",
        framework_generation=5,
        method="m/1",
    )
    return matrix(visit_of(view_of()), found, {"corpus": "nist"}, number, family, label)


def test_requirements_are_shown_as_they_are_asked_for() -> None:
    """Of a family, or with a part of a label; the parts of one stand together, also where another stands between them."""
    rows = (
        part("ac-1", "meets"),
        part("au-1", "partly", family="AU"),
        part("ac-1", "looser"),
        part("ac-1", "meets", document="g"),
    )

    def shown(**asked: Any) -> list[tuple[str, int, str]]:  # noqa: ANN401 - of a request
        return [(each.requirement_id, len(each.parts), each.worst) for each in matrix_of(*rows, **asked).page.rows]

    assert shown() == [("ac-1", 2, "looser"), ("au-1", 1, "partly"), ("ac-1", 1, "meets")]
    assert shown(family="AU") == [("au-1", 1, "partly")]
    assert shown(label="meets") == [("ac-1", 2, "looser"), ("ac-1", 1, "meets")]
    assert shown(family="AU", label="meets") == []
    found = matrix_of(*rows)
    assert {label: count for label, _, count in found.counts if count} == {"meets": 2, "partly": 1, "looser": 1}
    assert (found.framework, found.orphans, found.page.rows[0].anchor) == ("nist, generation 5", 2, "ac-1")


def test_twenty_requirements_are_a_page() -> None:
    """And the next one is led to with what was asked."""
    rows = [part(f"r{n}", "meets") for n in range(21)]
    found = matrix_of(*rows, family="AC", label="meets").page
    assert (len(found.rows), found.next) == (20, "/e/c/c/crosswalk?corpus=nist&family=AC&label=meets&page=2")
    assert [each.requirement_id for each in matrix_of(*rows, number=2).page.rows] == ["r20"]


def test_the_eight_documents_that_say_most_are_columns() -> None:
    """By name; to mention something is not to say it. A cell has the best that its document says."""
    said = [evidence(f"d{n}", "partly") for n in range(10) for _ in range(20 - n)]
    rows = (part("a", "partly", *said, *[evidence("z", "mentions")] * 50), part("a", "meets", evidence("d1", "meets")))
    found = matrix_of(*rows)
    assert found.columns == tuple(f"d{n}" for n in range(8))
    (row,) = found.page.rows
    assert [(each.label, each.word, each.sign) for each in row.cells[:2]] == [
        ("partly", "Partly", "◐"),
        ("meets", "Meets", "✓"),
    ]
    (other,) = matrix_of(part("b", "no evidence"), *rows).page.rows[:1]
    assert {(each.label, each.sign) for each in other.cells} == {("", "")}


def test_a_family_is_a_bar_of_its_labels() -> None:
    """Shares in percent, one behind the other; of no parts there are none."""
    coverage = [SimpleNamespace(family=name, parts=parts, labels=labels) for name, parts, labels in (
        ("AC", 8, {"meets": 1, "partly": 3, "no evidence": 4}), ("AU", 3, {"stricter": 1, "mentions": 2}),
        ("X", 0, {}))]  # fmt: skip
    ac, au, nothing = matrix_of(coverage=coverage).families
    assert ac.shares == (
        ("meets", "Meets", 1, 0.0, 12.5),
        ("partly", "Partly", 3, 12.5, 37.5),
        ("no evidence", "No evidence", 4, 50.0, 50.0),
    )
    assert au.shares == (("stricter", "Stricter", 1, 0.0, 33.333), ("mentions", "Mentions", 2, 33.333, 66.667))
    assert (nothing.shares, nothing.parts, ac.href) == ((), 0, "/e/c/c/crosswalk?corpus=nist&family=AC")


def test_evidence_says_where_it_stands() -> None:
    """By its number, or else its heading."""
    (row,) = matrix_of(
        part("a", "meets", evidence("d", "meets", locator="2.1"), evidence("d", "looser", reviewed_by="A"))
    ).page.rows
    first, second = row.parts[0].evidence
    assert (first.where, first.word, second.where, second.reviewed_by) == ("d · 2.1", "Meets", "d · H", "A")
    assert first.href == "/e/c/c/documents/v?span=0-1&item=extraction_1#here"
