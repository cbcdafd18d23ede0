"""What became of duties: which came, went, or became stricter, looser or other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.documents.readers import read_source
from coditect.schemas import Extraction
from coditect.tiers.changes.duties import DUTY_CLASSES, classes_of, compare_duties, duties_in
from coditect.tiers.extractions.document import extraction_records, read_document
from tests.unit.tiers.corpora import version_of

SENTENCES = (
    "The supplier shall notify the client of an incident within 72 hours.",
    "The supplier shall notify the client of an incident within 24 hours.",
    "The supplier may notify the client of an incident within 24 hours.",
    "The supplier should notify the client of an incident.",
    "The board shall review this standard every year.",
    "The board shall review this standard every month unless nothing changed.",
    "The fee is 100 EUR.",
    '"Incident" means an event that harms the client.',
    '"Incident" means an event that may harm the client.',
    "The sky is blue.",
)


def read(text: str) -> list[Extraction]:
    """Tier 1 of a text; nothing of an empty one."""
    if not text:
        return []
    reading = read_document(read_source(text.encode(), "a.md"))
    return list(extraction_records(version_of("a.md", text), reading, "tier1"))


@pytest.mark.parametrize(
    ("old", "new", "became"),
    [
        (SENTENCES[0], SENTENCES[1], "stricter"),
        ("The clerk must report losses.", "The clerk must report losses within two days.", "stricter"),
        (SENTENCES[1], SENTENCES[2], "looser"),
        ("The clerk should report losses.", "The clerk must report losses.", "stricter"),
        ("The clerk must report losses.", "The clerk must not report losses.", "changed"),
        ("The board shall review this standard every year.", "The board shall review this standard every month.", "stricter"),
        ("The board shall review this standard every year.", "The board shall review this standard.", "looser"),
        ("The clerk must report losses.", "The clerk must report losses unless the auditor knows of them.", "looser"),
        (
            "The clerk must report losses unless the auditor knows of them.",
            "The clerk must report losses unless the police knows of them.",
            "changed",
        ),
        (
            "The clerk must report losses within two days.",
            "The clerk must report losses within one day unless the auditor knows of them.",
            "changed",
        ),
        (
            "The clerk must report losses without undue delay and in no case later than 60 days after the discovery.",
            "The clerk must report losses without undue delay and in no case later than 24 hours after the discovery.",
            "stricter",
        ),
        (
            "The clerk must report losses without undue delay and in no event later than 30 days after the discovery.",
            "The clerk must report losses without undue delay.",
            "changed",
        ),
        ("The guest may leave within two days.", "The guest may leave within five days.", "stricter"),
        ("The clerk must report losses within 4 working days.", "The clerk must report losses within 36 hours.", "stricter"),
        ("The clerk must report losses within 48 hours.", "The clerk must report losses within three business days.", "looser"),
        ("The clerk must report losses within 4 days.", "The clerk must report losses within three working days.", "changed"),
        ("The clerk must report losses.", "The treasurer must report losses.", "changed"),
        ("The clerk must report losses.", "If the auditor asks, the clerk must report losses.", "changed"),
        ("The records must be kept for five years.", "The records must be kept for three years.", "looser"),
        (
            "The clerk must report losses within two days.",
            "The clerk must, promptly after he has told the treasurer and the auditor of it in writing, report losses.",
            "changed",
        ),
    ],
)  # fmt: skip
def test_fields_say_which_of_two_duties_is_stricter(old: str, new: str, became: str) -> None:
    """A shorter time, more often, for longer, without an exception; not where fields disagree or the sentence is another one."""
    assert classes_of(read(old), read(new)) == {became: 1}


def test_what_came_and_went_is_counted_duty_by_duty() -> None:
    """Also inside of a provision that stayed, and definitions like the rest."""
    old, new = f"{SENTENCES[0]} {SENTENCES[4]}", f"{SENTENCES[1]} {SENTENCES[7]}"
    assert classes_of(read(old), read(new)) == {"added": 1, "stricter": 1, "removed": 1}
    assert classes_of(read(SENTENCES[7]), read(SENTENCES[8])) == {"changed": 1}
    assert duties_in(read(f"{old} {SENTENCES[9]}")) == 2


def test_figure_that_differs_is_a_change_though_no_part_of_a_duty_holds_it() -> None:
    """An amount beside a duty that stayed as it was."""
    old, new = "The fee is 100 EUR. The clerk must report losses.", "The fee is 90 EUR. The clerk must report losses."
    assert classes_of(read(old), read(new)) == {"changed": 1}


@given(*(st.lists(st.sampled_from(SENTENCES), max_size=4, unique=True) for _ in range(2)))
def test_nothing_is_counted_where_nothing_differs_and_something_where_a_field_does(
    old: list[str], new: list[str]
) -> None:
    """The classes stand in their order; turned around, what was added was removed and what was stricter is looser."""
    ours, theirs = read(" ".join(old)), read(" ".join(new))
    there, back = classes_of(ours, theirs), classes_of(theirs, ours)
    assert bool(there) == bool(compare_duties(ours, theirs))
    assert list(there) == [name for name in DUTY_CLASSES if name in there]
    for one, other in (("added", "removed"), ("stricter", "looser"), ("changed", "changed")):
        assert there.get(one, 0) == back.get(other, 0)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "words",
    [
        "The clerk must report losses promptly and in no case later than {} days after the discovery.",
        "The clerk must close the till, which is opened for {} days, and report losses.",
        "A log of less than {} days old, or a picture of it, must be shown.",
    ],
)
def test_time_that_differs_is_never_told_as_the_same_duty(words: str) -> None:
    """Whether the time is a limit, a further one, or what no part of the duty was read to hold."""
    old, new = read(words.format(60)), read(words.format(30))
    assert any("60" in each.before and "30" in each.after for each in compare_duties(old, new))
    assert classes_of(old, new)
    assert compare_duties(old, old) == ()
    assert classes_of(old, old) == {}
