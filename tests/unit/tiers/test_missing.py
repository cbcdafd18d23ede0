"""What is cited, used or required and not there."""

from __future__ import annotations

import pytest

from coditect.knowledge.derivation.profiles import profile_of
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.detection import why_none
from coditect.tiers.findings.conflicts.entries import entries_of
from coditect.tiers.findings.gaps import Gap, find_gaps
from coditect.tiers.findings.said.statements import statements_of
from coditect.tiers.findings.standing import Standings
from coditect.tiers.findings.tables import dated_column, due_cell
from tests.unit.tiers.corpora import chunks_of, versions_of

HOUSE = {
    "OP-01_Yard_Policy.md": "# Yard Policy\n\nOwner: Yard Manager\n\n1.1 Gates are locked at night.\n",
    "OP-02_Crane_Procedure.md": "# Crane Procedure\n\nOwner: Crane Master\n\n1.1 Cranes are tested every month.\n",
    "OP-03_Fuel_Procedure.md": "# Fuel Procedure\n\nOwner: Fuel Officer\n\n1.1 Fuel is measured every day.\n",
    "OP-04_Rope_Standard.md": "# Rope Standard\n\nOwner: Stores Manager\n\n1.1 Ropes are replaced every year.\n",
}


def _gaps(kind: str, more: dict[str, str]) -> list[Gap]:
    files = {**HOUSE, **more}
    return find_gaps(chunks_of(files), versions_of(files), _standings(files))[kind]


def _standings(files: dict[str, str]) -> Standings:
    versions = versions_of(files)
    profiles = {d: profile_of(v, files[v.name], None, "derivation_0") for d, v in versions.items()}
    return Standings(versions, profiles, "2026-11-23")


def _id_of(name: str, files: dict[str, str]) -> str:
    return next(document_id for document_id, version in versions_of(files).items() if version.name == name)


def test_code_of_a_series_that_no_document_has_is_missing() -> None:
    """A document that is cited by its number; one that is there, and another series, are not missing."""
    cited = (
        "Berths follow OP-02. Ballast is dealt with in OP-09, Ballast Water Standard. Paper follows ISO-216 and A-4711."
    )
    found = _gaps("code", {"x.md": f"# Berth Policy\n\nOwner: Berth Officer\n\n1.1 {cited}\n"})
    assert [dict(each.words) for each in found] == [{"code": "OP-09", "title": "Ballast Water Standard"}]


def test_schedule_beside_others_is_missing_and_a_lone_one_is_not() -> None:
    """A document that prints two of its schedules lacks the third; one that prints none has them elsewhere."""
    text = "# Quay Agreement\n\n2.1 The operator shall pay the charges in Schedule 3.\n\n{}"
    printed = "Schedule 1 - Berths\n\nSchedule 2 - Cranes\n"
    assert [dict(e.words) for e in _gaps("part", {"q.md": text.format(printed)})] == [{"label": "Schedule 3"}]
    assert not _gaps("part", {"q.md": text.format("")})
    assert not _gaps("part", {"q.md": text.format(printed + "\nSchedule 3 - Charges\n")})


@pytest.mark.parametrize(
    ("sentence", "terms"),
    [
        ("For a Restricted Load the lift must be planned longer than for another load.", ["Restricted Load"]),
        (
            "The Yard Manager must plan a Restricted Load. Each load is weighed.",
            [],
        ),  # names of things stand there as often
        ("Every Crane Operator must hold a licence. Each operator signs.", []),  # somebody who acts
    ],
)
def test_term_that_says_for_what_a_sentence_holds_is_undefined(sentence: str, terms: list[str]) -> None:
    """Capitals of a defined term behind "a" or "every", where a sentence says for what it holds."""
    found = _gaps("term", {"l.md": f"# Lifting Procedure\n\nOwner: Crane Master\n\n1.1 {sentence}\n"})
    assert [each.words["term"] for each in found] == terms


def test_plan_that_a_rule_requires_and_nobody_speaks_of_is_unprovided() -> None:
    """What a rule requires in writing is missing where no document has its words, and not where one speaks of it."""
    rule = {"rule.md": "# Port Rulebook\n\n1.1 The operator must maintain a written dredging plan for each berth.\n"}
    assert [each.words["thing"] for each in _gaps("unprovided", rule)] == ["written dredging plan"]
    answer = {"d.md": "# Berth Procedure\n\nOwner: Berth Officer\n\n1.1 Dredging is planned every spring.\n"}
    assert not _gaps("unprovided", {**rule, **answer})


