"""The outline of running text and of marked-up documents. All texts are invented."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.documents.source import Block, SourceText
from coditect.documents.structure.outline import OutlineSection, outline
from tests.effort import times
from tests.growth import require_linear


def plain(text: str) -> SourceText:
    return SourceText(text, "text/plain")


def ids(text: str) -> list[str]:
    return [s.section_id for s in outline(plain(text))[1:]]


def by_id(source: SourceText) -> dict[str, OutlineSection]:
    return {s.section_id: s for s in outline(source)}


def test_outline_of_text_without_structure_is_the_root_alone() -> None:
    """A document has at least the root, and it covers the whole text."""
    text = "  Nothing here is numbered.\n"
    assert outline(plain(text)) == (OutlineSection("sec_root", "", "", 0, 0, len(text), 0, -1, ()),)


def test_outline_of_empty_text_is_the_root_alone() -> None:
    """An empty text is no error."""
    assert [s.section_id for s in outline(plain(""))] == ["sec_root"]


def test_dotted_numbers_nest_by_prefix() -> None:
    """ "4.2.1" is inside 4.2, which is inside 4."""
    text = (
        "4. Security\n\n4.1 Scope. All systems.\n\n4.2 Logs. Kept.\n\n"
        "4.2.1 Retention. One year.\n\n4.3 Keys. Rotated.\n"
    )
    sections = by_id(plain("1. A\n\n2. B\n\n3. C\n\n" + text))
    assert [sections[i].level for i in ("sec_4", "sec_4_1", "sec_4_2", "sec_4_2_1", "sec_4_3")] == [1, 2, 2, 3, 2]
    assert sections["sec_4_2_1"].parent_chain == ("4 Security", "4.2 Logs")
    assert sections["sec_4_2_1"].heading == "Retention"


def test_articles_hold_dotted_numbers_and_letters() -> None:
    """Roman article numbers are the prefix of the arabic section numbers below."""
    text = (
        "ARTICLE I\nDEFINITIONS\n\n1.1 Terms. As used here.\n\n1.2 Rules. As below.\n\n"
        "ARTICLE II\nSUPPLY\n\n2.1 Orders. The Buyer shall:\n\n(a) order in writing; and\n\n(b) pay on time.\n"
    )
    assert ids(text) == [
        "sec_article_i",
        "sec_1_1",
        "sec_1_2",
        "sec_article_ii",
        "sec_2_1",
        "sec_2_1_a",
        "sec_2_1_b",
    ]
    assert by_id(plain(text))["sec_article_ii"].heading == "SUPPLY"


def test_letter_i_follows_letter_h() -> None:
    """After "(h)" an "(i)" that "(j)" follows is a letter."""
    text = "1. Duties\n\n" + "".join(f"({c}) The vendor acts.\n\n" for c in "abcdefghij")
    assert ids(text) == ["sec_1", *(f"sec_1_{c}" for c in "abcdefghij")]
    assert {s.level for s in outline(plain(text))[2:]} == {2}


def test_numeral_i_after_letter_a_is_nested() -> None:
    """After "(a)" an "(i)" opens a list of roman numerals, and "(b)" closes it."""
    text = "1. Duties\n\n(a) As to logs:\n\n(i) keep them;\n\n(ii) read them.\n\n(b) As to keys.\n"
    assert ids(text) == ["sec_1", "sec_1_a", "sec_1_a_i", "sec_1_a_ii", "sec_1_b"]


def test_numeral_i_after_letter_h_is_nested_if_numeral_ii_follows() -> None:
    """After "(h)" an "(i)" that "(ii)" follows is a numeral."""
    text = "1. Duties\n\n" + "".join(f"({c}) The vendor acts.\n\n" for c in "abcdefgh") + "(i) One.\n\n(ii) Two.\n"
    assert ids(text)[-2:] == ["sec_1_h_i", "sec_1_h_ii"]


def test_capital_letters_nest_below_numerals() -> None:
    """(a), (i), (A) are three levels."""
    text = "(a) First:\n\n(i) one:\n\n(A) deep;\n\n(B) deeper.\n\n(ii) two.\n\n(b) Second.\n"
    assert [s.level for s in outline(plain(text))[1:]] == [1, 2, 3, 3, 2, 1]


def test_chain_of_labels_opens_each() -> None:
    """ "(a)(1)" opens (a) and, in it, (1); the (2) that follows is beside (1)."""
    assert ids("(a)(1) The bank reports.\n\n(2) The bank retains.\n\n(b) Exceptions.\n") == [
        "sec_a",
        "sec_a_1",
        "sec_a_2",
        "sec_b",
    ]


def test_regulation_paragraph_keeps_its_whole_number() -> None:
    """A § number with its paragraphs is one label."""
    sections = by_id(plain("§ 164.308(a)(1) Standard: Risk process. Entities assess risk.\n\n(i) Specification.\n"))
    assert sections["sec_164_308_a_1"].label == "§ 164.308(a)(1)"
    assert sections["sec_164_308_a_1_i"].level == 2


def test_chapters_sections_and_articles_nest_as_in_union_law() -> None:
    """Articles go on counting through the sections of a chapter that hold them."""
    text = (
        "CHAPTER I\nGeneral\n\nSection 1\nScope\n\nArticle 1\nSubject\n\nThis act applies.\n\nArticle 2\nTerms\n\n"
        "Section 2\nDuties\n\nArticle 3\nLogs\n\nLogs are kept.\n"
    )
    sections = by_id(plain(text))
    assert sections["sec_article_3"].parent_chain == ("CHAPTER I General", "Section 2 Duties")
    assert sections["sec_article_2"].parent_chain == ("CHAPTER I General", "Section 1 Scope")


def test_exhibit_starts_numbering_anew() -> None:
    """Clauses of an exhibit carry its label in their ids."""
    text = (
        "1. Supply. Goods.\n\n2. Price. Money.\n\nEXHIBIT A\n\n"
        "1. Goods. Pumps.\n\n2. Spares. Seals.\n\nEXHIBIT B\n\nNone.\n"
    )
    assert ids(text) == [
        "sec_1",
        "sec_2",
        "sec_exhibit_a",
        "sec_exhibit_a_1",
        "sec_exhibit_a_2",
        "sec_exhibit_b",
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Annex I", "Annex II"),
        ("SCHEDULE 1", "SCHEDULE 2"),
        ("Section 3.01", "Section 3.02"),
        ("SECTION 1.", "SECTION 2."),
        ("a.", "b."),
        ("i.", "ii."),
        ("A.", "B."),
        ("(1)", "(2)"),
        ("1)", "2)"),
        ("a)", "b)"),
        ("§ 7", "§ 8"),
    ],
)
def test_styles_are_recognised_as_siblings(first: str, second: str) -> None:
    """Every style of label opens sections beside each other, with its text behind several spaces or a tab."""
    for gap in (" ", "    ", "\t"):
        found = outline(plain(f"Preamble.\n\n{first}{gap}Pumps and Seals\n\nText.\n\n{second}{gap}Hoses\n\nText.\n"))
        assert [(s.label, s.level) for s in found[1:]] == [(first.rstrip("."), 1), (second.rstrip("."), 1)]


def test_run_in_heading_is_separated_from_its_body() -> None:
    """ "2.1 OVERVIEW.  As set forth" has the heading OVERVIEW, and its body begins after it."""
    text = "2. GENERAL\n\n2.1 OVERVIEW.  As set forth herein, all is well.\n"
    section = by_id(plain("1. FIRST\n\n" + text))["sec_2_1"]
    assert section.heading == "OVERVIEW"
    assert ("1. FIRST\n\n" + text)[section.body_start :].startswith("As set forth")


def test_clause_without_heading_has_none() -> None:
    """A clause that is a plain sentence has no heading."""
    assert by_id(plain("1. The buyer pays within ten days.\n\n2. Seals\n"))["sec_1"].heading == ""


def test_clauses_inside_one_line_are_found_by_sequence() -> None:
    """Contracts are often stored without line breaks; the successor of an open sequence is a clause inside a line."""
    text = (
        "The parties agree as follows: 1. Services. 1.1 Scope. The Vendor serves. 1.2 Standard. The Vendor cares. "
        "2. Price. 2.1 Fees. The Client pays."
    )
    assert ids(text) == ["sec_1", "sec_1_1", "sec_1_2", "sec_2", "sec_2_1"]


def test_list_inside_a_list_of_the_same_style_does_not_end_it() -> None:
    """An inner 1., 2. below A. is inside, if the outer sequence goes on after it."""
    text = "1. One. X.\n\n2. Two. Y.\n\nA. Part.\n\n1. Inner. Q.\n\n2. Inner. R.\n\nB. Part.\n\n3. Three. Z.\n"
    sections = outline(plain(text))
    assert [s.label for s in sections if s.level == 1] == ["1", "2", "3"]


def test_numbers_after_lettered_recitals_are_not_inside_the_last() -> None:
    """ "1." after recitals A. to C. begins the agreement."""
    text = "A. The vendor sells.\n\nB. The buyer buys.\n\nC. They agree.\n\n1. Goods. Pumps.\n\n2. Price. High.\n"
    assert {s.level for s in outline(plain(text))[1:]} == {1}


def test_numbers_below_letters_are_inside_if_letters_go_on() -> None:
    """ "1." after A. is inside A. if B. follows."""
    text = "A. Goods.\n\n1. Pumps.\n\n2. Seals.\n\nB. Price.\n\n1. High.\n"
    assert ids(text) == ["sec_a", "sec_a_1", "sec_a_2", "sec_b", "sec_b_1"]


def test_capital_line_groups_the_clauses_after_it() -> None:
    """Numbering goes on through headings in capitals, and each holds its own."""
    text = "GENERAL TERMS\n\n1. Scope. All.\n\n2. Term. Long.\n\nPAYMENT TERMS\n\n3. Price. High.\n"
    sections = by_id(plain(text))
    assert sections["sec_2"].parent_chain == ("GENERAL TERMS",)
    assert sections["sec_3"].parent_chain == ("PAYMENT TERMS",)


def test_repeated_capital_line_is_a_page_header() -> None:
    """A line in capitals that occurs more than once opens nothing."""
    text = "1. One. A.\n\nACME PUMPS CONFIDENTIAL\n\n2. Two. B.\n\nACME PUMPS CONFIDENTIAL\n\n3. Three. C.\n"
    assert ids(text) == ["sec_1", "sec_2", "sec_3"]


@pytest.mark.parametrize(
    "text",
    [
        "The duties are set out in\nSection 5 hereof and bind all.\n",
        "The price is fixed under\nSection 5. Nothing else counts.\n",
        "Paid on\n12 March 2020, in full.\n",
        "It costs\n1.5 million dollars.\n",
        "Page 2\n\nof a long text.\n",
        "7\n\nof a long text.\n",
        "See (a) above and (b) below.\n",
        "Exhibit A attached hereto is part of this agreement.\n",
    ],
)
def test_what_only_looks_like_a_label_opens_nothing(text: str) -> None:
    """References, page numbers, dates and amounts at a line's start are no clauses."""
    assert ids(text) == []


