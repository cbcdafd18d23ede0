"""A sentence as tokens: quantities, places, binding expressions, phrases, and who acts under what conditions."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.language.reading.actors import find_agency
from coditect.language.reading.binding import find_stance, governing_modal, says_only, verb_of
from coditect.language.reading.conditions import find_conditions
from coditect.language.reading.sentence import READ_LIMIT, SentenceReading, read_sentence, split_sentences


def tokens(text: str) -> list[tuple[str, str]]:
    """The roles and keys of a sentence's tokens, function words left out."""
    return [(token.role, token.key) for token in read_sentence(text).tokens if token.role != "function"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The clerk shall pay $1,200 within 30 days.", [
            ("word", "clerk"), ("modal", "shall"), ("word", "pay"), ("number", "$1200USD"), ("comparator", "at most"),
            ("number", "t720"),
        ]),
        ("Nobody may enter unless invited.", [
            ("negation", "not"), ("modal", "may"), ("word", "enter"), ("condition", "unless"), ("word", "invit"),
        ]),
        ("Returns follow Section 4.2 and § 4.2.", [
            ("word", "return"), ("reference", "§4.2"), ("reference", "§4.2"),
        ]),
        ("They are at liberty to sell some of it.", [("modal", "may"), ("word", "sell"), ("quantifier", "some")]),
        ("A non-exclusive licence in the United States.", [("word", "nonexclus"), ("word", "licens"), ("word", "usa")]),
    ],
)  # fmt: skip
def test_tokens_have_their_role_and_key(text: str, expected: list[tuple[str, str]]) -> None:
    """What is more than one word is one token, and its key is what it means."""
    assert tokens(text) == expected


def test_quantity_with_brackets_does_not_end_the_clause() -> None:
    """The repeated amount belongs to the quantity, and what stands behind it to the same clause."""
    reading = read_sentence("The clerk shall within thirty (30) days notify the tenant.")
    assert {token.clause for token in reading.tokens[:-1]} == {0}


def test_spatial_word_bounds_only_a_number() -> None:
    """ "Under" is less than where a number follows, and a place where none does."""
    assert ("comparator", "less") in tokens("Loans under 500 euros are free.")
    assert ("comparator", "less") not in tokens("The gate under repair stays shut.")


def test_capitalised_modal_inside_a_sentence_is_a_name() -> None:
    """ "May" is a month or a person there."""
    assert ("modal", "may") not in tokens("The lease of May ends.")


@settings(deadline=None)
@given(st.text(max_size=300))
def test_tokens_of_any_text_are_in_order_and_apart(text: str) -> None:
    """No text breaks the reading, and reading twice gives the same."""
    reading = SentenceReading(text)
    ends = [0, *(token.end for token in reading.tokens)]
    assert all(end <= token.start < token.end <= len(text) for end, token in zip(ends, reading.tokens, strict=False))
    assert SentenceReading(text).tokens == reading.tokens


def test_sentence_is_read_up_to_its_limit() -> None:
    """What stands behind the limit is not read."""
    assert len(read_sentence("a " * READ_LIMIT).text) == READ_LIMIT


def test_split_takes_the_rest_into_the_last_sentence() -> None:
    """Abbreviations end no sentence, short ones join the next, and at most so many are told apart."""
    text = (
        "Acme Inc. (the Buyer) pays in full. No. The seller delivers all of the goods. Nobody else pays anything here."
    )
    assert [text[a:b].strip() for a, b in split_sentences(text)] == [
        "Acme Inc. (the Buyer) pays in full.",
        "No. The seller delivers all of the goods.",
        "Nobody else pays anything here.",
    ]
    assert len(list(split_sentences(text, most=2))) == 2


@pytest.mark.parametrize(
    ("text", "key", "leads"),
    [
        ("If the room is clean, the clerk shall refund the deposit.", "if", True),
        ("The clerk shall refund the deposit unless the room is damaged.", "unless", False),
        ("The clerk shall act once the board agrees.", "when", False),
        ("Notwithstanding the lease, the clerk may leave.", "despite", True),
    ],
)
def test_condition_has_its_kind_body_and_place(text: str, key: str, leads: bool) -> None:
    """What introduces it says its kind; it leads where the main clause follows."""
    reading = read_sentence(text)
    (found,) = find_conditions(reading)
    assert (found.key, found.leads) == (key, leads)
    assert all(reading.tokens[n].has_substance for n in found.body)


def test_upon_behind_a_word_that_it_belongs_to_is_no_condition() -> None:
    """ "Agreed upon" is no condition, "upon notice" is one."""
    assert not find_conditions(read_sentence("The price shall be as agreed upon."))
    assert find_conditions(read_sentence("The clerk shall leave upon notice."))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("The guard shall lock the gate.", "shall"),
        ("No guard may lock the gate.", "shall not"),
        ("The guard shall in no event lock the gate.", "shall not"),
        ("The guard shall have the right to lock the gate.", "may"),
        ("No guard is required to lock the gate.", "free"),
        ("The guard should lock the gate.", "recommended"),
        ("The guard shall not be restricted from leaving the gate.", "may"),
    ],
)
def test_stance_takes_in_negations_and_outer_expressions(text: str, key: str) -> None:
    """However it is said, a clause binds in one of a few ways."""
    reading = read_sentence(text)
    modal = max(n for n, token in enumerate(reading.tokens) if token.role == "modal")
    assert find_stance(reading, modal).key == key


def test_verb_is_governed_by_the_last_modal_before_it() -> None:
    """And the verb of that modal is the word itself, adverbs passed over."""
    reading = read_sentence("The guard shall promptly lock the gate, and may leave.")
    lock = next(n for n, token in enumerate(reading.tokens) if token.low == "lock")
    modal = governing_modal(reading, lock)
    assert modal is not None
    assert reading.tokens[modal].low == "shall"
    assert verb_of(reading, modal) == lock


def test_only_is_heard_inside_a_longer_expression() -> None:
    """ "Solely responsible" excludes others as "only" does."""
    said = [says_only(token) for token in read_sentence("The tenant is solely responsible for the keys.").tokens]
    assert "solely" in said
    assert not any(says_only(token) for token in read_sentence("The tenant keeps the keys.").tokens)


@pytest.mark.parametrize(
    ("text", "acting", "acted_upon"),
    [
        ("The licensor shall indemnify the licensee.", {"licensor"}, set()),
        ("The licensee shall be indemnified by the licensor.", {"licensor"}, {"licensee"}),
        ("The agent of the bank shall sign the deed.", {"agent"}, set()),
    ],
)
def test_agency_tells_who_acts(text: str, acting: set[str], acted_upon: set[str]) -> None:
    """The passive turns subject and agent around; what stands behind a preposition does not act."""
    reading = read_sentence(text)
    modal = next(n for n, token in enumerate(reading.tokens) if token.role == "modal")
    verb = verb_of(reading, modal)
    assert verb is not None
    found = find_agency(reading, modal, verb)
    assert set(found.acting) == acting
    assert set(found.acted_upon) == acted_upon