def test_document_without_an_owner_is_a_gap_where_the_others_have_one() -> None:
    """Where nearly all name an owner, the one that does not is told."""
    found = _gaps("ownerless", {"g.md": "# Gate Procedure\n\n1.1 Gates are painted every year.\n"})
    assert [dict(each.words) for each in found] == [{"owned": "4", "of": "5"}]


def test_absence_of_conflicts_says_what_was_compared() -> None:
    """How many requirements of how many documents; of strangers, that none was compared with another."""
    said = _why_none(HOUSE)
    assert said.startswith("3 requirements of 3 documents were held against each other, in 6 pairs")
    strangers = {f"{n}.md": f"# Lease Agreement {n}\n\n1.1 The tenant shall pay monthly.\n" for n in range(2)}
    assert _why_none(strangers).startswith("no two of the 2 documents bind the same")
    assert not _why_none({"a.md": "# Yard Policy\n"})


def _why_none(files: dict[str, str]) -> str:
    entries = entries_of(statements_of(chunks_of(files)))
    own = [each.statement.place[0] for each in entries if each.head != LIMIT]
    return why_none(len(own), len(set(own)), _standings(files))


def test_written_plan_without_a_name_is_told_by_what_it_is_for() -> None:
    """ "A written plan for …" is missing where no document has three in four of the words behind "for"."""
    rule = {"rule.md": "# Port Rulebook\n\n1.1 The operator shall adopt a written plan for towing disabled tankers.\n"}
    assert [each.words["thing"] for each in _gaps("unprovided", rule)] == ["written plan for towing disabled tankers"]
    answer = {
        "d.md": "# Tug Procedure\n\nOwner: Tug Master\n\n1.1 Two tugs must be used for towing disabled tankers.\n"
    }
    assert not _gaps("unprovided", {**rule, **answer})


def test_other_word_of_one_stem_provides_nothing() -> None:
    """Who succeeds has no succession plan."""
    rule = {"rule.md": "# Port Rulebook\n\n1.1 The operator must maintain a succession plan.\n"}
    other = {"d.md": "# Exam Procedure\n\nOwner: Berth Officer\n\n1.1 Pilots who were not successful must not steer.\n"}
    assert [each.words["thing"] for each in _gaps("unprovided", {**rule, **other})] == ["succession plan"]


@pytest.mark.parametrize(
    ("more", "roles"),
    [
        ("The Quay Light Controller switches the lamps off.", ["Quay Light Controller"]),
        ("The Quay Light Controller switches the lamps off. The Quay Light Controller checks the cables.", []),
        ("The Yard Manager switches the lamps off.", []),  # named as an owner
        ("The Harbour Lights Order allows lamps of any colour.", []),  # nobody
    ],
)
def test_role_that_acts_once_and_is_named_nowhere_else_is_undescribed(more: str, roles: list[str]) -> None:
    """Among roles of which a house speaks again and again, one of which it speaks once."""
    spoken = "".join(
        f"1.{n} The {role} must tell the other officers.\n\n"
        for n, role in enumerate(("Harbour Manager", "Crane Manager", "Fuel Officer", "Stores Manager"), 1)
    )
    files = {f"s{n}.md": f"# Shift {n} Procedure\n\nOwner: Yard Manager\n\n{spoken}" for n in range(2)}
    found = _gaps("undescribed", {**files, "l.md": f"# Lamp Procedure\n\nOwner: Fuel Officer\n\n1.1 {more}\n"})
    assert [each.words["role"] for each in found] == roles


def test_row_of_plain_text_whose_date_has_passed_is_expired() -> None:
    """Columns that white space parts; what is renewed, lies ahead, or stands below another label is not told."""
    rows = (
        "Crane     Certificate            Expires     Remark\n"
        "North     Load test certificate  2026-09-14  no test booked\n"
        "South     Load test certificate  2028-01-31\n"
        "East      Load test certificate  2026-02-01  replaced in May by a new one\n"
    )
    register = f"# Crane register\n\nKept by the Crane Master.\n\n{rows}\nPaper copies are in the office.\n"
    found = _gaps("expired", {"crane-register.txt": register})
    assert [dict(each.words) for each in found] == [{"label": "Expires", "due": "2026-09-14"}]


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("Next test due", True),
        ("Valid until", True),
        ("Validity (until)", True),
        ("End date", True),
        ("End users", False),
        ("Conversion and end use", False),
        ("Wind, end, and tide", False),
    ],
)
def test_column_is_of_due_dates_where_its_label_says_so_at_its_end(label: str, told: bool) -> None:
    """In tables of plain text and in those with bars alike."""
    assert (dated_column(f"Crane     {label}     Remark") is not None) == told
    assert (due_cell(f"Crane | {label} | Remark") is not None) == told


