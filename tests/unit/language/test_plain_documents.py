"""Clauses of by-laws, ordinances and handbooks as people write them; all sentences are invented."""

from __future__ import annotations

import pytest

from coditect.language.norms.binding import read_norms
from coditect.language.provisions.items import duty_holder
from coditect.language.provisions.leads import lead_role
from coditect.language.quantities.meaning import find_quantities


def _read(text: str, *, practice: bool = False) -> list[tuple[str, object, object]]:
    found = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)), practice=practice)
    return [(each.mark.kind, each.mark.data.get("actor"), each.mark.data.get("action")) for each in found]


@pytest.mark.parametrize(
    ("text", "kind", "actor", "action"),
    [
        ("It shall be unlawful for any person to keep bees.", "prohibition", "any person", "keep bees"),
        (
            "It is unlawful for any person, firm or club, as owner or agent, to sell wax.",
            "prohibition",
            "any person, firm or club, as owner or agent",
            "sell wax",
        ),
        ("It is unlawful to burn leaves in the park.", "prohibition", None, "burn leaves in the park"),
        ("The sale of fireworks is unlawful.", "prohibition", None, "The sale of fireworks"),
        ("Bullying is not tolerated.", "prohibition", None, "Bullying"),
        ("Work on the quay is permitted between 7 and 9.", "permission", None, "Work on the quay"),
        ("The director authorizes the clerk to sign all letters.", "permission", "the clerk", "sign all letters"),
        ("Visitors are asked to sign the book.", "obligation", "Visitors", "sign the book"),
        ("Parents are welcome to stay.", "permission", "Parents", "stay"),
        ("We strongly encourage you to keep a copy.", "obligation", "you", "keep a copy"),
        ("A meeting may also be called by the chair.", "permission", "the chair", "be called by the chair"),
        ("Laptops should run the latest version.", "obligation", None, "run the latest version"),
        ("The club has no further repair duties under this rule.", "permission", "The club", "under this rule"),
        ("The bank, if feasible, will return the key.", "obligation", "The bank", "return the key"),
        ("An election for that office is to be held in May.", "obligation", None, "be held in May"),
        ("Also, if the bell rings, tell the warden.", "obligation", None, "tell the warden"),
    ],
)
def test_words_of_force_of_plain_documents(text: str, kind: str, actor: str | None, action: str) -> None:
    """What is unlawful, permitted, tolerated, asked or authorized binds or frees whom it is said to."""
    ((found, who, what),) = _read(text)
    assert (found, who) == (kind, actor)
    assert what == action


@pytest.mark.parametrize(
    "text",
    [
        "That director shall count towards the quorum.",
        "The terms of this annex shall take precedence.",
        "The warden, whose term shall begin the day after the vote, is new.",
        "The board shall be called the Roads Board.",
        "A member who is absent shall forfeit his right to vote.",
        "Such changes will be made part of this agreement.",
        "For example, a loan of 167,300 should be entered as 167.",
        "The seller warrants that the wax will not be spoiled.",
        "By-law 9, entitled “A by-law under which fires may be set”, is repealed.",
        "Conduct First Impact Assessment: In this step, people look around.",
        "The following changes are permitted when the form is used:",
    ],
)
def test_effects_titles_and_examples_bind_nobody(text: str) -> None:
    """What counts as what, what is warranted of a thing, words of a title and of a step, examples."""
    assert _read(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We keep records of all visits.", [("obligation", "We", "keep records of all visits")]),
        ("We do not share photographs.", [("prohibition", "We", "share photographs")]),
        ("Staff wash their hands.", [("obligation", "Staff", "wash their hands")]),
        (
            "The manager signs the form and sends it to the board.",
            [("obligation", "The manager", "signs the form"), ("obligation", "The manager", "sends it to the board")],
        ),
        (
            "If an officer sees a fault, they make a note and give it to the manager.",
            [("obligation", "an officer", "make a note"), ("obligation", "an officer", "give it to the manager")],
        ),
        ("We believe that bees are kind.", []),
        ("We are inspected within two days.", []),
    ],
)
def test_present_tense_of_a_house(text: str, expected: list[tuple[str, str, str]]) -> None:
    """A house says what it does, act by act; what it thinks, and what is done to it, is none."""
    assert _read(text, practice=True) == expected


def test_what_somebody_is_responsible_for_is_parted_by_acts() -> None:
    """Two gerunds with objects of their own are two duties; a chain before one object is one."""
    text = "The treasurer is responsible for keeping the accounts and reporting to the board."
    assert [action for _, _, action in _read(text)] == ["keeping the accounts", "reporting to the board"]
    ((_, _, action),) = _read("The treasurer is responsible for receiving and keeping the dues.")
    assert action == "receiving and keeping the dues"


def test_a_body_before_which_something_is_brought_is_no_time() -> None:
    """ "Before the council" is where; "before the council meeting" is when; "after each month" is counted from."""
    for text, deadline in (
        ("A member may bring any issue before the council.", None),
        ("The clerk shall file the plan before the council meeting.", "before the council meeting"),
        (
            "The agent shall deliver within ten days after each calendar month, a list.",
            "within ten days after each calendar month",
        ),
    ):
        (found,) = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)))
        told = found.mark.data.get("deadline")
        assert (told["text"] if isinstance(told, dict) else None) == deadline, text


def test_lead_in_that_tells_steps_names_their_holder() -> None:
    """ "The clerk will proceed as follows" binds the clerk, whatever exception stands behind."""
    lead = "The clerk will proceed as follows, except where the act says otherwise:"
    assert duty_holder(lead, frozenset()) == "The clerk"
    assert lead_role(lead) == "open"
    assert duty_holder("In a fire, staff must take the following steps:", frozenset()) == "staff"
