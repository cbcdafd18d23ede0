"""What a quote must not leave out, in the words of the language's tables."""

from __future__ import annotations

import pytest

from coditect.agents.roles.quotes import leaves_out
from coditect.language.tables import read_table

NEGATION = read_table("negation")
BEFORE = [*NEGATION.words("negators"), "unless", "except", "excluding", "don't", "won’t"]
AFTER = [*read_table("restrictions").phrases("restrictions"), "unless", "except", "excepting", "excluding", "barring"]


@pytest.mark.parametrize("word", BEFORE)
def test_quote_may_not_begin_after_a_word_that_turns_it(word: str) -> None:
    """What stands before a quote in its sentence and turns it around is found, in any case of letters."""
    text = f"Here {word.upper()} staff may share keys."
    start = text.index("staff")
    assert leaves_out(text, start, len(text)).lower() in (word, "n't", "n’t")


@pytest.mark.parametrize("phrase", AFTER)
def test_quote_may_not_end_before_a_phrase_that_limits_it(phrase: str) -> None:
    """What follows a quote in its sentence and limits it is found, however its white space is set."""
    text = "Staff may share keys {} x.".format(phrase.replace(" ", "\n"))
    assert leaves_out(text, 0, text.index(" keys") + 5).split() == phrase.split()


@pytest.mark.parametrize("word", ["save", "note", "nonetheless", "knotted"])
def test_quote_may_leave_out_words_that_limit_nothing(word: str) -> None:
    """A verb, and a word that only contains a negator, limit nothing."""
    text = f"To {word} costs, staff may share keys to {word} time."
    assert leaves_out(text, text.index("staff"), text.index(" to ")) == ""


def test_quote_may_leave_out_what_another_sentence_says() -> None:
    """Sentences before and after a quote limit themselves."""
    text = "Never share keys. Staff may share rooms. Except on Sundays, they do not."
    start = text.index("Staff")
    assert leaves_out(text, start, text.index(" Except")) == ""
