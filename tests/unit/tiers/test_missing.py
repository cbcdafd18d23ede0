"""What is cited, used or required and not there."""

from __future__ import annotations

import pytest

from coditect.knowledge.derivation.profiles import profile_of
from coditect.tiers.findings.conflicts.detection import why_none
from coditect.tiers.findings.gaps import Gap, find_gaps
from coditect.tiers.findings.standing import Standings
from tests.unit.tiers.corpora import chunks_of, versions_of

HOUSE = {
    "OP-01_Yard_Policy.md": "# Yard Policy\n\nOwner: Yard Manager\n\n1.1 Gates are locked at night.\n",
    "OP-02_Crane_Procedure.md": "# Crane Procedure\n\nOwner: Crane Master\n\n1.1 Cranes are tested every month.\n",
    "OP-03_Fuel_Procedure.md": "# Fuel Procedure\n\nOwner: Fuel Officer\n\n1.1 Fuel is measured every day.\n",
    "OP-04_Rope_Standard.md": "# Rope Standard\n\nOwner: Stores Manager\n\n1.1 Ropes are replaced every year.\n",
}


def _gaps(kind: str, more: dict[str, str]) -> list[Gap]:
    files = {**HOUSE, **more}
    return find_gaps(chunks_of(files), versions_of(files), _standings(files))[kind]


def _standings(files: dict[str, str]) -> Standings:
    versions = versions_of(files)
    profiles = {d: profile_of(v, files[v.name], None, "derivation_0") for d, v in versions.items()}
    return Standings(versions, profiles, "2026-11-23")


def test_code_of_a_series_that_no_document_has_is_missing() -> None:
    """A document that is cited by its number; one that is there, and another series, are not missing."""
    cited = (
        "Berths follow OP-02. Ballast is dealt with in OP-09, Ballast Water Standard. Paper follows ISO-216 and A-4711."
    )
    found = _gaps("code", {"x.md": f"# Berth Policy\n\nOwner: Berth Officer\n\n1.1 {cited}\n"})
    assert [dict(each.words) for each in found] == [{"code": "OP-09", "title": "Ballast Water Standard"}]


def test_schedule_beside_others_is_missing_and_a_lone_one_is_not() -> None:
    """A document that prints two of its schedules lacks the third; one that prints none has them elsewhere."""
    text = "# Quay Agreement\n\n2.1 The operator shall pay the charges in Schedule 3.\n\n{}"
    printed = "Schedule 1 - Berths\n\nSchedule 2 - Cranes\n"
    assert [dict(e.words) for e in _gaps("part", {"q.md": text.format(printed)})] == [{"label": "Schedule 3"}]
    assert not _gaps("part", {"q.md": text.format("")})
    assert not _gaps("part", {"q.md": text.format(printed + "\nSchedule 3 - Charges\n")})


@pytest.mark.parametrize(
    ("sentence", "terms"),
    [
        ("For a Restricted Load the lift must be planned longer than for another load.", ["Restricted Load"]),
        (
            "The Yard Manager must plan a Restricted Load. Each load is weighed.",
            [],
        ),  # names of things stand there as often
        ("Every Crane Operator must hold a licence. Each operator signs.", []),  # somebody who acts
    ],
)
def test_term_that_says_for_what_a_sentence_holds_is_undefined(sentence: str, terms: list[str]) -> None:
    """Capitals of a defined term behind "a" or "every", where a sentence says for what it holds."""
    found = _gaps("term", {"l.md": f"# Lifting Procedure\n\nOwner: Crane Master\n\n1.1 {sentence}\n"})
    assert [each.words["term"] for each in found] == terms


def test_plan_that_a_rule_requires_and_nobody_speaks_of_is_unprovided() -> None:
    """What a rule requires in writing is missing where no document has its words, and not where one speaks of it."""
    rule = {"rule.md": "# Port Rulebook\n\n1.1 The operator must maintain a written dredging plan for each berth.\n"}
    assert [each.words["thing"] for each in _gaps("unprovided", rule)] == ["written dredging plan"]
    answer = {"d.md": "# Berth Procedure\n\nOwner: Berth Officer\n\n1.1 Dredging is planned every spring.\n"}
    assert not _gaps("unprovided", {**rule, **answer})


def test_document_without_an_owner_is_a_gap_where_the_others_have_one() -> None:
    """Where nearly all name an owner, the one that does not is told."""
    found = _gaps("ownerless", {"g.md": "# Gate Procedure\n\n1.1 Gates are painted every year.\n"})
    assert [dict(each.words) for each in found] == [{"owned": "4", "of": "5"}]


def test_absence_of_conflicts_says_what_was_compared() -> None:
    """How many requirements of how many documents; of strangers, that none was compared with another."""
    said = why_none(chunks_of(HOUSE), _standings(HOUSE))
    assert said.startswith("3 requirements of 3 documents were held against each other, in 6 pairs")
    strangers = {f"{n}.md": f"# Lease Agreement {n}\n\n1.1 The tenant shall pay monthly.\n" for n in range(2)}
    assert why_none(chunks_of(strangers), _standings(strangers)).startswith("no two of the 2 documents bind the same")
    assert not why_none(chunks_of({"a.md": "# Yard Policy\n"}), _standings({"a.md": "# Yard Policy\n"}))
