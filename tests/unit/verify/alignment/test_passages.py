"""A passage is read as the statements that it makes, and every place in them leads back to it."""

from __future__ import annotations

import pytest

from coditect.language.reading.sentence import read_sentence
from coditect.verify.alignment.evidence import EvidenceIndex
from coditect.verify.alignment.matching import find_pairs, held_share, joined_run
from coditect.verify.alignment.passages import MOST_TEXT, read_statements

LIST = """3.1 The Keeper must:
(a) lock the gate at night; and
(b) report every loss to the Owner,

within two days.

The gate is painted green."""


def test_items_are_read_with_lead_in_and_tail() -> None:
    """Neither a lead-in nor an item stands for itself; the sentence behind the list does."""
    said = [statement.text for statement in read_statements(LIST)]
    assert "The Keeper must lock the gate at night, within two days." in said
    assert "The Keeper must report every loss to the Owner, within two days." in said
    assert said[-1] == "The gate is painted green."
    assert not any(each.rstrip().endswith(":") for each in said)


def test_conditions_hold_only_together() -> None:
    """Items that are conditions, joined by "and", are one statement: each alone would permit too much."""
    text = "The Keeper may open the gate only if:\n(a) the Owner agrees; and\n(b) the alarm is off."
    (statement,) = read_statements(text)
    assert "agrees" in statement.text
    assert "alarm" in statement.text


def test_places_lead_back_to_the_passage() -> None:
    """Words of a composed statement are where the passage has them, also behind its lead-in."""
    for statement in read_statements(LIST):
        for word in ("Keeper", "loss", "two days", "green"):
            at = statement.text.find(word)
            if at >= 0:
                start, end = statement.place(at, at + len(word))
                assert LIST[start:end] == word
        start, end = statement.place(0, len(statement.text))
        assert 0 <= start < end <= len(LIST)


@pytest.mark.parametrize(
    "text", ["", "  ", "One sentence. And another, which is as long as it has to be.", "x " * MOST_TEXT]
)
def test_text_without_lists_is_its_sentences(text: str) -> None:
    """Sentences verbatim where they stand, and nothing of an empty text."""
    for statement in read_statements(text):
        assert statement.composed is None
        assert text[statement.start : statement.start + len(statement.text)] == statement.text


def test_best_statement_holds_most_of_a_claim_in_other_words() -> None:
    """Synonyms count; of a list and its item, which hold as much, the item is taken."""
    claim = read_sentence("The Keeper has to tell the Owner of any loss.")
    pairs = find_pairs(claim, 0, EvidenceIndex([LIST]))
    assert "report every loss" in pairs[0].evidence.text
    assert "lock" not in pairs[0].evidence.text
    assert held_share(pairs[0]) == 1.0
    assert find_pairs(read_sentence("Nobody swims."), 0, EvidenceIndex([LIST])) == ()


def test_run_of_another_statement_is_what_the_first_lacks() -> None:
    """A claim may join two statements: the second has words in a row that the first has not."""
    index = EvidenceIndex(["The gate is locked at night. Fresh bread is sold on Fridays."])
    pairs = find_pairs(read_sentence("The gate is locked at night and fresh bread is sold."), 0, index)
    run = joined_run(pairs[1], pairs[0].forth)
    assert [pairs[0].claim.tokens[n].low for n in run] == ["fresh", "bread", "sold"]
    assert joined_run(pairs[0], pairs[0].forth) == []
