"""Words are matched without what prints nothing and without marks of notes, and lead back to the text as it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.language.entities.names import entity_name
from coditect.language.matched import MatchedText, as_matched, describe_invisible
from coditect.language.terms import stem, terms

UNSEEN = (
    "\u00ad",
    "\u034f",
    "\u200b",
    "\u200d",
    "\u200e",
    "\u2060",
    "\u2063",
    "\ufe0f",
    "\ufeff",
    "\U000e0041",
    "\U000e0101",
)
texts = st.lists(st.sampled_from([*"ab1 .\n", "é", "¹", "²", "†", *UNSEEN]), max_size=40).map("".join)


@given(texts)
def test_matched_offsets_lead_to_the_same_characters(text: str) -> None:
    """Every stretch of the matched text has a place in the verbatim one that reads the same and begins and ends with it."""
    matched = MatchedText(text)
    assert matched.text == as_matched(text)
    assert not set(matched.text) & set(UNSEEN)
    for start in range(len(matched.text)):
        for end in range(start + 1, len(matched.text) + 1):
            first, last = matched.span(start, end)
            assert (text[first], text[last - 1]) == (matched.text[start], matched.text[end - 1])
            assert (matched.position(first), matched.position(last)) == (start, end)


@given(texts, st.data())
def test_matched_spans_keep_their_order_and_lie_in_each_other(text: str, data: st.DataObject) -> None:
    """What lies in a sentence lies in its place; an empty stretch stays inside the text."""
    matched = MatchedText(text)
    at = sorted(data.draw(st.lists(st.integers(0, len(matched.text)), min_size=4, max_size=4)))
    outer, inner = matched.span(at[0], at[3]), matched.span(at[1], at[2])
    if at[0] < at[1] < at[2]:
        assert outer[0] <= inner[0] <= inner[1] <= outer[1] <= len(text)
    assert 0 <= inner[0] <= inner[1] <= len(text)


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_matched_text_without_such_characters_is_the_text_itself(text: str) -> None:
    """Nothing is copied and no offset moves."""
    matched = MatchedText(text)
    assert matched.text is text
    assert as_matched(text) is text
    assert matched.is_verbatim
    assert matched.span(0, len(text)) == (0, len(text))


@pytest.mark.parametrize("unseen", UNSEEN)
def test_words_are_the_same_with_invisible_characters_inside(unseen: str) -> None:
    """Stems, terms and the keys of entities look through all of them."""
    assert stem(f"obli{unseen}gations") == stem("obligations")
    assert terms(f"The Sup{unseen}plier sh{unseen}all not{unseen}ify") == terms("The Supplier shall notify")
    assert entity_name(f"the Data Pro{unseen}cessor") == "data processor"


@pytest.mark.parametrize(
    ("printed", "matched"),
    [
        ("within 30¹ days", "within 30 days"),
        ("within 30¹² days", "within 30 days"),
        ("within 30⁽¹⁾ days of notice.²", "within 30 days of notice."),
        ("the “Supplier”³ shall", "the “Supplier” shall"),
        ("10 % ¹", "10 % ¹"),
        ("5 %¹ of", "5 % of"),
        ("30† days‡", "30 days"),
        ("more than 10⁶ records", "more than 10⁶ records"),
        ("within 10¹ days", "within 10 days"),
        ("20 m² or 3 km³, x² and y³", "20 m² or 3 km³, x² and y³"),
        ("records² of sites³", "records of sites"),
        ("¹ See Annex", "¹ See Annex"),
    ],
)
def test_marks_of_notes_are_no_part_of_numbers_and_words(printed: str, matched: str) -> None:
    """A mark stands behind what it belongs to; powers, squares and cubes are not marks."""
    assert as_matched(printed) == matched


def test_description_counts_what_hides_and_names_the_first_place() -> None:
    """An auditor is told which characters there are, how many, and where to look."""
    assert describe_invisible("The Supplier sh\u200ball pay with\u2060in 30\u200b0 days.") == (
        "3 invisible characters inside words read through (U+200B, U+2060); the first at character 15, in sh<U+200B>all",
    )
    tags = "Pay.\U000e0049\U000e0067"
    assert describe_invisible(tags) == (
        "2 tag characters that print nothing not read (U+E0049, U+E0067); the first at character 4, in "
        "Pay.<U+E0049><U+E0067>",
    )
    assert describe_invisible("may \u202eton\u202c pay") == (
        "2 control characters of the direction of writing, read as the text is stored (U+202C, U+202E); "
        "the first at character 4, in <U+202E>ton<U+202C>",
    )


@pytest.mark.parametrize(
    "harmless",
    ["plain", "é – “quoted”", "\u200eWord\u200e marks\u200f", "✔\ufe0f done", "\U0001f3f4\U000e0067\U000e007f flag"],
)
def test_description_says_nothing_where_nothing_is_hidden(harmless: str) -> None:
    """Word's marks between words, and what emoji are made of, are no loss."""
    assert describe_invisible(harmless) == ()