@pytest.mark.parametrize("leader", [" ........ ", "      ", " . . . . . . "])
def test_contents_entries_open_nothing(leader: str) -> None:
    """Lines of a table of contents are not the sections that they announce."""
    entries = "".join(f"ARTICLE {n} {t}{leader}{p}\n" for n, t, p in (("I", "SCOPE", 1), ("II", "TERM", 4)))
    text = (
        f"TABLE OF CONTENTS\n\n{entries}\nARTICLE I SCOPE\n\nAll pumps are in scope of it.\n\n"
        f"ARTICLE II TERM\n\nOne year.\n"
    )
    sections = [s for s in outline(plain(text)) if s.label]
    assert [s.section_id for s in sections] == ["sec_article_i", "sec_article_ii"]
    assert sections[0].start == text.rindex("ARTICLE I SCOPE")


def test_column_of_numbers_torn_from_its_text_opens_nothing() -> None:
    """Numbers below each other with nothing between them label nothing."""
    assert ids("1.\n\n2.\n\n2.1\n\n2.2\n\nThe parties agree.\n") == []


def test_repeated_labels_get_numbered_ids() -> None:
    """Ids are unique: a label that comes again gets _2."""
    found = ids("(a) One.\n\n(b) Two.\n\n(a) Again.\n\n(b) Again.\n")
    assert found == ["sec_a", "sec_b", "sec_a_2", "sec_b_2"]


