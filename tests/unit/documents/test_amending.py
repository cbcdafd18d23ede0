"""What an amendment replaces in explicit words, and what it leaves alone; what "extended until" and "does not renew" say."""

from __future__ import annotations

import pytest

from coditect.documents.profile.agreements.amending import Replacement, is_in_clause, read_replacements, reworded
from coditect.documents.profile.agreements.sentence import agreement_facts


@pytest.mark.parametrize(
    ("text", "clause", "old", "new"),
    [
        (
            "In Section 7.3, the words “ten days” are deleted and replaced by “five days”.",
            "7.3",
            "ten days",
            "five days",
        ),
        ('In clause 4(b) of the Lease, "USD 900" is hereby substituted with "USD 950".', "4(b)", "USD 900", "USD 950"),
        (
            "Article 5 of the Contract is hereby amended and restated in its entirety to read:\n“The Seller pays.”",
            "5",
            "",
            "The Seller pays.",
        ),
        (
            'Paragraph 2.4 (Rent) is replaced with the following: "The rent is due weekly."',
            "2.4",
            "",
            "The rent is due weekly.",
        ),
    ],
)
def test_explicit_words_replace(text: str, clause: str, old: str, new: str) -> None:
    (found,) = read_replacements(text)
    assert (found.clause, found.old, found.new) == (clause, old, new)


@pytest.mark.parametrize(
    "text",
    [
        "The amount in Section 3.1 is increased to $1,000,000.",
        "Clause 2 is deleted.",
        "A worn part under clause 2.1 is replaced by the Supplier.",
        "Section 4 is amended as set out in Annex B.",
    ],
)
def test_other_words_replace_nothing(text: str) -> None:
    """What is deleted, increased or amended elsewhere is not computed."""
    assert list(read_replacements(text)) == []


@pytest.mark.parametrize(
    ("locator", "clause", "expected"),
    [("2.1", "2.1", True), ("2.1(a)", "2.1", True), ("2.1", "2", True), ("2.10", "2.1", False), ("2", "2.1", False)],
)
def test_a_clause_holds_its_paragraphs(locator: str, clause: str, expected: bool) -> None:
    assert is_in_clause(locator, clause) is expected


def test_words_are_replaced_as_a_whole() -> None:
    """ "4 hours" is no part of "14 hours"; a sentence without the words is not reworded."""
    replacement = Replacement("1.1", "4 hours", "90 minutes", 0, 1)
    assert reworded("Clean within 4  hours.", replacement) == "Clean within 90 minutes."
    assert reworded("Clean within 14 hours.", replacement) == ""


def _said(text: str, field: str) -> list[str]:
    return [each.value for each in agreement_facts(text, "Term") if each.field == field and each.weight >= 2]


def test_a_new_last_day_is_no_renewal() -> None:
    """An extension to a day is agreed once; one that comes about by itself is a renewal still."""
    assert _said("The duration of the Lease is extended to 31 March 2031.", "renewal") == []
    assert _said("The duration of this Lease is automatically extended until 31 March 2031.", "renewal") == [
        "automatic"
    ]
    assert _said("The duration of this Lease shall be extended automatically by one year.", "renewal") == ["automatic"]


def test_what_is_not_renewed_is_told() -> None:
    assert _said("This Lease does not automatically renew.", "renewal") == ["none"]


def test_it_may_be_ended_where_it_is_the_agreement() -> None:
    """ "It" stands for the agreement of which the sentence speaks, and for nothing else."""
    said = "This Lease begins on 1 May 2026; each party may terminate it on three months' notice."
    assert _said(said, "termination") == ["without a reason"]
    assert _said("A trial order is an offer; each party may terminate it on three months' notice.", "termination") == []