STRANGERS = {
    f"{name}.txt": f"SUPPLY AGREEMENT\n\nThis Supply Agreement is made as of 1 May 2024 between {name} Ltd and {other} Inc.\n\n"
    "1. Delivery\n\nThe goods shall be delivered as laid down in the Framework Delivery Agreement.\n"
    for name, other in (("Birk", "Alder"), ("Gull", "Tern"))
}


def test_name_that_contracts_of_strangers_have_in_common_is_no_one_document() -> None:
    """In one contract it is a document that is missing; in those of strangers it is another one each time."""
    alone = {"Birk.txt": STRANGERS["Birk.txt"]}
    found = find_gaps(chunks_of(alone), versions_of(alone), _standings(alone))["document"]
    assert [each.words["name"] for each in found] == ["Framework Delivery Agreement"]
    assert not find_gaps(chunks_of(STRANGERS), versions_of(STRANGERS), _standings(STRANGERS))["document"]


def test_contracts_of_strangers_take_no_missing_document_from_the_house() -> None:
    """What the house's policy refers to is missing, whatever strangers call so; only the house's documents are quoted."""
    rule = "1.1 Goods are delivered as laid down in the Framework Delivery Agreement."
    files = {**STRANGERS, "goods.md": f"# Goods Policy\n\nOwner: Stores Manager\n\n{rule}\n"}
    (found,) = _gaps("document", files)
    assert found.words["name"] == "Framework Delivery Agreement"
    assert [place for place, _ in found.places] == [_id_of("goods.md", files)]


def test_contracts_of_strangers_take_no_missing_document_from_the_houses_contracts() -> None:
    """Of three contracts with the house and one between others, the house's are asked; of two suppliers each has its own."""
    text = STRANGERS["Birk.txt"]
    ours = {
        f"{n}.txt": text.replace("1 May", f"{n} May").replace("The goods", f"The goods of lot {n}") for n in (1, 2, 3)
    }
    (found,) = _gaps("document", {**ours, "Gull.txt": STRANGERS["Gull.txt"]})
    assert {place for place, _ in found.places} == {_id_of(name, ours) for name in ours}
    others = {name: each.replace("Alder", f"Alder{name[0]}") for name, each in ours.items()}
    assert not _gaps("document", others)


@pytest.mark.parametrize(
    ("heading", "told"),
    [
        ("4. Requests of visitors", True),
        ("4. Reserved", False),
        ("4. Move to the next berth", False),  # a step says what to do
        (
            "4. Lamps\n\n### 4.1 Lamps of the quay\n\nLamps are lit at dusk",
            False,
        ),  # its text stands in sections of its own
    ],
)
def test_section_without_text_is_a_gap(heading: str, told: bool) -> None:
    """A numbered heading with nothing below it, beside sections that have text."""
    sections = [
        f"## {n}. Part {name}\n\nBerths of part {name} are kept free.\n" for n, name in ((1, "one"), (2, "two"))
    ]
    text = "\n".join(
        (*sections, "## 3. Part three\n\nBerths are lit.\n", f"## {heading}\n", "## 5. End\n\nBerths are clean.\n")
    )
    found = _gaps("section", {"b.md": f"# Berth Procedure\n\n{text}"})
    assert bool(found) is told


def test_sentence_that_stands_for_a_text_is_an_open_point() -> None:
    """ "To be completed." is all that is said; a form that has to be completed is a duty."""
    text = "# Berth Procedure\n\nOwner: Berth Officer\n\n## 1 Lamps\n\n{}\n\n## 2 Ropes\n\nRopes are dry.\n"
    assert _gaps("open", {"b.md": text.format("To be completed later.")})
    assert not _gaps("open", {"b.md": text.format("The berth form must be completed.")})


