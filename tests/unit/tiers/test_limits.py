"""Limits in other words: the same thing with another figure, where no verb tells that it is the same."""

from __future__ import annotations

import pytest

from coditect.tiers.findings.conflicts.assertions.limits import bound_of, limits_of
from tests.unit.tiers.test_matters import _found


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("On the last Friday of each month the fire doors are tried.", [("frequency", 12.0)]),
        ("The fire doors are tried every Friday.", [("frequency", 52.18)]),
        ("The claim form goes to the insurer within a fortnight.", [("deadline", 336.0)]),
        ("Delivery notes go into the shredder after two years.", [("duration", 17532.0)]),
        ("Delivery notes remain on file for two years.", [("duration", 17532.0)]),
        ("The van carries two fire extinguishers at most.", [("count", 2.0)]),
        ("Vats are filled to 80 per cent and no further.", [("size", 80.0)]),
        ("1.1 Meter Data shall be backed up daily.", [("frequency", 365.25)]),
        ("2.1 Gross weight of a load must not exceed 10 tonnes.", [("size", 10000.0)]),
        ("10 metres of cable must be kept on each drum.", [("size", 10.0)]),
        ("The doors were tried every Friday.", []),
        ("The invoice is paid ten days after the goods were delivered.", [("deadline", 240.0)]),
    ],
)
def test_limit_is_read_without_its_verb(text: str, limits: list[tuple[str, float]]) -> None:
    """Days of a period, single times, words of keeping, and numbers of things; what was done once is no limit."""
    assert [(each.kind, each.value) for each in limits_of(text)] == limits


@pytest.mark.parametrize(
    ("line", "says", "bound"),
    [
        ("the store must at no time hold fewer than four spare belts", "four spare belts", "floor"),
        ("a load must not weigh more than nine tonnes", "nine tonnes", "ceiling"),
        ("a van carries two extinguishers at most", "two extinguishers", "ceiling"),
        ("the team has three persons or more", "three persons", "floor"),
        ("the team has three persons", "three persons", ""),
    ],
)
def test_bound_is_told_by_the_words_around_a_figure(line: str, says: str, bound: str) -> None:
    """What rules out less makes a least, and words behind the figure count as those before it."""
    assert bound_of(line, line.index(says), says) == bound


CONFLICTS = [
    (
        "Hangar Manual",
        "Every week the duty mechanic has the backup pump started and puts pressure on the foam line.",
        "Hangar Procedure",
        "On the first Monday of the month the backup pump is run and the foam line is brought to pressure.",
    ),
    (
        "Clinic Procedure",
        "The signed dosage charts are passed to the ward office and stay on file there for six years.",
        "Clinic Records Standard",
        "Signed dosage charts of the ward go into the shredder after two years.",
    ),
    (
        "Buying Policy",
        "When a purchase is worth more than EUR 8,000, three written offers are asked for, whatever is bought.",
        "Workshop Standard",
        "Up to a value of EUR 30,000 a purchase may go to any dealer; three written offers are asked for only above that.",
    ),
    (
        "Depot Policy",
        "Each forklift carries two spare drive belts at most.",
        "Depot Instruction",
        "The rack at the gate must at no time hold fewer than four spare drive belts for each forklift.",
    ),
    (
        "Cleaning Agreement",
        "Each invoice for cleaning falls due 14 calendar days after the service.",
        "Payment Policy",
        "Finance settles the invoice for cleaning 14 working days after the service was rendered.",
    ),
]

LOOK_ALIKES = [
    (
        "Hangar Manual",
        "Every week the duty mechanic has the backup pump started and puts pressure on the foam line.",
        "Hangar Procedure",
        "On the first Monday of the month the fuel pump is run and the hydraulic line is brought to pressure.",
    ),
    (
        "Clinic Procedure",
        "The signed dosage charts are passed to the ward office and stay on file there for six years.",
        "Clinic Records Standard",
        "Visitor lists of the ward go into the shredder after two years.",
    ),
    (
        "Desk Policy",
        "The service desk tells the caller within one hour who deals with the request.",
        "Desk Procedure",
        "The service desk closes the request of the caller within ten days.",
    ),
    (
        "Depot Policy",
        "Each forklift carries at least two spare drive belts.",
        "Depot Instruction",
        "The rack at the gate must at no time hold fewer than four spare fuses for each forklift.",
    ),
    (
        "Cleaning Agreement",
        "Each invoice for cleaning falls due 14 calendar days after the service.",
        "Payment Policy",
        "Finance books the invoice for catering 14 working days after the event was held.",
    ),
]


@pytest.mark.parametrize(("title", "text", "other", "against"), CONFLICTS)
def test_other_figure_for_one_thing_is_told(title: str, text: str, other: str, against: str) -> None:
    """No verb is the same, the thing is."""
    assert [each.relation for each in _found((title, text), (other, against))] == ["conflict"]


@pytest.mark.parametrize(("title", "text", "other", "against"), LOOK_ALIKES)
def test_figure_for_another_thing_is_not_told(title: str, text: str, other: str, against: str) -> None:
    """Some words are the same, the thing is another one."""
    assert [each for each in _found((title, text), (other, against)) if each.relation == "conflict"] == []
