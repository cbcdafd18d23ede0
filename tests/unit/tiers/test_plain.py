"""Plain contradictions: which differing statements exclude each other on the face of their words."""

from __future__ import annotations

import pytest

from coditect.tiers.claims.precision import PLAIN, rule_of
from coditect.tiers.findings.conflicts.detection import find_conflicts
from coditect.tiers.findings.conflicts.opposed.plain import is_plain
from tests.unit.tiers.corpora import chunks_of


def _plain(*sentences: str) -> list[bool]:
    """Of each conflict between policies of a sentence each, whether it is plain."""
    files = {f"p{n}.md": f"# Policy {n}\n\n## 1 Rules\n\n1.1 {text}\n" for n, text in enumerate(sentences)}
    return [is_plain(each) for each in find_conflicts(chunks_of(files))]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Access rights shall be reviewed quarterly.", "Access rights of all accounts are reviewed annually."),
        ("Audit logs are kept for 90 days.", "Audit logs are kept for two years, unless a legal hold applies."),
        ("Audit logs shall be retained for seven years.", "Audit logs shall be deleted 12 months after the entry."),
        (
            "Visitor badges must be returned to the front desk within one hour.",
            "Visitor badges are returned to the front desk within one day.",
        ),
        (
            "The security team must disable the account of a leaver within 24 hours.",
            "The security team shall disable the account of a leaver within 48 hours.",
        ),
        (
            "Backup tapes shall be tested quarterly to confirm that they can be read.",
            "Backup tapes are tested once a year.",
        ),
        ("Staff must not store personal data on laptops.", "Staff may store personal data on laptops."),
        ("The supervisor must never use a spare key.", "The supervisor may use a spare key."),
        ("Personal laptops are strictly prohibited.", "Volunteers may use personal laptops."),
        (
            "Staff must not send patient data by unencrypted e-mail.",
            "Clinicians may send patient data by unencrypted e-mail.",
        ),
        (
            "Employees may use a personal device to read confidential information.",
            "Personal devices must not be used to read, store or send confidential or restricted information.",
        ),
    ],
)
def test_statements_that_exclude_each_other_are_plain(first: str, second: str) -> None:
    """One act, the words of the shorter one in the other, nobody else and nothing else that it hangs on."""
    assert _plain(first, second) == [True]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Access rights shall be reviewed quarterly.", "Access rights of privileged accounts are reviewed annually."),
        ("Access rights shall be reviewed quarterly.", "Access rights should normally be reviewed annually."),
        (
            "Access rights shall be reviewed quarterly.",
            "Access rights to systems that hold payment data are reviewed annually.",
        ),
        (
            "Customers shall be notified of a data breach within 24 hours after becoming aware of it.",
            "Customers shall be notified of a data breach within 72 hours after it has been confirmed.",
        ),
        (
            "The cash box is counted by the cashier every month.",
            "The cash box is counted by the auditor every week.",
        ),
        (
            "Backup tapes shall be tested quarterly in the Porto data centre.",
            "Backup tapes are tested once a year.",
        ),
        (
            "Employees may use a personal device for training.",
            "Personal devices must not be used to read, store or send confidential or restricted information.",
        ),
        (
            "Decisions at a General Meeting may not be appealed.",
            "Decisions by the Board on a complaint may be appealed to a General Meeting.",
        ),
        (
            "The dashboard of progress shows the share done (20 %).",
            "The dashboard of progress shows the share done (80 %).",
        ),
    ],
)
def test_statements_that_something_keeps_apart_are_not_plain(first: str, second: str) -> None:
    """Another kind, place, start, person or a hedge is enough; whether they are told as a possible conflict is another matter."""
    assert True not in _plain(first, second)


def test_further_documents_have_to_speak_of_the_same_thing() -> None:
    """A third document of which the words of the closest two are not is none of it: then nothing is plain."""
    told = _plain(
        "Access rights shall be reviewed quarterly.",
        "Access rights of all accounts are reviewed annually.",
        "Access rights are reviewed every month by the owner.",
    )
    assert told == [True]


def test_documents_that_do_less_for_themselves_than_one_asks_of_all_are_plain() -> None:
    """What one document asks of every policy, another policy does not do."""
    files = {
        "a.md": "# Information Security Policy\n\n1.1 Every policy shall be reviewed at least annually.\n",
        "b.md": "# Continuity Policy\n\n1.1 This policy shall be reviewed at least every two years.\n",
    }
    assert [is_plain(each) for each in find_conflicts(chunks_of(files))] == [True]


def test_plain_conflicts_are_one_class_whatever_they_differ_in() -> None:
    """The class of a claim is asked how often it was right; a recipe says nothing of it, so finding and decisions stay."""
    recipe = {"conflict": "deadline", "head": "disabl"}
    assert rule_of("conflict", recipe, is_plain=True) == PLAIN
    assert rule_of("conflict", recipe) == "conflict/deadline"


def test_what_each_paper_rules_for_itself_is_not_plain() -> None:
    """Exceptions from one policy may be reported more seldom than those from another; what both say of one thing may not differ."""
    own = (
        "Exceptions are recorded in the register and reviewed quarterly.",
        "Exceptions are recorded in the register and reviewed monthly.",
    )
    assert True not in _plain(*own)
    assert _plain(*(each.replace("Exceptions", "Badges") for each in own)) == [True]
