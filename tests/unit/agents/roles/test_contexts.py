"""Contexts of passages: where a long one is cut; and words that a quote leaves out at the very beginning."""

from __future__ import annotations

import pytest

from coditect.agents.extraction_schema.json_schema import closed_schema
from coditect.agents.roles.contextualiser import read_context
from coditect.agents.roles.quotes import cuts_word, find_words, leaves_out
from tests.unit.agents.roles.material import answered


def test_context_of_600_characters_is_whole() -> None:
    """One more, and it is cut behind the last word that fits."""
    whole = "word " * 119 + "words"
    assert len(whole) == 600
    assert read_context(answered(whole)) == whole
    assert read_context(answered(whole + " more")) == ("word " * 119).strip()


@pytest.mark.parametrize(("length", "kept"), [(199, False), (200, True), (201, True)])
def test_context_is_cut_behind_a_sentence_that_takes_a_third(length: int, kept: bool) -> None:
    """A sentence that ends too early leaves too little: then the words that fit are kept."""
    first = "x" * (length - 1) + "."
    cut = read_context(answered(first + " " + "word " * 200))
    assert (cut == first) is kept
    assert len(cut) <= 600


def test_word_that_turns_a_quote_is_found_at_the_beginning_of_a_text() -> None:
    """The first word of a text may be the one that matters."""
    assert leaves_out("not staff may share keys", 4, 24) == "not"
    assert leaves_out("do staff share keys unless asked", 3, 19) == "unless"
    assert leaves_out("staff may share keys", 0, 20) == ""


def test_words_are_found_whole_where_they_stand_first() -> None:
    """A part of a longer word is passed over."""
    assert find_words("able", "unable, able, able") == (8, 12)
    assert find_words("able", "unable") is None
    assert find_words("  ", "able") is None
    assert cuts_word("unable", 2, 6)
    assert not cuts_word("un able", 3, 7)


@pytest.mark.parametrize(
    ("schema", "bounded", "closed"),
    [
        ({"type": "string"}, True, {"type": "string", "maxLength": 10_000}),
        ({"type": "string", "maxLength": 20_000}, True, {"type": "string", "maxLength": 10_000}),
        ({"type": "string", "maxLength": 5}, True, {"type": "string", "maxLength": 5}),
        ({"type": "string", "maxLength": 5}, False, {"type": "string"}),
        ({"type": "string", "const": "x"}, False, {"const": "x"}),
        ({"type": "string", "enum": ["x"]}, False, {"enum": ["x"]}),
        ({"type": "number", "minimum": 1}, True, {"type": "number", "minimum": 1}),
        ({"type": "array", "items": {"type": "string"}}, False, {"type": "array", "items": {"type": "string"}}),
    ],
)
def test_closed_schema_bounds_what_a_field_leaves_open(
    schema: dict[str, object], bounded: bool, closed: dict[str, object]
) -> None:
    """Checked with bounds; asked for without, and an enumeration without its type."""
    assert closed_schema(schema, bounded=bounded) == closed
