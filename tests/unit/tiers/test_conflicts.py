"""Statements that differ, and what they are about."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.tiers.findings.conflicts.detection import find_conflicts
from coditect.tiers.findings.conflicts.entries import entries_of, weights
from coditect.tiers.findings.conflicts.lines import are_alike
from coditect.tiers.findings.conflicts.opposed.candidates import likeness_of
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.measures import EVERY
from coditect.tiers.findings.said.statements import clause_of, content_words, features, similarity, statements_of
from tests.unit.tiers.corpora import INCIDENTS, chunks_of

WORDS = st.frozensets(
    st.sampled_from(["audit", "log", "audit log", "breach", "data", "personal data", "vendor"]), max_size=6
)


def _found(*sentences: str) -> list[StatementConflict]:
    files = {f"p{n}.md": f"# Policy {n}\n\n## 1 Rules\n\n1.1 {text}\n" for n, text in enumerate(sentences)}
    return list(find_conflicts(chunks_of(files)))


def _says(conflict: StatementConflict) -> list[str]:
    return [side.says for side in conflict.sides]


def test_conflict_of_three_documents_is_one_with_three_sides() -> None:
    """Three deadlines on one subject are one conflict, ordered by value, and its subject is what they have in common."""
    conflicts = find_conflicts(chunks_of(INCIDENTS))
    assert [_says(c) for c in conflicts if c.kind == "deadline"] == [["24 hours", "72 hours", "7 days"]]
    assert conflicts[0].subject.casefold() == "personal data breach"


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        (
            "Audit logs shall be retained for seven years.",
            "Audit logs are kept for 90 days and then overwritten.",
            "duration",
        ),
        (
            "Audit logs shall be retained for seven years.",
            "Audit logs shall be deleted 12 months after the entry.",
            "duration",
        ),
        (
            "Access rights shall be reviewed quarterly.",
            "Access rights of all accounts are reviewed annually.",
            "frequency",
        ),
        ("Passwords shall have at least 14 characters.", "Passwords shall have at least 10 characters.", "count"),
        ("Connections shall use TLS 1.3 as a minimum.", "Connections may use TLS 1.2 or a later version.", "version"),
        (
            "Personal devices must not be used to read confidential information.",
            "Employees may use a personal device to read confidential information.",
            "modality",
        ),
        (
            "Administrators must use multi-factor authentication.",
            "Administrators may use multi-factor authentication; for them it is optional.",
            "modality",
        ),
    ],
)
def test_conflict_is_found_between_statements_on_one_subject(first: str, second: str, kind: str) -> None:
    """Another measure, or what is ruled out here and allowed there, for the same thing in the same field's words."""
    assert [conflict.kind for conflict in _found(first, second)] == [kind]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Audit logs shall be retained for seven years.", "Audit logs shall be retained for 7 years."),
        ("Audit logs shall be retained for seven years.", "Visitor badges shall be retained for 30 days."),
        ("Access rights were reviewed quarterly.", "Access rights were reviewed annually."),
        (
            "The Security Committee shall meet monthly about risks.",
            "The Security Committee shall meet annually about budgets.",
        ),
        ("Employees must use the badge.", "Employees may use the gym."),
        ("Shared accounts are prohibited.", "Employees may use the shared kitchen."),
        ("Smoking in the yard is prohibited.", "Visitors may use the yard."),
        ("Staff must not read secret reports at home.", "Staff may read secret reports only in the office."),
        ("TLS 1.2 must not be used for connections.", "Connections shall use TLS 1.3."),
        (
            "Entries of the incident register shall be made within 30 minutes.",
            "Entries of the incident register shall be deleted within six years.",
        ),
        ("Risk assessments shall be made <how often, e.g., annually>.", "Risk assessments shall be made monthly."),
        (
            "Exceptions to this policy must be approved by the Data Owner.",
            "Exceptions to these principles must be approved by the Security Officer.",
        ),
        ("Conduct annual review.", "Conduct quarterly access reviews."),
        ("The acquisition of services must be reviewed annually.", "Accounts of a service must be reviewed quarterly."),
    ],
)
def test_conflict_is_not_made_of_statements_that_agree_or_are_about_something_else(first: str, second: str) -> None:
    """The same value, another subject, two mere reports, a negation beside a permission: nothing to compare."""
    assert not _found(first, second)


