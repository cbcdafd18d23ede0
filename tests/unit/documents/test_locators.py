"""Locators are whole paths of printed numbers."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.documents.structure.lists import read_lists
from coditect.documents.structure.locators import find_locators
from coditect.tiers.extractions.document import document_lists, read_document


def _locators(text: str) -> dict[str, str]:
    """The locator of each sentence, by each of its words."""
    reading = read_document(read_source(text.encode(), "rules.md"))
    shown = reading.source.text
    lists = read_lists(shown, reading.sections, reading.sentences, {}, frozenset())
    found = find_locators(shown, reading.sections, reading.sentences, lists)
    return {
        word.strip(".;:,"): locator
        for each, locator in zip(reading.sentences, found, strict=True)
        for word in shown[each.start : each.end].split()
    }


def _located(text: str) -> dict[str, str]:
    """The locator of each sentence behind its label, with the lists of the format."""
    reading = read_document(read_source(text.encode(), "rules.md"))
    shown, lists = reading.source.text, document_lists(reading)
    found = find_locators(shown, reading.sections, reading.sentences, lists)
    return {
        shown[place.own : each.end].strip(".: \n"): locator
        for each, place, locator in zip(reading.sentences, lists.places, found, strict=True)
    }


RULES = """# Rules

## 4 Custody

4.5.1 (1) The keeper must:

(a) act so as to:

(i) guard keys; and

(ii) guard logs; and

(b) wait.

4.5.2 The clerk must pay. The clerk must rest.

## Schedule 2 Fees

1 The fee is small.
"""


@pytest.mark.parametrize(
    ("word", "locator"),
    [
        ("keys", "4.5.1(1)(a)(i)"),
        ("logs", "4.5.1(1)(a)(ii)"),
        ("wait", "4.5.1(1)(b)"),
        ("pay", "4.5.2"),
        ("rest", "4.5.2"),
    ],
)
def test_locator_is_the_path_of_all_numbers_above(word: str, locator: str) -> None:
    """Items stand below their lead-in, and a sentence without a number in the place of the one before."""
    assert _locators(RULES)[word].replace(" ", "") == locator


def test_locator_names_the_schedule_that_numbers_anew() -> None:
    """A number that begins anew in a schedule is cited with the schedule."""
    assert _locators(RULES)["small"].startswith("Schedule 2")


def test_locator_is_empty_where_nothing_is_numbered() -> None:
    """Plain text has no locators."""
    assert set(_locators("The keeper must pay.\n\nThe clerk must rest.\n").values()) == {""}


def test_numbers_and_letters_in_turn_hold_those_above() -> None:
    """ "2a1)" is cited by itself, below the article, as an item and as a provision; an unnumbered sentence is of the last one."""
    text = (
        "# Article 2: Riders\n\n- 2a) Riders may enter if they:\n    - 2a1) Wear a hat.\n    - 2a2) Pay.\n"
        "- 2b) Riders must wait.\n    - 2b1) Nobody runs. All walk.\n"
    )
    told = _located(text)
    assert [told[each] for each in ("Wear a hat", "Pay", "Nobody runs", "All walk")] == [
        "Article 2 2a1)",
        "Article 2 2a2)",
        "Article 2 2b1)",
        "Article 2 2b1)",
    ]


def test_paragraphs_behind_the_last_item_of_the_format_are_of_no_item() -> None:
    """What stands unindented below a list of Markdown is of the list's section; between items it is of the one above."""
    text = "## 3.1 Board\n\nThe board has these members:\n\n1. The chair\n2. The clerk\n\nEach of them votes. Nobody else does.\n"
    told = _located(text)
    assert [told[each] for each in ("Each of them votes", "Nobody else does")] == ["3.1", "3.1"]
    between = "## 3.1 Board\n\nThe board must:\n\n1. Meet.\n\nIt meets at noon.\n\n2. Vote.\n\nIt votes by hand.\n"
    assert _located(between)["It meets at noon"] == "3.1 1"


SUPPLEMENT = (
    "§ 7.1 Keys.\n\n(a) The keeper must wait.\n\nAppendix B to Part 7—Forms\n\nB-1—Notices of Loss\n\n(a) Tell the desk.\n\n"
    "B-2—Notices of Return\n\n(a) Tell the guard.\n\nB-3—Notices of Theft\n\n(a) Tell the town.\n\n"
    "Supplement I to Part 7—Official Interpretations\n\nSection 7.1—Keys\n\n1(a) Waiting.\n\n"
    "1. Hours. A keeper waits by day.\n\ni. Dawn is day.\n\nParagraph 1(a)(2)\n\n1. Nights. A keeper rests by night.\n"
)
NAMED = {
    "Tell the desk": "Appendix B B-1(a)",
    "Tell the guard": "Appendix B B-2(a)",
    "A keeper waits by day": "Supplement I 1(a) 1",
    "Dawn is day": "Supplement I 1(a) 1 i",
    "A keeper rests by night": "Supplement I Paragraph 1(a)(2) 1",
}


