"""Forms of numbering of acts, codes and catalogues: each sentence is cited by its whole path."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.documents.sentences import Span
from coditect.documents.structure.contents import announced
from coditect.documents.structure.series.bare_numbers import bare_numbers
from coditect.tiers.extractions.document import read_document
from tests.unit.documents.documents import locators_by_word

CODE = """§ 7-104. Lanterns.

(a) A keeper shall light the lantern.

(b) A warden shall dim it.

§ 7-301. Wicks.

(a) A chandler shall trim the wick.

§ 7-301.01. Oil.

(a) A trader shall press olives.
"""

ACT = """Short title

1 This Act may be cited as the Ferry Act.

Interpretation

2 The following definitions apply in this Act.

boat means a vessel that

(a) floats; or

(b) sails.

crew means the persons aboard.

Ferries

3 (1) The ferryman must ring the bell.

(2) The mate must

(a) coil ropes; and

(b) scrub decks.

(2.1) The cook must peel turnips.

(3) The pilot must whistle.

4 A passenger must pay the fare before the ferry leaves the quay.
"""

MAINTENANCE = """PR-1 PUMPS

a. Write a plan that:

1. names valves; and

2. names gauges;

b. Drain sumps each year.
"""

NESTED = """§ 12.1 Definitions.

(a) Barges.

(h) A bargee shall moor.

(i) Tug means a boat that:

(1) pulls;

(2) is crewed by:

(i) an engineer; or

(ii) a stoker.

(j) A lighter shall anchor.
"""


@pytest.mark.parametrize(
    ("text", "word", "locator"),
    [
        (CODE, "lantern", "§7-104(a)"),
        (CODE, "wick", "§7-301(a)"),
        (CODE, "olives", "§7-301.01(a)"),
        (ACT, "floats", "2(a)"),
        (ACT, "aboard", "2"),
        (ACT, "bell", "3(1)"),
        (ACT, "ropes", "3(2)(a)"),
        (ACT, "turnips", "3(2.1)"),
        (ACT, "whistle", "3(3)"),
        (ACT, "fare", "4"),
        (MAINTENANCE, "gauges", "PR-1a.2"),
        (MAINTENANCE, "sumps", "PR-1b"),
    ],
)
def test_locator_of_a_provision_is_what_its_act_prints(text: str, word: str, locator: str) -> None:
    """Sections far behind the one before, numbers without a sign, amended labels, definitions, numbers below letters."""
    assert locators_by_word(text)[word].rstrip(".") == locator


def test_locator_of_a_line_is_the_same_in_plain_text_and_html() -> None:
    """The format that carries a text does not move its provisions."""
    lines = [line for line in ACT.split("\n") if line]
    html = "<html><body>" + "".join(f"<p>{line}</p>" for line in lines) + "</body></html>"
    plain, marked = locators_by_word(ACT), locators_by_word(html, "act.html")
    words = ("floats", "aboard", "bell", "ropes", "turnips", "whistle", "fare")
    assert {word: marked[word] for word in words} == {word: plain[word] for word in words}


def test_bare_numbers_need_a_row_of_sentences() -> None:
    """Figures in a table, days of a month and wrapped lines are no sections."""
    table = "Stock\n\n1 Rope\n2 Tar\n3 Sail\n"
    dates = "1 January is a holiday of all the crews here.\n2 January is none.\n3 January is none.\n"
    wrapped = (
        "The crew has\n1 Rope that it shares with the crew of the other boat of\n2 Sails, and the mate has\n3 Lamps\n"
    )
    assert [bare_numbers(text, [(0, len(text))]) for text in (table, dates, wrapped)] == [[], [], []]


def test_reference_that_opens_a_sentence_is_no_number_of_it() -> None:
    """ "Rule 8.2 requires" speaks of rule 8.2 from where it stands."""
    text = "4) Lamps\n\nRule 8.2 requires that a keeper trims wicks.\n\n5) Oil\n\nA trader must press olives.\n"
    assert locators_by_word(text)["wicks"].startswith("4")


def test_list_ends_where_another_section_begins() -> None:
    """A label that would go on in a list of the section before is of its own section."""
    decks = "§ 3.1 Decks.\n\nA mate shall:\n\n(1) scrub; and\n\n(2) mop.\n\n"
    text = f"{decks}§ 3.2 Masts.\n\n(a) Sails.\n\n(2) [Reserved]\n\n(3) A rigger shall climb.\n"
    assert locators_by_word(text)["climb"].startswith("§3.2")


def test_title_of_a_principle_behind_a_number_is_cited_by_the_number() -> None:
    """ "2.2.1   Principle 1   Candour" is rule 2.2.1."""
    first = "2.2 The Principles\n\n2.2.1\tPrinciple 1   Candour: A purser must tell the truth.\n\n"
    text = f"{first}2.2.2\tPrinciple 2   Thrift: A purser must save.\n"
    assert locators_by_word(text)["truth"] == "2.2.1"


INSERTED = """1 This Act may be cited.
4 (1) For the mast.
7 The Board may,
Indian lands
10 The Board may bid.
13 Any tenant in tail or for life may bid.
16 The Board may sell, or dispose of, and, upon—
17 The Board shall calculate in each case of sale.
20 Subject to the provisions of section fifteen of this Part.
21A The Governor in Council may transfer to the province.
22 The pilot must report the wreck.
"""


def test_a_section_that_an_amendment_put_in_is_followed_by_those_behind_it() -> None:
    """Behind "20" comes "21A", and behind that "22": neither is read by the length of the other."""
    found = locators_by_word(INSERTED)
    assert [found[word] for word in ("calculate", "fifteen", "province", "wreck")] == ["17", "20", "21A", "22"]


TITLED = """1 Short title
This Act may be cited as the Ferry Act.