def test_format_headings_nest_by_level_and_hold_clauses() -> None:
    """Headings of the format are the frame; clauses in the text below them are inside."""
    text = "Incident Response\n\n(a) Report it.\n\n(b) Log it.\n\n4.2 Recovery\n\nRestore.\n"
    blocks = (Block(0, 17, "heading", 1), Block(text.index("4.2"), text.index("4.2") + 12, "heading", 2))
    sections = by_id(SourceText(text, "text/markdown", blocks=blocks))
    assert list(sections) == [
        "sec_root",
        "sec_incident_response",
        "sec_incident_response_a",
        "sec_incident_response_b",
        "sec_4_2",
    ]
    assert (sections["sec_4_2"].label, sections["sec_4_2"].heading, sections["sec_4_2"].level) == ("4.2", "Recovery", 2)


def test_format_labels_give_ids_and_nesting() -> None:
    """Labels that the format gives name the section, and a label that extends another is inside it."""
    text = "Access\n\n(a) Limit. Only staff.\n\n(1) Guests sign in.\n"
    b, c = text.index("(a)"), text.index("(1)")
    blocks = (
        Block(0, 6, "heading", 1, "ac-2"),
        Block(b, c - 2, "paragraph", 0, "ac-2-a"),
        Block(c, len(text) - 1, "paragraph", 0, "ac-2-a-1"),
    )
    sections = by_id(SourceText(text, "application/xml", blocks=blocks))
    assert list(sections) == ["sec_root", "sec_ac_2", "sec_ac_2_a", "sec_ac_2_a_1"]
    assert sections["sec_ac_2_a_1"].parent_chain == ("Access", "(a) Limit")


