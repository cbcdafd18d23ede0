"""Places of codes, catalogues, tables of requirements and nested lists: where a person would say that a sentence stands."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.documents.structure.locators import find_locators
from coditect.documents.structure.rows import is_row, row_number
from coditect.tiers.extractions.document import document_lists, read_document


def _places(text: str, name: str = "rules.txt") -> dict[str, str]:
    """The locator of each sentence, by its last word without a full stop."""
    reading = read_document(read_source(text.encode(), name))
    shown = reading.source.text
    found = find_locators(shown, reading.sections, reading.sentences, document_lists(reading))
    words = [shown[each.start : each.end].rstrip(" .;:|") for each in reading.sentences]
    return {each.split()[-1].strip(".;:|"): place for each, place in zip(words, found, strict=True) if each.split()}


def test_sections_with_letters_behind_their_number_stand_beside_the_others() -> None:
    """ "29C.3A" is inside of no other section, and what follows goes on behind "29C.3"."""
    text = (
        "29C.3 Keys of boats.\n\n1. A keeper must keep the key of a skiff.\n\n29C.3A Keys of barges.\n\n"
        "1. A keeper must keep the key of a barge.\n\n29C.4 Keys of rooms.\n\nA keeper must lock the attic.\n"
    )
    found = _places(text)
    assert found["skiff"] == "29C.3 1"
    assert found["barge"] == "29C.3A 1"
    assert found["attic"] == "29C.4"


def test_sections_go_on_behind_a_title_however_many_are_repealed() -> None:
    """Numbers that count by tens, or leave out repealed sections, are sections still."""
    text = "".join(
        f"{title}HRS 432B.{number} Keys of {room}s.  A keeper must lock the {room}.\n\n(Added 1999, 12)\n\n"
        for title, number, room in (
            ("", "010", "attic"), ("", "020", "cellar"), ("KEEPERS\n\n", "180", "tower"), ("", "1805", "harbour"),
            ("", "181", "wharf"), ("", "200", "vault"),
        )
    )  # fmt: skip
    found = _places(text)
    assert found["attic"] == "HRS 432B.010"
    assert found["tower"] == "HRS 432B.180"
    assert found["harbour"] == "HRS 432B.1805"
    assert found["wharf"] == "HRS 432B.181"
    assert found["vault"] == "HRS 432B.200"


def test_a_list_of_sections_in_front_is_no_section() -> None:
    """The first section is read where it stands, not where it is listed."""
    rooms = ("attic", "cellar", "tower", "vault", "wharf")
    listed = "".join(f"HRS 432B.0{n}0 Keys of {room}s.\n" for n, room in enumerate(rooms, 1))
    body = "".join(
        f"HRS 432B.0{n}0 Keys of {r}s.\n\n1. A keeper must lock the {r}.\n\n" for n, r in enumerate(rooms, 1)
    )
    found = _places(f"{listed}\n{body}")
    assert [found[room] for room in rooms] == [f"HRS 432B.0{n}0 1" for n in range(1, 6)]


def test_items_of_a_section_do_not_go_on_in_the_next() -> None:
    """ "3." of the next section is not the third item of a list that the section before ended with."""
    text = (
        "4.1 Keys.\n\nA keeper may lend a key if either of these applies:\n\n1. The borrower is a warden.\n\n"
        "2. The borrower signs.\n\n4.2 Doors.\n\n1. A keeper must lock the attic.\n\n2. A keeper must lock the cellar.\n\n"
        "3. A keeper must lock the tower.\n\n4.3 Rooms.\n\nA keeper must air the vault.\n"
    )
    found = _places(text)
    assert found["tower"] == "4.2 3"
    assert found["vault"] == "4.3"


@pytest.mark.parametrize("name", ["rules.md", "rules.html"])
def test_numbered_items_inside_of_numbered_items_have_both_numbers(name: str) -> None:
    """A list that the format nests numbers anew inside of its item."""
    if name.endswith("md"):
        text = (
            "1. Keys\n    1. A keeper must keep the key of a skiff.\n    2. A keeper must lock the attic.\n"
            "2. Doors\n    1. A keeper must lock the tower.\n"
        )
    else:
        text = (
            "<html><body><ol><li>Keys<ol><li>A keeper must keep the key of a skiff.</li>"
            "<li>A keeper must lock the attic.</li></ol></li>"
            "<li>Doors<ol><li>A keeper must lock the tower.</li></ol></li></ol></body></html>"
        )
    found = _places(text, name)
    assert found["attic"] == "1 2"
    assert found["tower"] == "2 1"


def test_rows_are_cited_by_their_own_number() -> None:
    """A row's number is the place of all its sentences; a row without one stands where its table does."""
    text = (
        "# V1 Doors\n\n| # | Requirement | Level |\n|---|---|---|\n"
        "| **1.1.1** | Verify that doors are locked. A keeper must log the attic. | 1 |\n"
        "| **1.1.2** | Verify that the keeper locks the tower. | 2 |\n"
    )
    found = _places(text, "rules.md")
    assert found["attic"] == "1.1.1"
    assert {place for place in found.values() if place.startswith("1.1.2")} == {"1.1.2"}