2 Mates must carry a whistle
(1) A mate must keep it dry.
(2) A mate may lend it.

3 Bells
A purser must ring the bell.

Part 2--Wharves

3A Ropes on loan
A rigger must coil the ropes.

4 Fares
The purser must post the fare.

5 Lamps
A keeper must trim the wicks.
6 Oil
A trader must press olives.
7 Sails
A rigger must mend the sails.
8 Tar
A caulker must warm the tar.
9 Masts
A rigger must climb the mast.
10 Decks
A hand must scrub the deck.
16 Cargo
A mate must weigh the turnips.
"""


def test_a_row_of_titles_is_one_whatever_stands_between() -> None:
    """Sections go on behind a part, behind one that an amendment put in, and behind those that were repealed."""
    found = locators_by_word(TITLED)
    words = ("dry", "bell", "coil", "fare", "wicks", "deck", "turnips")
    assert [found[word] for word in words] == ["2(1)", "3", "3A", "4", "5", "10", "16"]


def test_titles_of_a_row_are_no_sentences() -> None:
    """ "2 Mates must carry a whistle" is what the section is called."""
    sections = read_document(read_source(TITLED.encode(), "act.txt")).sections
    assert "Mates must carry a whistle" in [each.heading for each in sections]


def test_headings_of_a_format_may_begin_with_a_number_that_has_no_sign() -> None:
    """ "### 2 Mates" is section 2, though a list below it numbers anew."""
    text = "# Rules\n\n## Part 1 Crew\n\n### 1 Name\n\nThe crew is named.\n\n### 2 Mates\n\n"
    text += (
        "1. A mate must keep the whistle.\n2. A mate must go aboard.\n\n### 3 Pursers\n\nA purser must post the fare.\n"
    )
    found = locators_by_word(text, "rules.md")
    assert [found[word] for word in ("whistle", "aboard", "fare")] == ["Part121", "Part122", "Part13"]


def test_letters_inside_of_a_code_and_brackets_around_it() -> None:
    """ "§12F-4.5" and "[§12F-6]" are sections of chapter 12F."""
    text = "§12F-4 Mates. (a) A mate must keep the whistle.\n\n§12F-4.5 Bells. (a) A purser must ring the bell.\n\n"
    text += "[§12F-6] Fares. A purser must post the fare.\n"
    found = locators_by_word(text)
    assert [found[word] for word in ("whistle", "bell", "fare")] == ["§12F-4(a)", "§12F-4.5(a)", "§12F-6"]


def test_clauses_on_lines_of_their_own_are_sections() -> None:
    """ "Clause 2", with its title below, holds the numbers behind it."""
    text = "Clause 1\n\nMates\n\n1. A mate must keep the whistle.\n\nClause 2\n\nPursers\n\n1. A purser must post the fare.\n"
    found = locators_by_word(text)
    assert [found[word] for word in ("whistle", "fare")] == ["Clause11", "Clause21"]


def test_line_behind_a_list_of_lines_is_of_the_paragraph_around_it() -> None:
    """What stands behind the last item, on a line of its own as the items do, is cited as the list's lead-in is."""
    text = (
        "Article 8\nBells\n1. The mate shall draft rules in order to:\n(a) name the bells; and\n(b) count the ropes.\n"
    )
    text += "The mate shall send them ashore.\n"
    assert locators_by_word(text)["ashore"] == "Article8(1)"