def test_tables_and_code_open_nothing() -> None:
    """Rows and code lines that start with numbers are not clauses."""
    text = "1. Pump\n2. Seal\n\n1. Hose\n"
    blocks = (Block(0, 7, "table_row"), Block(8, 15, "table_row"), Block(17, 24, "code"))
    assert len(outline(SourceText(text, "text/markdown", blocks=blocks))) == 1


def test_headings_cost_time_in_proportion() -> None:
    """Time is linear: a document of many headings is no attack."""

    def work(size: int) -> Callable[[], object]:
        blocks = tuple(Block(i * 9, i * 9 + 4, "heading", 1 + i % 6) for i in range(size))
        source = SourceText("Head\n\nx\n\n" * size, "text/markdown", blocks=blocks)
        return lambda: found.append(len(outline(source)))

    found: list[int] = []
    require_linear(work, 12_000)
    assert found[-1] == 12_001


@pytest.mark.parametrize("unit", [" ", "A", "\t", "1.", "(", "ABCD\n", "word. ", "1.\n", '"', "\n \n"])
def test_long_repetitive_text_costs_time_in_proportion(unit: str) -> None:
    """No pattern backtracks over a long line."""

    def work(size: int) -> Callable[[], object]:
        text = plain(unit * (size // len(unit)))
        return lambda: outline(text)

    require_linear(work, 120_000)


LABELS = """ARTICLE I;ARTICLE II;Article 3;Section 2.1;SECTION 4.;§ 12.3(a);1.;2.;3.;1.1;1.2;2.1;4.2.1;(a);(b);(c);(i);(ii);
(A);(1);a.;b.;EXHIBIT A;Annex II;GENERAL TERMS;Scope.;the buyer pays;Term, and;12;.... 3"""
PARTS = st.lists(
    st.sampled_from([*LABELS.replace("\n", "").split(";"), "\n", "\n\n", "   ", "\t", " ", ".", ";", "\f"]), max_size=60
)


@given(PARTS, st.booleans())
@settings(max_examples=times(300, least=10), deadline=None)
def test_outline_is_a_tree_of_nested_spans(parts: list[str], spaced: bool) -> None:
    """Whatever the text: parents come first and contain children, siblings do not overlap, ids are unique."""
    text = (" " if spaced else "").join(parts)
    sections = outline(plain(text))
    assert sections == outline(plain(text))
    assert (sections[0].start, sections[0].end, sections[0].parent) == (0, len(text), -1)
    assert len({s.section_id for s in sections}) == len(sections)
    last_child: dict[int, int] = {}
    for index, section in enumerate(sections[1:], 1):
        parent = sections[section.parent]
        assert 0 <= section.parent < index
        assert parent.start <= section.start <= section.body_start <= section.end <= parent.end
        assert section.start < section.end
        assert section.start >= last_child.get(section.parent, 0)
        assert section.level == parent.level + 1 == len(section.parent_chain) + 1
        assert len(section.heading) <= 200
        last_child[section.parent] = section.end


def test_run_in_heading_closes_its_brackets() -> None:
    """A colon inside of brackets ends no heading."""
    text = "1. Policy [Assignment: how often] and procedures.\n\n2. Audit. The keeper must count the keys.\n"
    assert [section.heading for section in outline(plain(text))[1:]] == ["", "Audit"]
