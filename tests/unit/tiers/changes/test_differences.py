"""Provisions of two versions are paired, told apart and compared."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.documents.readers import read_source
from coditect.schemas import Extraction
from coditect.tiers.changes.classification import Difference, differences
from coditect.tiers.changes.provisions import NO_PARENT, Provision, provisions_of
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.tiers.corpora import version_of

OLD = """# Incident standard

## 1 Reporting

1.1 The supplier shall notify the client of an incident within 72 hours.

1.2 Reports shall be sent to:

(a) the security officer;

(b) the head of operations.

## 2 Records

2.1 The supplier shall keep incident records for five years.

2.2 Records may be kept on paper.

## 3 Review

3.1 The board shall review this standard every year.
"""


def _read(text: str, name: str = "standard.md") -> tuple[tuple[Provision, ...], list[Extraction]]:
    reading = read_document(read_source(text.encode(), name))
    return provisions_of(reading), list(extraction_records(version_of(name, text), reading, "tier1"))


def _differences(old: str, new: str, name: str = "standard.md") -> tuple[tuple[Difference, ...], int]:
    (ours, ours_read), (theirs, theirs_read) = _read(old, name), _read(new, name)

    def inside(read: Sequence[Extraction], provision: Provision) -> list[Extraction]:
        return [each for each in read if provision.start <= each.char_offset_start < provision.end]

    return differences(ours, theirs, lambda p: inside(ours_read, p), lambda p: inside(theirs_read, p))


def _told(found: Sequence[Difference]) -> list[tuple[str, str, str]]:
    return [(each.kind, each.old.marker if each.old else "", each.new.marker if each.new else "") for each in found]


def test_provisions_hold_every_word_and_stand_under_what_they_belong_to() -> None:
    """Nothing of a document is lost, and an item stands under its lead-in."""
    provisions, _ = _read(OLD)
    text = read_source(OLD.encode(), "standard.md").text
    assert "\n".join(text[p.start : p.end] for p in provisions).split() == text.split()
    by_marker = {p.marker: p for p in provisions}
    assert provisions[by_marker["(a)"].parent].marker == "1.2"
    assert by_marker["(a)"].place == "1.2(a)"
    assert provisions[0].parent == NO_PARENT


def test_same_text_has_no_differences() -> None:
    """Also where words repeat themselves."""
    twice = OLD + "\n## 4 Reserved\n\nReserved.\n\n## 5 Reserved\n\nReserved.\n"
    found, unchanged = _differences(twice, twice)
    assert found == ()
    assert unchanged == len(_read(twice)[0])


@pytest.mark.parametrize(
    ("before", "after", "field", "values"),
    [
        ("within 72 hours", "within 24 hours", "deadline", ("within 72 hours", "within 24 hours")),
        ("The supplier shall notify", "The processor shall notify", "actor", ("The supplier", "The processor")),
        ("Records may be kept", "Records must be kept", "modality", ("may", "must")),
        ("every year", "every six months", "frequency", ("every year", "every six months")),
        ("for five years", "for seven years", "duration", ("five years", "seven years")),
        (
            "shall notify the client of an incident",
            "shall, if data were lost, notify the client of an incident",
            "condition",
            ("", "if data were lost"),
        ),
    ],
)
def test_amended_duty_names_the_field_with_both_values(
    before: str, after: str, field: str, values: tuple[str, str]
) -> None:
    """One change of words is one amended provision, and the field of the duty that differs is told."""
    assert before in OLD
    (found,), unchanged = _differences(OLD, OLD.replace(before, after))
    assert (found.kind, found.duty) == ("amended", "changed")
    told = {each.field: (each.before, each.after) for each in found.fields}
    assert field in told
    for word, said in zip(values, told[field], strict=True):
        assert word.casefold() in said.casefold()
    assert found.weight > 0
    assert unchanged == len(_read(OLD)[0]) - 1


def test_marks_and_case_are_wording_only() -> None:
    """What has the same content words in the same order changed no duty."""
    (found,), _ = _differences(OLD, OLD.replace("Records may be kept on paper.", "records may be kept on the paper;"))
    assert (found.kind, found.duty, found.fields, found.weight) == ("wording", "same", (), 0.0)


def test_inserted_item_renumbers_the_others_and_changes_no_duty() -> None:
    """(b) is (c) now, with the same words: told as renumbered, and only the new one as added."""
    new = OLD.replace("(b) the head of operations.", "(b) the data protection officer;\n\n(c) the head of operations.")
    found, _ = _differences(OLD, new)
    assert _told(found) == [("added", "", "(b)"), ("renumbered", "(b)", "(c)")]
    assert [each.duty for each in found if each.kind == "renumbered"] == ["same"]


def test_renumbered_section_takes_what_is_in_it_along() -> None:
    """A section that was put in renumbers the next one once, and not each of its paragraphs."""
    new = OLD.replace("## 2 Records", "## 2 Training\n\n2.1 Staff shall be trained every year.\n\n## 3 Records")
    new = new.replace("\n2.1 The supplier", "\n3.1 The supplier").replace("2.2 Records may", "3.2 Records may")
    new = new.replace("## 3 Review", "## 4 Review").replace("3.1 The board", "4.1 The board")
    found, _ = _differences(OLD, new)
    kinds = {each.kind for each in found}
    assert kinds == {"added", "renumbered"}
    assert not any(each.duty == "changed" for each in found if each.kind == "renumbered")
    assert [each.new.text for each in found if each.kind == "added" and each.new] == [
        "Training",
        "Staff shall be trained every year.",
    ]


def test_moved_paragraph_is_moved_and_not_removed() -> None:
    """A paragraph under another heading."""
    line = "The supplier shall notify the client of an incident within 72 hours.\n\n"
    new = OLD.replace(f"1.1 {line}", "").replace("3.1 The board", f"3.1 {line}3.2 The board")
    found, _ = _differences(OLD, new)
    moved = [each for each in found if each.kind == "moved"]
    assert [(each.old.marker, each.new.marker, each.duty) for each in moved if each.old and each.new] == [
        ("1.1", "3.1", "same")
    ]
    assert not any(each.kind in ("removed", "added") for each in found)


def test_removed_and_added_duties_weigh_most() -> None:
    """What is gone is told where it stood."""
    found, _ = _differences(OLD, OLD.replace("2.1 The supplier shall keep incident records for five years.\n\n", ""))
    removed = [each for each in found if each.kind == "removed"]
    assert [each.old.text for each in removed if each.old] == [
        "The supplier shall keep incident records for five years."
    ]
    assert removed[0].duty == "changed"
    assert removed[0].weight == max(each.weight for each in found)


def test_plain_text_without_layout_is_compared_by_paragraphs() -> None:
    """No format marks anything; the numbers do."""
    old = "1. Staff shall lock their desks.\n\n2. Visitors must sign the book.\n"
    (found,), _ = _differences(old, old.replace("sign the book", "sign the register"), "rules.txt")
    assert (found.kind, found.duty) == ("amended", "changed")


@given(st.data())
def test_order_of_paragraphs_never_changes_a_duty(data: st.DataObject) -> None:
    """However unnumbered paragraphs are put, each is found again, and nothing is told as amended, added or removed."""
    lines = [line for line in OLD.splitlines() if line.startswith(("1.1", "2.1", "2.2", "3.1"))]
    lines = [line.split(" ", 1)[1] for line in lines]
    shuffled = data.draw(st.permutations(lines))
    found, _ = _differences("\n\n".join(lines), "\n\n".join(shuffled), "rules.txt")
    assert {each.kind for each in found} <= {"moved", "renumbered"}
    assert not any(each.duty == "changed" for each in found)


@pytest.mark.parametrize(
    ("before", "after", "became"),
    [
        ("(Addressable)", "(Required)", "stricter"),
        ("[mandatory]", "[optional]", "looser"),
        ("(Required)", "(Not required)", "looser"),
        ("(Required)", "", "changed"),
    ],
)
def test_a_word_of_force_in_brackets_is_part_of_the_duty(before: str, after: str, became: str) -> None:
    """Whatever is read of the words behind it."""
    told = "# Security rule\n\n(iv) Encryption {}. Procedures for encrypting information.\n\n(v) Logging (Required). Keep logs.\n"
    (found,), _ = _differences(told.format(before), told.format(after))
    assert (found.kind, found.duty, dict(found.duties)) == ("amended", "changed", {became: 1})
    assert [(each.field, each.before, each.after) for each in found.fields] == [("modality", before, after)]
    assert found.weight > 0


def test_other_words_in_brackets_are_wording() -> None:
    told = "# Security rule\n\n(iv) Encryption ({}). Procedures for encrypting information.\n"
    (found,), _ = _differences(told.format("see Annex A"), told.format("see Annex B"))
    assert found.fields == ()


def test_items_behind_a_new_one_are_each_renumbered_once() -> None:
    """Also where an item has a title, and several sentences; a sentence goes along with its item."""
    old = (
        "# Security rule\n\n## 5 Training\n\n(A) Reminders (Addressable). Periodic security updates.\n\n"
        "(B) Protection (Addressable). Procedures for guarding against malicious software. They are tested yearly.\n\n"
        "(C) Passwords (Addressable). Procedures for changing passwords.\n"
    )
    new = old.replace("(C) Pass", "(D) Pass").replace("(B) Prot", "(C) Prot").replace("(A) Rem", "(B) Rem")
    new = new.replace("(B) Rem", "(A) Exercises (Required). Test the response to false messages.\n\n(B) Rem")
    found, _ = _differences(old, new)
    renumbered = [
        (each.old.marker, each.new.marker) for each in found if each.kind == "renumbered" and each.old and each.new
    ]
    assert renumbered == [("(A)", "(B)"), ("(B)", "(C)"), ("(C)", "(D)")]
    assert {each.kind for each in found} == {"renumbered", "added"}
