"""What a build says of itself: tiers, findings and what was left out, each counted in plain words."""

from __future__ import annotations

import io
from typing import Any

import pytest

from coditect.cli import build
from coditect.cli.console import Screen
from coditect.cli.findings_text import MOST_FINDINGS, WHAT_FIGURES_SAY, write_findings, write_remarks
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.report.shapes import finding_shape
from coditect.schemas import Claim, Failure


def _claim(number: int, severity: str | None, confidence: float | None = 0.5) -> Claim:
    fields: dict[str, Any] = {"severity": severity, "confidence": confidence}
    made = {name: value for name, value in fields.items() if value is not None}
    return Claim.create(
        corpus_id="c", derivation_id="derivation_1", claim_kind="gap", text=f"Gap {number}.", citations=(), **made
    )


def _findings(*claims: Claim) -> list[str]:
    stream = io.StringIO()
    write_findings(Screen(stream), claims)
    return stream.getvalue().splitlines()


def test_findings_are_counted_by_severity_and_told_with_their_confidence() -> None:
    """What is only informative is counted and not told; a claim of the first release has no severity at all."""
    claims = (_claim(1, "high"), _claim(2, "low", None), _claim(3, "information"), _claim(4, None), _claim(5, "low"))
    assert _findings(*claims) == [
        "",
        "Findings: 1 high, 2 low, 1 information",
        "  high    Gap 1. confidence 0.50",
        "  low     Gap 2. confidence 0.00",
        "  low     Gap 5. confidence 0.50",
        f"  {WHAT_FIGURES_SAY}",
    ]


def test_both_figures_of_a_finding_are_explained_once() -> None:
    """A finding that asks much may be rarely right: which figure says what stands below the list."""
    shown = _findings(_claim(1, "high", 0.33), _claim(2, "high", 0.9))
    assert [line for line in shown if "Severity:" in line] == [f"  {WHAT_FIGURES_SAY}"]
    assert "how much a finding asks" in WHAT_FIGURES_SAY
    assert "how often findings of its kind were so" in WHAT_FIGURES_SAY


def test_findings_that_ask_nothing_are_not_told() -> None:
    """No heading without a finding below it."""
    assert _findings() == []
    assert _findings(_claim(1, "information"), _claim(2, None)) == []


@pytest.mark.parametrize(
    ("number", "lines", "last"), [(10, 13, "Gap 9"), (11, 14, "and 1 more"), (13, 14, "and 3 more")]
)
def test_ten_findings_are_told_and_the_others_counted(number: int, lines: int, last: str) -> None:
    """The report has all of them."""
    assert MOST_FINDINGS == 10
    shown = _findings(*(_claim(each, "medium") for each in range(number)))
    assert len(shown) == lines
    assert last in shown[-2]


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (1, []),
        (2, ["            the same of 1 more document: 1.md"]),
        (9, ["            the same of 8 more documents: 1.md, 2.md, 3.md, 4.md, 5.md, 6.md and 2 more"]),
    ],
)
def test_what_is_said_of_several_documents_is_told_once(number: int, told: list[str]) -> None:
    """With how many others there are; every finding is counted by its severity."""
    overdue = [
        Claim.create(
            corpus_id="c",
            derivation_id="derivation_1",
            claim_kind="standing",
            text=f"{each}.md was to be reviewed by a day that has passed: “Review: 2025”.",
            citations=(),
            recipe={"standing": "overdue", "document": f"{each}.md"},
            severity="medium",
            confidence=0.5,
        )
        for each in range(number)
    ]
    shown = _findings(*overdue, _claim(1, "low"))
    assert shown[1] == f"Findings: {number} medium, 1 low"
    assert shown[3:-2] == [line[2:] for line in told]
    assert shown[-2] == "  low     Gap 1. confidence 0.50"


def test_finding_as_json_is_known_by_its_id_and_weight() -> None:
    """Programs find the same fields whatever is printed."""
    row = finding_shape(_claim(1, "high"))
    assert list(row) == ["finding_id", "claim_id", "claim_kind", "rule", "severity", "confidence", "text"]
    assert (row["severity"], row["text"]) == ("high", "Gap 1.")


