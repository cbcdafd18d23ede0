"""How far a binding expression reaches: to its verb, to a negation before or behind it, and to the right that it grants."""

from __future__ import annotations

import pytest

from coditect.language.reading.actors import find_agency, is_coordinated, names_of
from coditect.language.reading.binding import find_stance, leads_on, verb_of
from coditect.language.reading.sentence import SentenceReading, read_sentence

ADVERBS = ("duly", "safely", "openly", "freely", "firmly", "kindly", "boldly")
NOUNS = ("clerk", "agent", "buyer", "seller", "owner", "tenant", "member", "lender", "broker")
ADJECTIVES = ("a", "big", "old", "new", "red", "odd", "shy", "dry")


def _modal(reading: SentenceReading) -> int:
    return next(n for n, token in enumerate(reading.tokens) if token.role == "modal")


def _stance(text: str) -> str:
    reading = read_sentence(text)
    return find_stance(reading, _modal(reading)).key


@pytest.mark.parametrize(("between", "found"), [(0, True), (5, True), (6, False)])
def test_verb_stands_among_the_next_six_words(between: int, found: bool) -> None:
    """Adverbs are passed over; what stands farther away is not looked at."""
    reading = read_sentence(f"The clerk may {' '.join(ADVERBS[:between])} sign it.")
    verb = verb_of(reading, _modal(reading))
    assert (verb is not None) is found
    assert verb is None or reading.tokens[verb].low == "sign"


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        ("The clerk must have the right to sign.", True),
        ("The clerk shall not be restricted from signing.", True),
        ("The clerk must sign.", False),
        ("The clerk may sign and the agent must pay.", False),
        ("What the clerk must", False),
    ],
)
def test_expression_leads_on_to_the_one_right_behind_it(text: str, leads: bool) -> None:
    """Two in a row have one say; a verb between them parts them, and the last word has nothing behind it."""
    reading = read_sentence(text)
    assert leads_on(reading, _modal(reading)) is leads
    assert leads_on(reading, len(reading.tokens) - 1) is False


@pytest.mark.parametrize(("nouns", "key"), [(1, "shall not"), (4, "shall not"), (5, "shall not"), (9, "may")])
def test_negated_subject_turns_the_expression(nouns: int, key: str) -> None:
    """ "No clerk may" forbids; a "no" that is far away belongs to something else."""
    assert _stance(f"No {' '.join(NOUNS[:nouns])} may sign.") == key


@pytest.mark.parametrize(("adverbs", "key"), [(0, "shall not"), (1, "shall not"), (2, "shall not"), (3, "shall")])
def test_negation_stands_among_the_next_three_words(adverbs: int, key: str) -> None:
    """ "Shall duly, safely, in no event": adverbs may stand between."""
    assert _stance(f"The clerk shall {' '.join(ADVERBS[:adverbs])} in no event sign it.") == key


def test_negation_behind_the_verb_is_the_verbs_own() -> None:
    """What the clerk is to do is not to look."""
    assert _stance("The clerk shall promise never to look.") == "shall"


@pytest.mark.parametrize(("between", "key"), [(3, "may"), (7, "may"), (8, "shall")])
def test_right_is_named_within_seven_words(between: int, key: str) -> None:
    """ "Shall have a … right" permits, whatever stands between, if it is not too much."""
    assert _stance(f"The clerk shall have {' '.join(ADJECTIVES[:between])} right to sign.") == key


def test_right_needs_a_verb_of_having() -> None:
    """ "Shall sign the right form" binds."""
    assert _stance("The clerk shall sign the right form.") == "shall"


def test_words_that_a_conjunction_joins_are_coordinated() -> None:
    """One word before or behind "and" and "or", and none farther away."""
    tokens = read_sentence("The clerk and agent pay buyers or sellers.").tokens
    joined = {token.low for n, token in enumerate(tokens) if token.role == "word" and is_coordinated(tokens, n)}
    assert joined == {"clerk", "agent", "buyers", "sellers"}


def test_names_are_told_by_their_capitals_where_these_prove_something() -> None:
    """A sentence in capitals names nobody by them."""
    assert names_of(read_sentence("Norwick pays Halden and the clerk.")) == {"norwick", "halden"}
    assert names_of(read_sentence("NORWICK PAYS HALDEN AND THE CLERK.")) == frozenset()


@pytest.mark.parametrize(
    ("subject", "acting"),
    [
        ("Norwick", {"norwick"}),
        ("Norwick and Halden", {"norwick", "halden"}),
        ("Norwick or Halden", {"norwick", "halden"}),
        ("Norwick also Halden", {"halden"}),
        ("Norwick of Halden", set()),
        ("norwick and halden", set()),
    ],
)
def test_names_right_before_the_verb_act(subject: str, acting: set[str]) -> None:
    """One name, or two that a conjunction joins; a word without its capital is no name."""
    reading = read_sentence(f"{subject} shall pay the fee.")
    modal = _modal(reading)
    verb = verb_of(reading, modal)
    assert verb is not None
    assert set(find_agency(reading, modal, verb).acting) == acting
