"""The published claims of the sample corpus bring to light what is planted in it, and little else."""

from __future__ import annotations

from pathlib import Path

import pytest
from coditect_benchmarks.planted import Report, measure, view_of

from coditect.knowledge.query.drilldown import drill_down
from coditect.sample import sample_folder
from coditect.store.view import View
from tests.unit.tiers.corpora import rules_tell

FOUND = frozenset(
    [f"C-{n:02}" for n in (1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12)]
    + [f"G-{n:02}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18)]
)
"""What the rules find; a change that loses one of them says so here."""


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> View:
    """The sample corpus, built once."""
    folder: Path = tmp_path_factory.mktemp("planted")
    return view_of(folder, [sample_folder()])


@pytest.fixture(scope="module")
def report(view: View) -> Report:
    """What of the planted comes to light."""
    return measure(view)


def test_planted_contradictions_and_gaps_come_to_light(report: Report) -> None:
    """At least 9 of 12 contradictions and 12 of 19 gaps are told, and none that was found before is lost."""
    assert report.count("C")[0] >= 9
    assert report.count("G")[0] >= 12
    assert {planted for planted, text in report.found.items() if text} >= FOUND


def test_planted_conflicts_are_all_that_is_told_of_conflicts(view: View, report: Report) -> None:
    """No conflict is told that was not planted; of the gaps few are new."""
    unplanned = {claim.claim_kind for claim in view.claims.values() if claim.text in report.unplanned}
    assert unplanned <= {"gap"}
    assert len(report.unplanned) <= 8


def test_planted_review_intervals_are_counted_over_the_policy_framework(view: View) -> None:
    """9 of the 11 policies, standards and procedures set a review interval, and the two others are named."""
    texts = [claim.text for claim in view.claims.values()]
    assert (
        "9 of 11 policies, standards and procedures say how often they are reviewed: annually (7), every two years (1), "
        "every six months (1)."
    ) in texts
    assert (
        "2 of 11 policies, standards and procedures do not say how often they are reviewed: acceptable-use-policy.html and "
        "change-management-procedure.md."
    ) in texts


def test_planted_corpus_names_its_defined_terms_nowhere_as_missing(view: View, report: Report) -> None:
    """A defined term in capitals is no document that is missing; whatever is refused has a reason."""
    assert not any("Service Level Agreement" in claim.text for claim in view.claims.values())
    assert all(reason for _, reason in report.filtered)


def test_planted_conflicts_weigh_most_and_claims_stand_by_their_weight(view: View) -> None:
    """Two duties that cannot both be kept are high, what is only practised is medium, counts ask nothing."""
    told = rules_tell(view)
    order = ["high", "medium", "low", "information"]
    assert [order.index(claim.severity or "") for claim in told] == sorted(
        order.index(claim.severity or "") for claim in told
    )
    assert {claim.claim_kind for claim in told if claim.severity == "high"} == {"conflict"}
    assert {claim.severity for claim in told if claim.claim_kind == "conflict"} == {"high", "medium"}
    assert {claim.severity for claim in told if claim.claim_kind in ("theme", "statistic", "requirement")} == {
        "information"
    }


def test_drill_down_of_a_claim_shows_the_quotes_that_it_cites(view: View) -> None:
    """Of each section that a claim rests on, the cited quotes alone; the whole section is one more step away."""
    narrower = 0
    for claim_id in view.summary.claims:
        claim = view.claims[claim_id]
        for below in drill_down(view.store, claim_id):
            content = view.section_by_id[below.item_id].content
            cited = sorted({each.part for each in claim.citations if each.section_id == below.item_id})
            assert below.text == "\n".join(content[part].content for part in cited)
            narrower += len(cited) < len(content)
    assert narrower