def test_conflict_is_made_of_duties_told_in_the_present() -> None:
    """In two policies the present tense tells what has to be done, so that two frequencies do not agree."""
    (conflict,) = _found("Access rights are reviewed quarterly.", "Access rights are reviewed annually.")
    assert (conflict.kind, _says(conflict)) == ("frequency", ["annually", "quarterly"])


def test_conflict_with_a_framework_names_the_document_that_asks_less_of_itself() -> None:
    """A policy that reviews itself less often than every policy must is a conflict; one that does so more often is none."""
    files = {
        "framework.md": "# Framework Policy\n\n1.1 Every policy shall be reviewed at least annually by its owner.\n",
        "lazy.md": "# Lazy Policy\n\n1.1 This policy shall be reviewed at least every two years.\n",
        "keen.md": "# Keen Policy\n\n1.1 This policy shall be reviewed at least quarterly.\n",
        "plan.md": "# Crisis Plan\n\n1.1 This plan shall be reviewed at least every two years.\n",
    }
    (conflict,) = find_conflicts(chunks_of(files))
    assert (conflict.head, _says(conflict)) == (EVERY, ["annually", "every two years"])


def test_conflicts_are_a_function_of_the_set_of_chunks() -> None:
    """The order in which chunks come changes nothing."""
    chunks = chunks_of(INCIDENTS)
    shuffled = chunks[:]
    random.Random(7).shuffle(shuffled)  # noqa: S311 - no secret
    assert find_conflicts(chunks) == find_conflicts(shuffled) == find_conflicts(reversed(chunks))


@given(WORDS, WORDS)
def test_similarity_is_symmetric_bounded_and_whole_for_the_same(first: frozenset[str], second: frozenset[str]) -> None:
    """Likeness is between 0 and 1, the same from both sides, and 1 of anything with itself."""
    weight = dict.fromkeys([*first, *second], 1.5)
    assert similarity(first, second, weight) == similarity(second, first, weight)
    assert 0.0 <= similarity(first, second, weight) <= 1.0
    assert similarity(first, first, weight) == (1.0 if first else 0.0)


def test_weights_of_rare_words_are_higher() -> None:
    """A word of one statement says more than one of all."""
    weight = weights(entries_of(statements_of(chunks_of(INCIDENTS))))
    assert weight["insur"] > weight["breach"]


def test_content_words_leave_out_roles_and_the_measure() -> None:
    """Who acts and how long is not what a statement is about."""
    words = content_words("The Chief Security Officer shall assess audit logs within 30 days")
    assert words == ("assess", "audit", "log")
    assert features(words) == {"assess", "audit", "log", "assess audit", "audit log"}


def test_clause_of_a_row_is_the_cell_that_says_it() -> None:
    """Owners and dates beside a requirement are not compared."""
    row = "Control: C-1 | Requirement: Logs are kept for 90 days | Owner: Head of Logs"
    assert clause_of(row, "90 days") == "Logs are kept for 90 days"


@pytest.mark.parametrize(
    ("shared", "needed", "found"),
    [
        (0.11, 0.3, 0.11),  # too little in the same words for other words to count
        (0.12, 0.3, 0.32),
        (0.12, 0.32, 0.32),  # what other words add at most is just enough
        (0.12, 0.33, 0.12),
        (0.3, 0.3, 0.3),  # enough without them
    ],
)
def test_other_words_for_the_same_count_where_they_can_decide(shared: float, needed: float, found: float) -> None:
    """Statements need 0.12 in the same words, and other words for the same add at most 0.2."""
    entry, *_ = entries_of(statements_of(chunks_of(INCIDENTS)))
    ours, theirs = (replace(entry, words=frozenset(("audit", word))) for word in ("vendor", "supplier"))
    weight = {"audit": shared, "vendor": 1 - shared, "supplier": 1 - shared}
    assert are_alike("vendor", "supplier")
    assert likeness_of(ours, theirs, 1.0, 1.0, weight, needed) == found
