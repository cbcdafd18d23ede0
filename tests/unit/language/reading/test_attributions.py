"""Where a statement begins behind the words that only say that a document says it."""

from __future__ import annotations

import pytest

from coditect.language.reading.attributions import find_statement_start

QUOTE = "Visitors wear a badge, as this agreement, the policies, the standards, the rule or the handbook and guidelines hold."


@pytest.mark.parametrize(
    "lead",
    [
        "According to the policy, ",
        "according to our standards, ",
        "Under this agreement, ",
        "As stated in the document, ",
        "As is set out in the source, ",
        "The handbook states that ",
        "The rules expressly provide that ",
        "It is stated that ",
        "It is laid down in the guidelines that ",
        "For the avoidance of doubt, ",
        "According to the document, the policy makes it clear that ",
    ],
)
def test_words_that_only_attribute_stand_before_the_statement(lead: str) -> None:
    """The statement begins behind them, and behind several of them."""
    assert find_statement_start(f"{lead}visitors wear a badge.", [QUOTE]) == len(lead)


@pytest.mark.parametrize(
    "text",
    [
        "The policy requires that visitors wear a badge.",  # binds
        "The policy does not state that visitors wear a badge.",  # denies it
        "According to the treasurer, visitors wear a badge.",  # somebody said it, no document
        "The Badge Policy states that visitors wear a badge.",  # which one may be wrong
        "Under section 5, visitors wear a badge.",
        "Under the old policy, visitors wear a badge.",
        "Under the policy visitors may choose from, badges are worn.",
        "The annual report states that visitors wear a badge.",  # what reports have to say is what rules are about
        "Visitors wear a badge according to the policy, and guests do not.",
        "According to the policy, ",
        "Under the regulation, visitors wear a badge.",  # the evidence speaks of no regulation
        "The manual states that visitors wear a badge.",
    ],
)
def test_what_may_be_wrong_itself_stays(text: str) -> None:
    """Names, numbers, persons, denials, kinds of documents and what binds are part of what is said."""
    assert find_statement_start(text, [QUOTE]) == 0


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Under this Agreement, visitors wear a badge.", "Under this agreement, visitors wear a badge."),
        ("The contract provides that visitors wear a badge.", "The contract shall provide that visitors wear a badge."),
        ("The document provides that visitors wear a badge.", "It must be stated that visitors wear a badge."),
    ],
)
def test_what_the_evidence_speaks_of_itself_stays(text: str, quote: str) -> None:
    """A contract that has to provide something provides it no more than one that has to be signed is signed."""
    assert find_statement_start(text, [QUOTE, quote]) == 0