def test_appendices_and_official_comments_of_a_part_are_cited_by_their_names() -> None:
    """An appendix "to Part 7", its lettered forms, and what a comment of the supplement is on, in running text."""
    told = _plain(SUPPLEMENT)
    assert {words: told[words] for words in NAMED} == NAMED


def test_an_appendix_without_a_letter_is_named_by_its_part() -> None:
    """ "Appendix to Part 7" is no "Appendix B" above its "B."."""
    told = _plain(
        "§ 7.1 Keys.\n\n(a) Wait.\n\nAppendix to Part 7—Forms\n\n"
        "A. Notices\n\nB. Rules\n\n1. Tell the desk.\n\nC. Ends\n\n1. Rest.\n"
    )
    assert told["Tell the desk"] == "Appendix to Part 7 B 1"


def test_headings_that_name_what_is_interpreted_cite_their_comments() -> None:
    """ "Interp 10(e)(1) Credit" holds the comments below it, and says by itself of which section they are."""
    text = (
        "# Supplement I to Part 7-Comments\n\n## Section 7.10 Keys\n\n### Interp 10(e) Care\n\n"
        "#### Interp Paragraph 10(e)(1)\n\n1. The keeper waits.\n\n2. The clerk rests.\n"
    )
    assert _located(text)["The keeper waits"] == "Supplement I to Part 7 Interp Paragraph 10(e)(1) 1"


def test_an_excerpt_may_begin_with_a_later_letter() -> None:
    """(b), (i) to (iii) and (c) at the beginning of a text: (c) stands beside (b)."""
    told = _located(
        "# R\n(b) A bank shall act if it:\n(i) sees;\n(ii) hears; and\n(iii) knows.\n(c) The bank shall wait.\n"
    )
    assert [told[each] for each in ("hears; and", "The bank shall wait")] == ["(b)(ii)", "(c)"]


def test_a_lone_letter_in_the_middle_of_an_alphabet_opens_nothing() -> None:
    """ "(f)" alone, without "(g)", is no clause."""
    reading = read_document(read_source(b"Rates\n\n(f) Rates are low.\n\nThe keeper must pay.\n", "rules.txt"))
    assert [each.label for each in reading.sections] == [""]


def _plain(text: str) -> dict[str, str]:
    """The locator of each sentence of a plain text, behind its label."""
    reading = read_document(read_source(text.encode(), "rules.txt"))
    shown, lists = reading.source.text, document_lists(reading)
    found = find_locators(shown, reading.sections, reading.sentences, lists)
    return {
        shown[place.own : each.end].strip(".: \n"): locator
        for each, place, locator in zip(reading.sentences, lists.places, found, strict=True)
    }


def test_comments_without_a_section_number_are_of_the_section_around() -> None:
    """ "Interp (a)" above "Interp (a)(1)" is not told twice."""
    text = (
        "# Supplement I to Part 9\n\n## Section 9.2 Keys\n\n### Interp (a) Locks\n\n#### Interp (a)(1) Bolts\n\n"
        "1. The keeper waits.\n\n2. The clerk rests.\n"
    )
    assert _located(text)["The clerk rests"] == "Supplement I to Part 9 Section 9.2 Interp (a)(1) 2"


TOWN = "ARTICLE {}\n\nKEYS\n\nSection 1: The clerk {} the keys.\n\nSection 2: The warden {} the gates.\n\n"


def test_sections_that_begin_anew_in_each_article_are_cited_with_it() -> None:
    """By-laws count "Section 1" in each article; where they go on through all, or stand once, their number is enough."""
    anew = "BY-LAWS\n\n" + TOWN.format("I", "counts", "opens") + TOWN.format("II", "cleans", "paints")
    found = _plain(anew)
    assert found["The clerk counts the keys"] == "ARTICLE I Section 1"
    assert found["The warden opens the gates"] == "ARTICLE I Section 2"
    assert found["The clerk cleans the keys"] == "ARTICLE II Section 1"
    through = anew.replace("Section 1: The clerk cleans", "Section 3: The clerk cleans").replace(
        "Section 2: The warden paints", "Section 4: The warden paints"
    )
    assert _plain(through)["The clerk counts the keys"] == "Section 1"
    assert _plain(through)["The warden paints the gates"] == "Section 4"
