"""Norms of rules 11: grants, burdens, clauses joined by relatives and participles, and what only tells an effect."""

from __future__ import annotations

import pytest

from coditect.language.marks import Mark
from coditect.language.norms.binding import find_norms
from coditect.language.quantities.meaning import find_quantities


def _norms(text: str) -> list[Mark]:
    return find_norms(text, 0, len(text), find_quantities(text, 0, len(text)))


def _told(text: str) -> list[tuple[str, str | None, str]]:
    """Kind, holder and action of each norm, in order."""
    return [(mark.kind, mark.data.get("actor"), str(mark.data["action"])) for mark in _norms(text)]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Subject to this lease, the owner hereby grants the tenant a licence to use the yard.",
            [("permission", "the tenant", "use the yard")],
        ),
        (
            "The owner grants to Acme, and Acme accepts, a right to use the logo.",
            [("permission", "Acme", "use the logo")],
        ),
        (
            "The cost of the tests shall be the responsibility of the seller.",
            [("obligation", "the seller", "The cost of the tests")],
        ),
        (
            "Each party agrees, at the request of the other, to sign such papers.",
            [("obligation", "Each party", "sign such papers")],
        ),
        (
            "The tenant agrees to keep the key and not to lend it.",
            [("obligation", "The tenant", "keep the key"), ("prohibition", "The tenant", "lend it")],
        ),
        (
            "The board shall appoint a warden, who shall keep the keys.",
            [("obligation", "The board", "appoint a warden"), ("obligation", "a warden", "keep the keys")],
        ),
        (
            "The fee is set by the schedule, which shall be agreed to by the parties each year.",
            [("obligation", "the parties", "be agreed to by the parties")],
        ),
        (
            "The officer shall issue a receipt, which receipt shall contain the name of the owner.",
            [
                ("obligation", "The officer", "issue a receipt"),
                ("obligation", None, "contain the name of the owner"),
            ],
        ),
        (
            "Posters shall be approved by the warden and stamped by the secretary.",
            [
                ("obligation", "the warden", "be approved by the warden"),
                ("obligation", "the secretary", "stamped by the secretary"),
            ],
        ),
        (
            "The clerk shall, if the rules ask it or on request, copy the file and send it to the court.",
            [("obligation", "The clerk", "copy the file"), ("obligation", "The clerk", "send it to the court")],
        ),
        ("The plan shall on request be sent to the board.", [("obligation", None, "be sent to the board")]),
        (
            "The town may close any street or restrict access to any park.",
            [("permission", "The town", "close any street"), ("permission", "The town", "restrict access to any park")],
        ),
        (
            "The board has, in any matter before it, the power to summon witnesses.",
            [("permission", "The board", "summon witnesses")],
        ),
        ("Both owners have right to inspect the meter.", [("permission", "Both owners", "inspect the meter")]),
        ("A visiting force may import its tents.", [("permission", "A visiting force", "import its tents")]),
        ("We recommend planning a fire drill.", [("obligation", None, "planning a fire drill")]),
        ("We ask that managers check the lamps.", [("obligation", "managers", "check the lamps")]),
        ("Shared cars are encouraged whenever possible.", [("obligation", None, "Shared cars")]),
        ("Use of the old lift is not recommended.", [("prohibition", None, "Use of the old lift")]),
        (
            "Any person failing to obey a notice commits an offence.",
            [("prohibition", "Any person", "failing to obey a notice")],
        ),
        (
            "No office has any responsibility for reviewing this notice.",
            [("permission", "office", "reviewing this notice")],
        ),
        ("The host's liability shall not exceed the fees paid.", [("permission", None, "exceed the fees paid")]),
        (
            "THE TENANT IS SOLELY RESPONSIBLE FOR THE YARD AND MUST NOT LEND IT.",
            [("obligation", "THE TENANT", "THE YARD"), ("prohibition", "THE TENANT", "LEND IT")],
        ),
        (
            "Throughout the term, neither party shall sell, offer for sale or lend the key.",
            [("prohibition", "party", "sell, offer for sale or lend the key")],
        ),
        (
            "The tenant shall receive two keys from the owner.",
            [("permission", "The tenant", "receive two keys from the owner")],
        ),
        ("This lease may be executed in counterparts.", [("permission", None, "be executed in counterparts")]),
        ("Any request shall be considered by the board.", [("obligation", "the board", "be considered by the board")]),
    ],
)
def test_clauses_are_norms_of_their_own(text: str, told: list[tuple[str, str | None, str]]) -> None:
    """Each of them was missed, or taken for one with its neighbour, before rules 11."""
    assert _told(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "The principal office of the club shall be in the town.",
        "This act may be cited as the Boats Act.",
        "The office of a director shall be vacated.",
        "The board shall consist of five members.",
        "It will often be possible to share a boat.",
        "This is a policy that may affect the way they need to work.",
        "You should have received a copy of the handbook.",
        "THE SERVICES MAY IN SOME CASES PRODUCE OUTPUT THAT IS WRONG.",
        "Conduct of financial operations",
        "Exhibit 10.3 Form of Lease",
        "The company has filed or will file each report.",
        "Neither party grants any licence to the other.",
        "The scope of the audit shall include the stores.",
        "It shall be a condition of the supply that the lamp is kept dry.",
    ],
)
def test_effects_and_reports_are_no_norms(text: str) -> None:
    """They tell what is so, what may come about, or what a paper is called."""
    assert _told(text) == []


def test_reason_behind_as_is_no_leave() -> None:
    """What stands behind "as they" is why, and no norm of its own."""
    assert _told("Its use is not recommended as they may be easily broken.") == [("prohibition", None, "Its use")]


def test_conditions_in_front_belong_to_who_is_told() -> None:
    """Whose words bind stands in front of who is bound, and is no part of the condition."""
    (mark,) = _norms("Subject to this lease, the owner hereby grants the tenant a licence to use the yard.")
    assert mark.data["condition"] == "Subject to this lease"