def test_articles_alone_on_a_line_go_on_behind_gaps_and_chapters() -> None:
    """ "Article 17" follows "Article 6", though what lies between is not printed; "8." stands beside "1."."""
    text = "Article 6\n\nMates\n\n1. A mate must keep the whistle.\n\n8. A mate must ring the bell.\n\n"
    text += "CHAPTER III\n\nFares\n\nArticle 17\n\nPursers\n\n1. A purser must post the fare.\n"
    found = locators_by_word(text)
    assert [found[word] for word in ("whistle", "bell", "fare")] == ["Article6(1)", "Article6(8)", "Article17(1)"]


def test_sections_that_are_counted_through_the_parts_of_an_act_are_cited_by_their_number() -> None:
    """ "### 4 Fares" below "## Part 2" is section 4: no other part has one."""
    parts = {1: ("Name", "Mates", "Bells"), 2: ("Fares", "Lamps", "Tar")}
    text, number = "# Ferry Act\n\n", 0
    for part, titles in parts.items():
        text += f"## Part {part} Rules\n\n"
        for title in titles:
            number += 1
            text += f"### {number} {title}\n\n(1) A mate must see to {title.casefold()}.\n\n"
    found = locators_by_word(text, "act.md")
    assert [found[word] for word in ("bells", "fares", "tar")] == ["3(1)", "4(1)", "6(1)"]


def test_entries_of_a_table_of_contents_are_no_norms() -> None:
    """What a line says that a heading further down says again, with a page behind it or not, is told there."""
    lines = "* 1 Mates must carry a whistle 3\n* 2 Purser must post the fare\n\n"
    body = "### 1 Mates must carry a whistle\n\n(1) A mate must keep it dry.\n\n### 2 Purser must post the fare\n\nShe must.\n"
    reading = read_document(read_source(f"# Act\n\n{lines}{body}".encode(), "act.md"))
    headings = [Span(each.start, each.body_start) for each in reading.sections if each.heading]
    told = [
        reading.source.text[each.start : each.end]
        for each in announced(reading.source.text, headings, reading.sentences)
    ]
    assert told == ["1 Mates must carry a whistle 3", "2 Purser must post the fare"]


MARGIN_TITLES = """THE QUARRIES ACT

CHAPTER I

DUTIES

1. Orders of the warden.—The warden may order a fence.

2.Limit of suits.—No court shall hear a suit without a letter.

3. Panel of keepers.—(1)The mayor shall appoint a panel.

(2) The panel shall meet every year.

[3A. Help that is due.—(1) The inspector may enter a quarry.

(2) The owner shall help him.

4. Lamps.-The keeper shall trim the lamp.
"""


def test_title_in_small_letters_stands_between_number_and_words_of_a_section() -> None:
    """A stop and a dash end it; numbers may be set without a space, and what an amendment put in stands in brackets."""
    found = locators_by_word(MARGIN_TITLES)
    assert [found[word] for word in ("fence", "suit", "appoint", "meet", "enter", "help", "trim")] == [
        "CHAPTERI1",
        "CHAPTERI2",
        "CHAPTERI3(1)",
        "CHAPTERI3(2)",
        "CHAPTERI3A(1)",
        "CHAPTERI3A(2)",
        "CHAPTERI4",
    ]


def test_title_in_small_letters_is_no_part_of_the_sentence_behind_it() -> None:
    """The sentence begins with its own words, so that who is bound is not "Orders of the warden.—The warden"."""
    reading = read_document(read_source(MARGIN_TITLES.encode(), "act.txt"))
    shown = [reading.source.text[each.start : each.end] for each in reading.sentences]
    assert "The warden may order a fence." in shown
    assert "No court shall hear a suit without a letter." in shown


def test_number_behind_a_lettered_item_goes_on_where_the_first_number_opened_no_section() -> None:
    """In an excerpt that begins with "8." nothing but that number holds its items "(a)" and "(b)"."""
    text = "8. The keeper shall:\n\n(a) trim the wick; and\n\n(b) dim the lamp.\n\n9. The warden shall press olives.\n"
    assert locators_by_word(text)["olives"] == "9"