@pytest.mark.parametrize(
    ("trivial", "told"),
    [
        ({}, []),
        ({"says nothing": 1}, ["  1 trivial claim is not published: says nothing (1)"]),
        ({"says nothing": 2}, ["  2 trivial claims are not published: says nothing (2)"]),
        ({"a": 1, "b": 2}, ["  3 trivial claims are not published: a (1); b (2)"]),
    ],
)
def test_remarks_count_what_was_too_trivial(trivial: dict[str, int], told: list[str]) -> None:
    """One claim is, several are; nothing is said of none."""
    stream = io.StringIO()
    write_remarks(Screen(stream), trivial, {"sections": "no heading is shared"})
    assert stream.getvalue().splitlines() == ["  no sections: no heading is shared", *told]


def _told(capsys: pytest.CaptureFixture[str], **changes: Any) -> list[str]:  # noqa: ANN401
    fields: dict[str, Any] = {"corpus_id": "c", "generation": 3, "build_id": "build_1", "changed": True, **changes}
    build._write_text(BuildReport(**fields))
    return capsys.readouterr().out.splitlines()


def test_build_tells_its_generation_and_its_tiers(capsys: pytest.CaptureFixture[str]) -> None:
    """Items, those that are new and those that were there, right-aligned; refused claims are claims, and said to be refused."""
    counts = {"documents": 2, "extractions": 120, "chunks": 30, "passages": 40, "sections": 5, "claims": 6}
    shown = _told(capsys, counts={**counts, "filtered_claims": 2}, seconds={"read": 0.25, "derive": 1.0})
    assert shown[:2] == ["Corpus c: generation 3 is published", "  build_1"]
    assert [line.split() for line in shown[4:10]] == [
        ["documents", "2"],
        ["extractions", "120", "0", "0"],
        ["chunks", "30", "0", "0"],
        ["passages", "40", "0", "0"],
        ["sections", "5", "0", "0"],
        ["claims", "8", "0", "0"],
    ]
    assert shown[3].index("items") + len("items") == shown[5].index("120") + len("120")
    assert shown[10] == "  2 claims were refused for lack of support; kept, and listed in the report"
    assert shown[-1] == "1.25 s: read 0.25 s, derive 1.00 s"


def test_build_of_nothing_counts_none(capsys: pytest.CaptureFixture[str]) -> None:
    """What is not counted is 0; one refused claim is one."""
    shown = _told(capsys, changed=False)
    assert shown[0] == "Corpus c: nothing changed; generation 3 stays"
    assert [line.split()[1] for line in shown[4:10]] == ["0"] * 6
    one = _told(capsys, counts={"filtered_claims": 1})
    assert "  1 claim was refused for lack of support; kept, and listed in the report" in one
    by_hand = _told(capsys, counts={"filtered_claims": 3, "dismissed_claims": 3})
    assert "  3 claims were dismissed by a person; kept, and listed in the report" in by_hand
    assert "lack of support" not in "".join(by_hand)
    assert [line.split()[1] for line in one[4:10]] == ["0", "0", "0", "0", "0", "1"]


def test_build_tells_what_it_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    """Documents that failed, those that rules had to read, and text that speaks to a model, a hundred characters of it."""
    failure = Failure(corpus_id="c", name="a.txt", error="ReadError", message="not read")
    shown = _told(
        capsys,
        failures=[failure],
        unread=[failure],
        unanswered=["q"],
        topics_without_section=["tea"],
        suspicious=[{"name": "b.md", "start": 5, "end": 160, "text": "x" * 155}],
    )
    text = "\n".join(shown)
    assert "Left out of this generation" in text
    assert "Read by rules, because an agent failed" in text
    assert "1 questions about the summary were not answered; build again to ask them" in shown
    assert "  no statement speaks to the topic “tea”; it has no section" in shown
    assert f"Speaks to a model: b.md at 5-160: {'x' * 100!r}" in shown
    assert "Left out of this generation" not in "\n".join(_told(capsys))
