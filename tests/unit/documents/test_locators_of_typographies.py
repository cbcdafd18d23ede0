"""Locators by class of typography: where section numbers stand, and what they hold."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.documents.structure.locators import find_locators
from coditect.tiers.extractions.document import document_lists, read_document


def _told(text: str, name: str = "rules.txt") -> dict[str, str]:
    """The locator of each sentence, by its last word."""
    reading = read_document(read_source(text.encode(), name))
    shown = reading.source.text
    found = find_locators(shown, reading.sections, reading.sentences, document_lists(reading))
    return {
        shown[each.start : each.end].split()[-1].strip(".;:,"): locator
        for each, locator in zip(reading.sentences, found, strict=True)
    }


STATUTE = (
    "Keys Act\n\nRegisters\n34(1) The keeper shall keep a book.\n(2) The book is open.\n(3) A clerk may close\n"
    "(a) the door, or\n(b) the gate.\n\nVisits\n35 A guard may enter.\n\n36(1) The guard shall knock.\n(2) Nobody runs.\n"
)


@pytest.mark.parametrize(
    ("word", "locator"),
    [
        ("book", "34(1)"),
        ("open", "34(2)"),
        ("gate", "34(3)(b)"),
        ("enter", "35"),
        ("knock", "36(1)"),
        ("runs", "36(2)"),
    ],
)
def test_section_stands_with_its_first_subsection(word: str, locator: str) -> None:
    """ "34(1) The keeper" opens section 34 whichever number comes before, and "(2)" goes on in it."""
    assert _told(STATUTE)[word] == locator


@pytest.mark.parametrize(
    "text",
    [
        "12\n(1) A keeper waits.\n(2) A clerk pays.\n\n13\n(1) A guard runs.\n(2) A cook rests.\n",
        "12. (1) A keeper waits.\n\n(2) A clerk pays.\n\n13. (1) A guard runs.\n\n(2) A cook rests.\n",
        "12.—(1) A keeper waits.\n\n(2) A clerk pays.\n\n13.- (1) A guard runs.\n\n(2) A cook rests.\n",
        "12. Waiting.\n(1) A keeper waits.\n(2) A clerk pays.\n\n13. Runs.\n(1) A guard runs.\n(2) A cook rests.\n",
        "## 12\n\n(1) A keeper waits.\n\n(2) A clerk pays.\n\n## 13\n\n(1) A guard runs.\n\n(2) A cook rests.\n",
    ],
)
def test_number_of_a_section_may_stand_alone_or_with_a_stop(text: str) -> None:
    """A number on its line, one with a stop and one in a heading hold the subsections below."""
    told = _told(text, "rules.md" if text.startswith("#") else "rules.txt")
    assert [told[word].replace(".", "") for word in ("waits", "pays", "runs", "rests")] == [
        "12(1)",
        "12(2)",
        "13(1)",
        "13(2)",
    ]


def test_dotted_number_stands_with_its_first_subsection() -> None:
    """ "3.1(1)" above "(2)" is a section with its first subsection; where each prints its whole path, each is cited so."""
    told = _told("3.1(1) A keeper waits.\n(2) A clerk pays.\n\n3.2(1) A guard runs.\n(2) A cook rests.\n")
    assert [told[word] for word in ("waits", "pays", "runs", "rests")] == ["3.1(1)", "3.1(2)", "3.2(1)", "3.2(2)"]
    whole = _told("3.1(1) A keeper waits.\n\n3.1(2) A clerk pays.\n\n3.2(1) A guard runs.\n")
    assert [whole[word] for word in ("waits", "pays", "runs")] == ["3.1(1)", "3.1(2)", "3.2(1)"]


def test_number_of_words_that_an_act_inserts_opens_no_section() -> None:
    """A section that is put into another act is far from the row of the act that puts it there."""
    text = (
        "1 A keeper waits in the hall all day.\n\n2 In the Act, after section 188 insert—\n\n"
        "189(1) A clerk pays.\n\n(2) A guard runs.\n\n3 This Act comes into force in May.\n"
    )
    assert _told(text)["May"] == "3"


def test_pages_are_no_sections() -> None:
    """A number alone on its line that does not count on with another one is that of a page."""
    text = "4 Keys\n\n(a) A keeper waits.\n\n12\n(1) A clerk pays.\n(2) A guard runs.\n"
    assert not _told(text)["pays"].startswith("12")


ARTICLES = (
    "Article I - Section VIII\n\nA keeper waits.\n\nArticle I - Section IX: Keys\n\n1. A clerk pays.\n2. A guard runs.\n\n"
    "Article II - Section I\n\nA cook rests.\n"
)


def test_heading_names_article_and_section_in_one() -> None:
    """Both numbers cite what stands below, in running text and in headings of the format."""
    told = _told(ARTICLES)
    assert told["waits"] == "Article I - Section VIII"
    assert told["runs"] == "Article I - Section IX 2"
    assert told["rests"] == "Article II - Section I"
    marked = "".join(f"## {line}\n" if line.startswith("Article") else f"{line}\n" for line in ARTICLES.split("\n"))
    assert _told(marked, "rules.md")["rests"] == "Article II - Section I"


def test_article_named_once_holds_its_sections() -> None:
    """Where the other sections have labels of their own, the article is no part of the first one's."""
    text = (
        "ARTICLE I. Section 1. Keys. A keeper waits.\n\nSection 2. Doors. A clerk pays.\n\n"
        "ARTICLE II. Section 1. Gates. A guard runs.\n\nSection 2. Walls. A cook rests.\n"
    )
    told = _told(text)
    assert [told[word] for word in ("pays", "rests")] == ["ARTICLE I Section 2", "ARTICLE II Section 2"]


