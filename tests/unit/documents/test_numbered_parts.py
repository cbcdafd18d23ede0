"""Appendices, schedules, rulebooks and catalogues: what numbers anew is named, and what only speaks of them opens nothing."""

from __future__ import annotations

import pytest

from tests.unit.documents.documents import locators_by_word

RULEBOOK = """AML 4.5.1

(1) A keeper must oil locks.

(2) A register must show:

(a) holders; and

(b) days on which:

(i) keys were issued; and

(ii) keys were returned.

AML 4.5.2 A warden must dim lamps.

AML 4.5.3 A porter must sweep halls.

AML 4.5.4 A clerk must count coins.

AML 4.5.5 A cook must salt soup.
"""


def test_rules_of_a_rulebook_are_cited_with_its_name() -> None:
    """Where the rulebook names itself before each rule, its name belongs to the number."""
    found = locators_by_word(RULEBOOK)
    assert found["oil"] == "AML4.5.1(1)"
    assert found["returned"] == "AML4.5.1(2)(b)(ii)"
    assert found["sweep"] == "AML4.5.3"


def test_rules_of_other_rulebooks_open_no_section() -> None:
    """A guide that quotes rules of several rulebooks is cited by its own paragraphs."""
    text = (
        "1) Duties\n\nAML 4.5.1 A keeper must oil locks.\n\nGEN 3.2.1 A warden must dim lamps.\n\n"
        "2) Times\n\nA cook must salt soup.\n"
    )
    assert locators_by_word(text)["dim"] == "1)"


CHAINED = """3.2.1.(1) A keeper must tell:

(a) wardens; and

(b) porters.

(2) A clerk must count coins.

3.2.2.(1) A cook must salt soup.
"""


def test_number_printed_with_an_inner_one_holds_what_follows() -> None:
    """ "(2)" behind the list of "3.2.1.(1)" is of 3.2.1, and of no item of that list."""
    found = locators_by_word(CHAINED)
    assert found["porters"] == "3.2.1.(1)(b)"
    assert found["coins"] == "3.2.1(2)"
    assert found["soup"] == "3.2.2.(1)"


SCHEDULES = """1. A keeper must oil locks.

2. A warden must dim lamps.

{}

1. A porter must sweep halls.

(a) A cook must salt soup.
"""


@pytest.mark.parametrize(
    ("heading", "cited"),
    [("SCHEDULE", "SCHEDULE"), ("APP 4", "APP4"), ("Annex B", "AnnexB"), ("Appendix 2: Halls", "Appendix2")],
)
def test_part_that_numbers_anew_is_named(heading: str, cited: str) -> None:
    """Its number alone would be that of a section of the main text."""
    found = locators_by_word(SCHEDULES.format(heading))
    assert found["lamps"] == "2"
    assert found["halls"] == f"{cited}1"
    assert found["soup"] == f"{cited}1(a)"


@pytest.mark.parametrize(
    "line", ["Annex B lists what porters sweep.", "Appendix 2 describes halls that porters sweep."]
)
def test_sentence_about_an_annex_opens_none(line: str) -> None:
    """A verb behind the number makes the line a sentence."""
    text = f"1. A keeper must oil locks.\n\n{line}\n\n2. A cook must salt soup.\n"
    assert locators_by_word(text)["soup"] == "2"


def test_list_of_appendices_opens_none() -> None:
    """Names line below line, with nothing between them, tell what follows later."""
    text = "APP 1: Locks\nAPP 2: Lamps\nAPP 3: Soup\n\n1. A keeper must oil locks.\n\nAPP 1 Locks\n\n1. A warden must dim lamps.\n"
    found = locators_by_word(text)
    assert found["oil"] == "1"
    assert found["dim"] == "APP11"