@pytest.mark.parametrize(
    ("row", "number"),
    [
        ("4.1.4 | Verify that keys are kept", "4.1.4"),
        ("chapter_id: V3 | chapter_name: Keys of boats | req_id: V3.6.1 | text: Verify that keys are kept", "V3.6.1"),
        ("PR.AC-1 | Keys are kept", "PR.AC-1"),
        ("3 | Keys are kept", "3"),
        ("2016 | Keys were kept", ""),
        ("12.50 | Price of a key", ""),
        ("Keeper | 4.1.4", ""),
    ],
)
def test_number_of_a_row(row: str, number: str) -> None:
    """A figure, a year, and a number behind words are none."""
    assert is_row(row, 0)
    assert row_number(row, 0) == number


def test_headings_in_series_are_cited_by_name_and_number() -> None:
    """ "Safeguard 4.1" is a place; behind a colon the number alone is one."""
    text = "".join(
        f"# Safeguard 4.{n} Keys\n\nA keeper must lock the {room}.\n\n"
        for n, room in enumerate(("attic", "cellar", "tower"), 1)
    )
    assert _places(text, "rules.md")["tower"] == "Safeguard 4.3"
    text = text.replace("Safeguard 4.", "Control: ab-150")
    assert _places(text, "rules.md")["tower"] == "ab-1503"


def test_a_section_that_is_named_with_its_title_is_spoken_of() -> None:
    """ "Section 3.2 (Keys) does not apply" opens no section."""
    text = (
        "3.1 Doors. A keeper must lock the attic. Section 3.2 (Keys) does not apply to a warden. A keeper must air the tower.\n\n"
        "3.2 Keys. A keeper must keep the key.\n"
    )
    assert _places(text)["tower"] == "3.1"


def test_a_year_at_the_beginning_of_a_sentence_is_no_number() -> None:
    """ "2000 (Act 32)" cites no provision."""
    text = (
        "<html><body><h2>1. Keys</h2><p>A keeper acts under the Keys Act,</p>"
        "<p>2000 (Act 32 of the year) as a warden.</p></body></html>"
    )
    assert _places(text, "rules.html")["warden"] == "1"


def test_long_numerals_are_items() -> None:
    """ "(xxviii)" is one behind "(xxvii)"."""
    tens = ("", "x", "xx")
    numerals = " ".join(ten + one for ten in tens for one in ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"])
    numerals = numerals.replace(" xi ", " x xi ").replace(" xxi ", " xx xxi ")
    rooms = {each: f"room{n}" for n, each in enumerate(numerals.split())}
    items = "\n".join(f"({each}) lock {room};" for each, room in rooms.items())
    found = _places(f"1. Doors\n\nA keeper must:\n\n{items}\n")
    assert found[rooms["xxviii"]].endswith("(xxviii)")


def test_a_list_behind_an_unnumbered_line_is_not_inside_of_an_item() -> None:
    """Letters that begin anew are beside the letters before them: no "(c)(a)"."""
    text = (
        "1. Keys\n\nA keeper must:\n\n(a) lock the attic;\n\n(b) lock the cellar.\n\n(c) Towers\n\nOf a tower a keeper must:\n\n"
        "(a) lock the gate;\n\n(b) lock the hatch.\n"
    )
    assert "(c)(" not in _places(text)["hatch"]
