"""Lists of running text: which sentence leads into which items, what joins them, and what ends them."""

from __future__ import annotations

from coditect.documents.readers import read_source
from coditect.documents.structure.lists import NOWHERE, Lists, read_lists
from coditect.documents.structure.outline import root_alone
from coditect.tiers.extractions.document import document_lists, read_document

Piece = tuple[int, int]


class _Sentence:
    """A span of a test's text."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end


def _lists(text: str, apart: frozenset[int] = frozenset()) -> Lists:
    """The lists of a text whose lines are its sentences."""
    sentences, at = [], 0
    for line in text.split("\n"):
        sentences.append(_Sentence(at, at + len(line)))
        at += len(line) + 1
    return read_lists(text, root_alone(text), sentences, {}, apart)


def test_list_has_its_lead_items_connective_and_tail() -> None:
    """A small letter on a line of its own behind the last item goes on with the lead's sentence."""
    found = _lists("The keeper must keep:\n(a) the log; or\n(b) the keys,\nfor at least six years.\nThe clerk waits.")
    (each,) = found.lists
    assert (each.lead, each.items, each.tail, each.connective, each.parent) == (0, (1, 2), 3, "or", NOWHERE)
    assert found.places[4].tail_of == NOWHERE


def test_list_inside_an_item_has_it_as_its_lead() -> None:
    """Other markers begin a list inside the item; the outer list goes on behind it."""
    found = _lists("He must:\n(a) not act to:\n(i) gain; or\n(ii) harm; and\n(b) pay.")
    outer, inner = found.lists
    assert (outer.items, inner.lead, inner.items, inner.parent) == ((1, 4), 1, (2, 3), 0)
    assert (outer.connective, inner.connective) == ("and", "or")


def test_own_words_begin_behind_the_marker() -> None:
    """A sentence's own words are those behind its marker, or behind the rule's number."""
    text = "4.2.1 The keeper must:\n(a) count keys; and\n(b) wait."
    found = _lists(text)
    assert [text[place.own :].split()[0] for place in found.places] == ["The", "count", "wait."]


def test_closed_sentence_leads_into_nothing() -> None:
    """Behind a full stop a numbered line is no item."""
    assert _lists("The keeper waits.\n(a) The clerk waits.").lists == ()


def test_heading_ends_a_list_of_bullets() -> None:
    """Bullets on both sides of what stands apart are of two lists, or of none."""
    text = "He must keep:\n- the log\nKeys\n- the gate"
    found = _lists(text, frozenset({text.index("Keys")}))
    assert [each.items for each in found.lists] == [(1,)]


def test_second_list_with_the_same_letters_has_its_own_lead() -> None:
    """Letters that begin anew belong to the lead-in just before them."""
    found = _lists("He must:\n(a) pay; and\n(b) wait.\nShe may:\n(a) go; or\n(b) stay.")
    assert [(each.lead, each.items) for each in found.lists] == [(0, (1, 2)), (3, (4, 5))]


def test_text_is_what_readers_give() -> None:
    """A list that a reader of Markdown gives is found as one of plain lines is."""
    text = read_source(b"He must:\n\n(a) pay; and\n\n(b) wait.\n", "rules.md").text
    assert len(_lists("\n".join(line for line in text.split("\n") if line)).lists) == 1


def test_item_is_no_tail_of_the_list_inside_the_item_before() -> None:
    """A letter with its stop is a marker, not the small letter in which a sentence goes on."""
    found = _lists(
        "c. Disable keys when:\n1. They have expired,\n2. They are lost, or\nd. Review the list of keys each year."
    )
    assert found.lists[0].tail == NOWHERE


def test_items_of_the_format_have_labels_without_signs() -> None:
    """What the format calls an item begins behind its letter; in running text such a letter is a word."""
    text = "a Prevent access to the vault.\n4.2.b Count the keys."
    sentences = [_Sentence(0, 30), _Sentence(31, len(text))]
    blocks = {0: (30, 1), 31: (len(text), 1)}
    told = read_lists(text, root_alone(text), sentences, blocks, frozenset())
    assert [text[place.own :][:5] for place in told.places] == ["Preve", "Count"]
    assert [place.own for place in _lists("a Prevent access to the vault.").places] == [0]


def test_letters_in_paragraphs_below_a_number_of_the_format_are_its_items() -> None:
    """Markdown calls "1." an item and "a." a paragraph; the open lead-in tells that they belong together."""
    reading = read_document(read_source(b"1. The clerk must:\n\n   a. lock it; and\n\n   b. go.\n\n2. Rest.\n", "a.md"))
    (found,) = document_lists(reading).lists
    assert (found.lead, found.items) == (0, (1, 2))