def test_numbers_with_a_letter_in_front_are_sections() -> None:
    """Appendices print "A4.3.2"; what is enclosed below it is cited with it."""
    text = "Appendix 4\n\nA4.3.1 A keeper must oil locks.\n\nA4.3.2 (1) A warden must dim lamps.\n\n(2) A cook must salt soup.\n"
    found = locators_by_word(text)
    assert found["locks"] == "Appendix4A4.3.1"
    assert found["soup"] == "Appendix4A4.3.2(2)"


def test_headings_of_one_level_stay_inside_of_a_schedule() -> None:
    """Where a page marks all its headings alike, what numbers anew below a schedule is of it, and what goes on is not."""
    text = (
        "<h2>1 Locks</h2><p>A keeper must oil locks.</p><h2>Schedule 2</h2><h2>Part 3 Halls</h2>"
        "<p>1. A porter must sweep halls.</p><p>2. A cook must salt soup.</p>"
    )
    assert locators_by_word(f"<html><body>{text}</body></html>", "a.html")["soup"] == "Schedule2Part32"


CATALOGUE = "\n\n".join(
    f"KM-{n} {title}\n\na. {first}\n\nb. {second}"
    for n, title, first, second in (
        (1, "Locks", "Oil locks monthly.", "Count keys daily."),
        (2, "Lamps", "Dim lamps nightly.", "Trim wicks weekly."),
        (3, "Soup", "Salt soup always.", "Stir broth often."),
    )
)


def test_codes_of_requirements_are_headings() -> None:
    """Each begins its own list, in plain text as well."""
    found = locators_by_word(CATALOGUE)
    assert found["wicks"] == "KM-2b"
    assert found["broth"] == "KM-3b"


def test_name_with_a_number_is_no_heading_of_a_catalogue() -> None:
    """One code alone is a name."""
    text = "1. Rules\n\nCOVID-19 Response\n\n(a) A keeper must oil locks.\n"
    assert locators_by_word(text)["oil"] == "1(a)"


def test_filing_number_names_the_file() -> None:
    """ "Exhibit 10.4" at the head of a contract, and at the head of its pages, is no part that numbers anew."""
    head = "Source: filing\n\nExhibit 10.4\n\nSupply Agreement"
    text = f"{head}\n\n1. A keeper must oil locks.\n\nExhibit 10.4\n\n2. A cook must salt soup.\n"
    found = locators_by_word(text)
    assert (found["oil"], found["soup"]) == ("1", "2")


def test_label_goes_on_in_the_list_that_misses_fewer() -> None:
    """ "6." behind "3." of an inner list and "4." of the outer one is of the outer one."""
    text = (
        "3. Oil\n\nA keeper must oil locks.\n\n4. Stores\n\n(a) A warden must keep:\n\n1. lamps;\n\n2. wicks; and\n\n3. oil.\n\n"
        "6. QUALITY\n\n(a) A cook must salt soup.\n"
    )
    assert locators_by_word(text)["soup"] == "6(a)"


def test_paragraph_behind_a_complete_list_is_of_its_lead() -> None:
    """The items were one sentence, and it has ended."""
    text = "1. A keeper must oil:\n\n(a) locks;\n\n(b) hinges.\n\nBrass is never oiled by a porter.\n"
    found = locators_by_word(text)
    assert found["hinges"] == "1.(b)"
    assert found["Brass"] == "1"


def test_lead_may_end_with_a_comma() -> None:
    """Items on lines of their own behind a comma are a list; what follows in a small letter belongs to all of it."""
    text = "1. Where a keeper, on request,\n\n(a) oils locks, or\n\n(b) trims wicks,\n\nthe warden must dim lamps.\n"
    found = locators_by_word(text)
    assert found["wicks"] == "1.(b)"
    assert found["lamps"] == "1"


def test_division_named_inside_of_a_paragraph_is_a_title() -> None:
    """A paragraph that prints titles behind its number is cited by the number."""
    text = "1) CARE\nPrinciple 1: Locks\nA keeper must oil locks.\n\n2) CARE\nPrinciple 2: Lamps\nA warden must dim lamps.\n"
    found = locators_by_word(text)
    assert (found["oil"], found["dim"]) == ("1)", "2)")