def test_reference_at_the_start_of_a_line_opens_no_section() -> None:
    """ "… under\\nArticle 5, Section 2" is a line that goes on."""
    text = "Article 4, Section 1: Keys\n\nA keeper waits under\nArticle 4, Section 2. The clerk pays.\n"
    assert _told(text)["pays"] == "Article 4, Section 1"


TOWN = (
    "CHAPTER 1361 - Sheds\n\n1361.01 TITLE.\nThis is the code.\n\n1361.02 PERMIT.\n(a) A keeper waits.\n(b) A clerk pays.\n\n"
    "1361.99 PENALTY.\nA guard runs.\n"
)


def test_sections_of_towns_have_four_digits() -> None:
    """ "1361.02" is a section of chapter 1361; an amount at a line's start is none."""
    told = _told(TOWN)
    assert [told[word] for word in ("code", "waits", "pays", "runs")] == [
        "1361.01",
        "1361.02(a)",
        "1361.02(b)",
        "1361.99",
    ]
    assert _told("The fee is as follows.\n\n1361.07 Dollars are paid.\n\n(a) A cook rests.\n")["rests"] == "(a)"


def test_codes_stand_beside_each_other_across_titles_in_capitals() -> None:
    """A clause prints its own title in capitals below its number; the next number is no part of it."""
    codes = "".join(
        f"252.20{n}-7000 Keys of gates.\n\nUse this clause:\n\nKEYS OF GATES (MAY {n})\n\n(a) A keeper waits{n}.\n\n(End)\n\n"
        for n in range(1, 7)
    )
    told = _told(codes)
    assert [told[f"waits{n}"] for n in range(1, 7)] == [f"252.20{n}-7000(a)" for n in range(1, 7)]


def test_next_number_is_beside_the_one_before_and_not_inside_of_an_item() -> None:
    """ "3.2" comes behind "3.1", though the item above is "3."."""
    text = "3.1 Elections\n\n1. A keeper waits.\n2. A clerk pays.\n3. A guard runs.\n\n3.2 Recall\n\n1. A cook rests.\n"
    told = _told(text)
    assert [told[word] for word in ("runs", "rests")] == ["3.1 3", "3.2 1"]


def test_numbers_in_one_paragraph_are_cited_by_themselves() -> None:
    """A row of numbers may jump from one title to another that has its own first part behind it."""
    text = "4.4 Keys\n\n4.4.2 A keeper waits.\n\n8.0 SCOPE 8.1. Both pay. 8.2. A guard runs.\n\n9. TERM. 9.1. A cook rests.\n"
    told = _told(text)
    assert [told[word] for word in ("waits", "pay", "runs", "rests")] == ["4.4.2", "8.1", "8.2", "9.1"]


NESTED = (
    "## 4.2 Keys\n\n1. A keeper must:\n  1. wait;\n  2. pay.\n2. A clerk must:\n  - run.\n"
    "3. A guard must:\n   a. rest; and\n   b. eat.\n"
)


def test_items_of_markdown_that_two_blanks_put_inside_keep_their_numbers() -> None:
    """Two blanks nest, though CommonMark asks for three; letters in a row are items, too."""
    told = _told(NESTED, "rules.md")
    assert [told[word].replace(".", "") for word in ("wait", "pay", "run")] == ["42 1 1", "42 1 2", "42 2"]
    assert [told[word].replace(".", "") for word in ("and", "eat")] == ["42 3 a", "42 3 b"]


@pytest.mark.parametrize(
    "text",
    [
        "1. A\n 2. B\n  3. C\n",
        "1. A\n   1. B\n   2. C\n\n   D\n2. E\n",
        "- A\n  - B\n- C\n\ntext\n\n    code\n",
        "1. A\n\n   ```\n  - no item\n   ```\n2. B\n",
        "* * *\n\ntext\n  - B\n",
    ],
)
def test_markdown_that_commonmark_reads_as_it_is_meant_stays(text: str) -> None:
    """Items that go on counting, proper nesting, code and rules are left where they are."""
    from coditect.documents.readers.text.nesting import nested_items

    assert "\n".join(nested_items(text.split("\n"))) == text


def test_number_that_holds_its_first_part_takes_the_place_of_one_that_does_not() -> None:
    """Rows of a table that was torn apart count, too; what has "2.1" below it is section 2."""
    text = (
        "1 Summary\n\n1.1 A keeper waits.\n\n2 Late approval\nof changes\n\n2 Scope and method\n\n2.1 A clerk pays.\n\n"
        "3 Results of tests\n\n3.1 A guard runs.\n"
    )
    reading = read_document(read_source(text.encode(), "rules.txt"))
    assert [(each.label, each.heading) for each in reading.sections if each.level == 1] == [
        ("1", "Summary"),
        ("2", "Scope and method"),
        ("3", "Results of tests"),
    ]
    assert _told(text)["pays"] == "2.1"


@pytest.mark.parametrize(
    ("text", "locator"),
    [
        ("# Rules\n\n## 5 Keys\n\n1. A keeper waits.\n", "5 1"),
        ("## 1 Keys\n\n1. A keeper waits.\n\n## 2 Doors\n\nA clerk pays.\n", "1 1"),
        ("# 10 Rules\n\n1. A keeper waits.\n", "1"),
        ("# Rules\n\n## 2026 Edition\n\n1. A keeper waits.\n", "1"),
        ("# Rules\n\n## 5 Keys\n\n1. A keeper waits.\n\n## Doors\n\nA clerk pays.\n", "1"),
    ],
)
def test_numbers_of_headings_that_have_no_sign(text: str, locator: str) -> None:
    """They cite what stands below where all headings of a level have them; a title's number, a year and a lone one do not."""
    assert _told(text, "rules.md")["waits"] == locator