def test_capitalised_words_of_an_agreement_are_undefined() -> None:
    """An agreement of a house in which words with capitals shall do or not do something, that are no party and no role."""
    text = "# Quay Agreement\n\nbetween Larch Ltd (the Owner) and Bergen Ltd (the Tenant)\n\n1.1 {}\n"
    use = "Critical Equipment shall not be moved without the consent of the Owner."
    assert [each.words["term"] for each in _gaps("term", {"q.md": text.format(use)})] == ["Critical Equipment"]
    assert not _gaps("term", {"q.md": text.format("Bergen Ltd shall not move it. Each Berth shall not be moved.")})
    strangers = {f"q{n}.md": text.format(use).replace("Bergen", f"Oslo{n}") for n in range(5)}
    assert not _gaps("term", strangers)


def test_row_of_a_barred_table_whose_date_has_passed_is_expired() -> None:
    """Under a column of dates; what is renewed since or lies ahead is not told."""
    table = (
        "| Crane | Certificate | Valid until | Remark |\n|---|---|---|---|\n"
        "| North | Load test | 2026-09-14 | no test booked |\n| South | Load test | 2028-01-31 | |\n"
        "| East | Load test | 2026-02-01 | replaced in May by a new one |\n"
    )
    register = f"# Crane register\n\n## Cranes\n\n{table}\nPaper copies are in the office.\n"
    found = _gaps("expired", {"crane-register.md": register})
    assert [dict(each.words) for each in found] == [{"label": "Valid until", "due": "2026-09-14"}]


def test_officer_whom_a_licence_wants_appointed_and_nobody_names_is_unprovided() -> None:
    """Where a document of the house names him, nothing is missing."""
    licence = {"rule.md": "# Port Licence\n\n1.1 The operator shall appoint a Mooring Safety Adviser for each berth.\n"}
    assert [each.words["thing"] for each in _gaps("unprovided", licence)] == ["Mooring Safety Adviser"]
    named = "# Berth Procedure\n\nOwner: Berth Officer\n\n1.1 The Mooring Safety Adviser walks the berths every day.\n"
    assert not _gaps("unprovided", {**licence, "d.md": named})


def test_role_whose_tasks_are_said_to_be_laid_down_elsewhere_is_undescribed() -> None:
    """Unless another document speaks of it."""
    sentence = "The Hazard Controller, whose tasks are set out in the Site Rules, seals the tanks."
    text = f"# Tank Procedure\n\nOwner: Fuel Officer\n\n1.1 {sentence}\n"
    assert [each.words["role"] for each in _gaps("undescribed", {"t.md": text})] == ["Hazard Controller"]
    rules = "# Site Rules Policy\n\nOwner: Yard Manager\n\n1.1 The Hazard Controller must keep the keys of the tanks.\n"
    assert not _gaps("undescribed", {"t.md": text, "s.md": rules})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("The number of the duty line is to be communicated.", ["to be communicated"]),
        ("Responsible: N.N.", ["Responsible: N.N"]),
        ("The relationship manager shall be: ____________.", ["____"]),
        ("For the north quay no fire plan exists so far.", ["no fire plan exists so far"]),
        ("No berth is free yet.", []),
        ("By: ____________ Name: ____________ Title: ____________", []),  # lines for those who sign
        ("SIGNED: for the Port By: ________ Name: A. Quay, Telephone: ________", []),  # with all that stands among them
        ("Currency: euro, other (specify): ________", []),  # a choice that whoever signs ticks
        ("The number of the gate shall be: ________.", ["____"]),
        ("Charterers report a berth that has not been assigned to the harbour master.", []),
    ],
)
def test_words_that_leave_something_open(line: str, says: list[str]) -> None:
    """Placeholders, nobody's name, a blank; not the lines of a signature, and not a kind of thing that is undecided."""
    told = _gaps("open", {"z.md": f"# Duty Procedure\n\nOwner: Yard Manager\n\n{line}\n"})
    assert [each.words["says"].strip("_:. ") for each in told] == [each.strip("_") for each in says]


def test_sentences_of_dates_that_a_document_holds_by_are_kept() -> None:
    """What claims about dates rest on is in Tier 2, whatever else a chunk says."""
    filling = " ".join(
        f"The crew must check rope {n} and report what it finds to the mate within {n} days." for n in range(2, 14)
    )
    control = "Scheduled for review no later than: 30 June 2026\n\nEffective from 1 May 2024."
    text = f"# Rope Policy\n\nOwner: Yard Manager\n\n{control}\n\n{filling}\n"
    kept = [sentence.text for chunk in chunks_of({"r.md": text}) for sentence in chunk.selected_sentences]
    assert any("30 June 2026" in each for each in kept)
    assert any("1 May 2024" in each for each in kept)
