"""A negation that both sides have contradicts nothing, wherever it stands before the word that it negates."""

from __future__ import annotations

import pytest

from coditect.verify.contradictions.rules import find_contradictions


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The vendor never shares records with others.", "The vendor does not ever share records with others."),
        ("The archive is never opened without a witness.", "The archive is not opened without a witness."),
        ("No record leaves the vault.", "A record never leaves the vault."),
        ("The plan was not approved by the board.", "The plan was never approved by the board."),
    ],
)
def test_negation_in_other_words_is_no_contradiction(claim: str, evidence: str) -> None:
    """ "Never" for "not", and "no" before the subject for "never" before the verb."""
    assert not find_contradictions(claim, [evidence])


def test_negation_of_one_side_alone_is_a_contradiction() -> None:
    """The same sentence without its negation."""
    (found,) = find_contradictions("A record leaves the vault.", ["A record never leaves the vault."])
    assert found.kind == "negation"
