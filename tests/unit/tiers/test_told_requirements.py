"""Which sentences are no requirements that stand by themselves."""

from __future__ import annotations

import pytest

from coditect.tiers.claims.phrases import has_examples, is_cut, is_partial


@pytest.mark.parametrize(
    ("text", "partial"),
    [
        ("Covered entity shall notify business associate of any changes in the permission.", False),
        ("[Optional] Covered entity shall notify business associate of any changes in the permission.", True),
        ("A covered institution must renew the information required by paragraph (e) of this section on an annual basis.", True),
        ("You must ask the applicant for this information by telephone.", True),
        ("You must keep the information and give this information to the owner.", False),
        ("However we will work closely with foster carers.", True),
        ("In these cases the social workers will inform parents.", True),
        ("In case of fire staff must leave.", False),
    ],
)  # fmt: skip
def test_what_needs_other_sentences_is_partial(text: str, partial: bool) -> None:
    """A choice of a template, what another paragraph says, and what only goes on."""
    assert is_partial(text) is partial


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("No Party shall divulge it in any", True),
        ("No Party shall divulge it.", False),
        ("No Party shall “divulge” it.”", False),
        ("No Party shall divulge it (ever.)", False),
    ],
)
def test_a_sentence_of_an_agreement_without_an_end_is_cut(text: str, cut: bool) -> None:
    """What stands behind it the page has."""
    assert is_cut(text) is cut


@pytest.mark.parametrize(
    ("headings", "examples"),
    [
        (("Data Security (PR.DS)", "PR.DS-01", "Example"), True),
        (("4.2 Implementation Examples:",), True),
        (("Data Security", "Exemplary Conduct"), False),
        ((), False),
    ],
)
def test_imperatives_below_examples_illustrate(headings: tuple[str, ...], examples: bool) -> None:
    """A catalogue prints them below its outcomes."""
    assert has_examples(*headings) is examples
