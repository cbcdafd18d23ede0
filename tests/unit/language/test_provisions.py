"""Composed readings lead back to verbatim text, and a lead-in's end tells what its items are to it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.language.provisions.composed import ComposedText
from coditect.language.provisions.inline import find_inline
from coditect.language.provisions.leads import lead_role

TEXT = "The keeper shall:\n(a)\tlock the gate; and\n(b)\tcount the keys,\nevery night."


def _place(words: str) -> tuple[int, int]:
    at = TEXT.index(words)
    return at, at + len(words)


def test_composed_text_reads_as_one_sentence() -> None:
    """Signs that only lead on are left out, and the tail stands behind its item."""
    item, tail = _place("lock the gate; and"), _place("every night.")
    composed = ComposedText(TEXT, [_place("The keeper shall:")], [item], [tail])
    assert composed.text == "The keeper shall lock the gate, every night."


def test_composed_text_joins_items_by_their_own_word() -> None:
    """Several items of one statement keep the word that joins them."""
    items = [_place("lock the gate; and"), _place("count the keys,")]
    assert (
        ComposedText(TEXT, [_place("The keeper shall:")], items).text
        == "The keeper shall lock the gate and count the keys,"
    )


_WORDS = st.text(alphabet="ab ,;:.-–—()\n\t", min_size=1, max_size=12)


@given(st.lists(_WORDS, min_size=1, max_size=6), st.data())
def test_spans_lead_back_to_verbatim_text(pieces: list[str], data: st.DataObject) -> None:
    """Each span holds exactly the words that the composed text has there; what is between pieces has no place."""
    text = "|".join(pieces)
    places, at = [], 0
    for piece in pieces:
        places.append((at, at + len(piece)))
        at += len(piece) + 1
    cut = data.draw(st.integers(0, len(places)))
    end = data.draw(st.integers(cut, len(places)))
    composed = ComposedText(text, places[:cut], places[cut:end], places[end:])
    lo = data.draw(st.integers(0, len(composed.text)))
    hi = data.draw(st.integers(lo, len(composed.text)))
    rest = composed.text[lo:hi]
    for start, stop in composed.spans(lo, hi):
        found = rest.find(text[start:stop])
        assert found >= 0
        assert set(rest[:found].lower()) <= set(", andorbut/")  # only what joins two pieces
        rest = rest[found + stop - start :]
    assert composed.spans(0, len(composed.text)) == list(composed.places)


@given(st.integers(0, 60))
def test_place_is_inside_of_a_piece(at: int) -> None:
    """Every position of the composed text stands for a place of a piece, or for the end of one."""
    composed = ComposedText(TEXT, [_place("The keeper shall:")], [_place("count the keys,")], [_place("every night.")])
    at = min(at, len(composed.text) - 1)
    start, end = composed.places[composed.piece(at)]
    assert start <= composed.place(at) <= end


@pytest.mark.parametrize(
    ("lead", "role"),
    [
        ("The keeper shall", "open"),
        ("The keeper must ensure that", "acts"),
        ("The keeper may open the gate if", "conditions"),
        ("The keeper may open the gate if any of the following conditions are met", "conditions"),
        ("The keeper must list all tools, including", "examples"),
        ("The keeper must turn away a visitor who", "description"),
        ("The keeper must report an event that", "description"),
        ("In this part, gate means", "definition"),
    ],
)
def test_lead_role_is_told_by_the_end_of_the_lead_in(lead: str, role: str) -> None:
    """What the items are to their lead-in follows from its last words."""
    assert lead_role(lead) == role


@pytest.mark.parametrize(
    ("items", "joined"),
    [
        ("(a) lock the gate; and (b) count the keys.", "and"),
        ("(a) lock the gate; or (b) count the keys.", "or"),
        ("(i) lock the gate, (ii) count the keys and/or (iii) call the guard.", "or"),
        ("1) lock the gate, 2) count the keys.", "none"),
    ],
)
def test_inline_list_says_what_joins_its_items(items: str, joined: str) -> None:
    """The word before an item's marker joins the items, before the last one as well as before any other."""
    text = f"The keeper shall {items}"
    found = find_inline(text, 0, len(text))
    assert found is not None
    assert found[2] == joined


def test_inline_list_is_found_with_its_lead_in() -> None:
    """The items of one series stand without their markers; the lead-in ends where the first marker begins."""
    text = "The keeper shall (a) lock the gate; and (b) count the keys."
    found = find_inline(text, 0, len(text))
    assert found is not None
    (lo, hi), items, _ = found
    assert text[lo:hi] == "The keeper shall "
    assert [text[a:b].strip() for a, b in items] == ["lock the gate; and", "count the keys."]


def test_reference_to_items_is_no_inline_list() -> None:
    """Letters behind "paragraph" that nothing but a preposition follows begin no items."""
    text = "The keeper shall do as paragraphs (a) and (b) of this rule say."
    assert find_inline(text, 0, len(text)) is None


@pytest.mark.parametrize(
    "words",
    ["The rules must include steps which are designed to ensure that:", "The notice must include the following:"],
)
def test_contents_that_must_be_there_are_acts(words: str) -> None:
    """Each item of a required content is required by itself."""
    assert lead_role(words) == "acts"
