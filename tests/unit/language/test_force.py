"""Who is bound where the words of force stand in front of the holder, and where they bind nobody. All sentences are invented."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.language.norms.binding import find_norms
from coditect.language.quantities.meaning import find_quantities


def _read(text: str) -> list[tuple[str, dict[str, Any]]]:
    quantities = find_quantities(text, 0, len(text))
    return [(mark.kind, dict(mark.data)) for mark in find_norms(text, 0, len(text), quantities)]


def _told(text: str) -> list[tuple[str, object, object]]:
    return [(kind, data.get("actor"), data.get("action")) for kind, data in _read(text)]


@pytest.mark.parametrize(
    ("text", "norm"),
    [
        ("We do not allow employees to accept gifts.", ("prohibition", "employees", "accept gifts")),
        ("The club prohibits members from lending keys.", ("prohibition", "members", "lending keys")),
        ("The club prohibits the lending of keys by members.", ("prohibition", None, "the lending of keys by members")),
        ("Acorn Ltd expects all suppliers to share this aim.", ("obligation", "all suppliers", "share this aim")),
        ("We encourage users to report faults.", ("obligation", "users", "report faults")),
        (
            "It is the sole responsibility of the Vendor to insure the goods.",
            ("obligation", "the Vendor", "insure the goods"),
        ),
        ("It is forbidden to smoke in the vault.", ("prohibition", None, "smoke in the vault")),
        (
            "IN NO EVENT SHALL EITHER PARTY DISCLOSE THE KEY.",
            ("prohibition", "EITHER PARTY", "DISCLOSE THE KEY"),
        ),
        ("In no event will Supplier disclose the key.", ("prohibition", "Supplier", "disclose the key")),
    ],
)
def test_holder_behind_the_words_of_force_is_the_one_bound(text: str, norm: tuple[str, str | None, str]) -> None:
    """Who lays a duty down is not who has it."""
    assert _told(text) == [norm]


def test_duty_told_as_a_noun_has_no_holder_where_it_names_none() -> None:
    """ "It is our policy to" binds, and "it" is nobody."""
    assert _told("It is our policy to suspend repeat infringers.") == [
        ("obligation", None, "suspend repeat infringers")
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("No employee is permitted to accept bribes.", "prohibition"),
        ("Nobody in the office may open the vault.", "prohibition"),
        ("No smoking material is to be taken inside.", "prohibition"),
        ("No member is required to attend.", "permission"),
        ("Neither party shall be liable for delays.", "permission"),
        ("In no event shall the Keeper be liable for lost profits.", "permission"),
        ("The Keeper shall in no way be liable for rust.", "permission"),
        ("You're not allowed to resell the keys.", "prohibition"),
        ("You're responsible for the keys.", "obligation"),
        ("You'll receive a receipt.", "permission"),
        ("We'll send you a notice.", "obligation"),
        ("Visitors are not to use the lift.", "prohibition"),
        ("The keeper is obliged under rule 4 to report.", "obligation"),
        ("The keeper is under a duty to report.", "obligation"),
        ("Please do not share your key.", "prohibition"),
        ("Printed lists must be treated as secret.", "obligation"),
        ("There must be a written contract.", "obligation"),
        ("The accounts are to be kept for a year.", "obligation"),
        ("The Keeper undertakes that it will count the keys.", "obligation"),
        ("It is expected that banks may need to consider such tools.", "obligation"),
    ],
)
def test_force_is_that_of_the_whole_clause(text: str, kind: str) -> None:
    """Negative subjects, denied liabilities, shortened verbs and adverbials between the words of force do not change what binds."""
    assert [found for found, _ in _read(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "It is recognised that banks may take other approaches.",
        "Visitors acknowledge that their bags may be searched.",
        "The office encourages a common approach to testing.",
        "The committee expects that prices will rise.",
        "Our careful planning should help us to grow.",
        "We'll see growth next year.",
        "Firms that do so will lose the exemption.",
        "You will be able to see the list.",
        "Please note that we cannot find lost keys.",
        "Access control rules control access to the vault.",
        "No account is to be taken of holidays.",
    ],
)
def test_what_is_known_expected_or_possible_binds_nobody(text: str) -> None:
    """Reports, forecasts and effects are no norms."""
    assert _read(text) == []


def test_clause_of_a_condition_is_no_norm_of_its_own() -> None:
    """What a contract provides, told in a condition, binds nobody there."""
    text = "If a settlement provides that each side shall bear its costs, no claim may be filed."
    ((kind, data),) = _read(text)
    assert (kind, data["object"]) == ("prohibition", "claim")


def test_proviso_with_a_norm_of_its_own_ends_the_clause_before() -> None:
    """The condition of the first norm does not hold the second."""
    text = "The list may be shown to the extent necessary, provided, however, that the keeper shall first give notice."
    found = dict(_read(text))
    assert found["permission"]["condition"] == "to the extent necessary"
    assert found["obligation"]["action"] == "first give notice"


def test_second_clause_behind_and_has_its_own_subject() -> None:
    """ "all members of the team" is no relative clause without its pronoun."""
    text = "A copy shall be sent from the vault to the desk and all members of the desk shall be told."
    assert [data["object"] for _, data in _read(text)] == ["A copy", "all members of the desk"]


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("The forms are for the agents and need not be sent.", "The forms"),
        ("Where possible, data are to be encrypted.", "data"),
    ],
)
def test_subject_is_a_noun_phrase_without_what_else_stands_before_the_verb(text: str, subject: str) -> None:
    """Neither a plain predicate nor an adjunct belongs to it."""
    ((_, data),) = _read(text)
    assert data["object"] == subject


def test_other_begins_a_subject() -> None:
    """ "Other than" begins an adjunct, "other banks" does not."""
    assert _told("Other institutions must omit this sentence.") == [
        ("obligation", "Other institutions", "omit this sentence")
    ]


@pytest.mark.parametrize(
    ("text", "deadline"),
    [
        ("The keeper must pay before the due date to avoid a fine.", "before the due date"),
        ("The keeper must answer within 5 days after notice in accordance with rule 4.", "within 5 days after notice"),
        (
            "Disable keys within [Assignment: organization-defined time period].",
            "within [Assignment: organization-defined time period]",
        ),
    ],
)
def test_time_ends_where_the_act_goes_on(text: str, deadline: str) -> None:
    """A purpose or a manner behind a time is none of its words."""
    ((_, data),) = _read(text)
    assert data["deadline"]["text"] == deadline


def test_trigger_is_the_event_behind_its_measure() -> None:
    """ "2 minutes of inactivity" counts from inactivity."""
    ((_, data),) = _read("Devices must lock themselves after 2 minutes of inactivity.")
    assert data["deadline"]["trigger"] == "inactivity"


def test_annual_report_is_a_kind_of_report() -> None:
    """An adjective tells how often only of acts that recur."""
    ((_, report),) = _read("The keeper must publish the annual report.")
    ((_, review),) = _read("The keeper must perform an annual review.")
    assert "frequency" not in report
    assert review["frequency"]["text"] == "annual"


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("Create, enable, and remove keys in time.", ["Create, enable, and remove keys in time"]),
        ("Users must define, create, document and keep a list.", ["define, create, document and keep a list"]),
    ],
)
def test_verbs_in_a_row_with_one_object_are_one_act(text: str, actions: list[str]) -> None:
    """Only a verb with an object of its own begins another act."""
    assert [data["action"] for _, data in _read(text)] == actions
