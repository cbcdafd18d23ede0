"""Classes of clauses that were read wrongly in fresh acts, contracts and policies (round nine); all sentences are invented."""

from __future__ import annotations

import pytest

from tests.unit.language.clauses import only_clause, read_clauses


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("In the discussion of findings, the causes will be explained.", "In the discussion of findings"),
        ("In connection with any hearing, each party shall bear its own costs.", "In connection with any hearing"),
        ("For all leave requests, employees must ask their manager.", "For all leave requests"),
        ("In this regard, the firm must keep records.", None),
        ("In addition, the firm must keep records.", None),
        ("For all purposes of this part, the firm must keep records.", None),
        ("In the meantime, the firm must keep records.", None),
    ],
)
def test_case_in_front_of_a_clause_is_its_condition(text: str, condition: str | None) -> None:
    """A phrase with "in" or "for all" at the head says in which case, unless it only joins or names a purpose."""
    assert only_clause(text).get("condition") == condition


@pytest.mark.parametrize(
    "text",
    [
        "Provided that nothing in this part shall prevent the clerk from closing the hall.",
        "Provided that the list, as the case may be, shall be sent to the clerk.",
    ],
)
def test_proviso_that_opens_a_sentence_without_a_clause_is_no_condition(text: str) -> None:
    """ "Provided that" joins such a sentence to the one before."""
    assert "condition" not in only_clause(text)


def test_proviso_with_a_clause_of_its_own_is_a_condition() -> None:
    """ "Provided that you keep the key, you may enter": what is provided comes first."""
    assert only_clause("Provided that you keep the key, you may enter the hall.")["condition"].startswith("Provided")


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("[Company] shall pay the fee.", "[Company]"),
        ("The [Steering Group] must publish the changes.", "The [Steering Group]"),
        ('Each party (the "Payer") shall pay the other party.', "Each party"),
        ("A copy may be requested by customers upon five days' written notice.", "customers"),
        ("Appointments shall be made by the Board of Directors.", "the Board of Directors"),
        ("The inquiry shall be held by the officer in charge.", "the officer in charge"),
    ],
)
def test_holder_is_named_as_it_stands(text: str, actor: str) -> None:
    """Placeholders keep their brackets, names lose what only names them anew, agents of passives are whole."""
    assert only_clause(text)["actor"] == actor


@pytest.mark.parametrize(
    ("text", "when", "action"),
    [
        ("You must notify the clerk promptly of any loss.", "promptly", "notify the clerk of any loss"),
        ("You must call us within 7 days so we can delete it.", "within 7 days", "call us so we can delete it"),
        (
            "The fee shall be paid within a year of the sale, whichever is later.",
            "within a year of the sale, whichever is later",
            "be paid",
        ),
    ],
)
def test_time_ends_where_the_act_goes_on(text: str, when: str, action: str) -> None:
    """ "Promptly of a loss" is told of a loss; a purpose is none of the time, and the choice between two times is."""
    data = only_clause(text)
    assert (data["deadline"]["text"], data["action"]) == (when, action)


def test_event_of_a_time_is_no_adjective() -> None:
    """ "If necessary" sets nothing off."""
    assert "trigger" not in only_clause("The clerk must promptly close the gate if necessary.")["deadline"]


def test_second_act_may_begin_with_an_adverb() -> None:
    """ "Remove the lamp and promptly tell the owner" are two acts, and the adverb limits the second."""
    first, second = read_clauses("We will remove the lamp and promptly tell the owner of the hall.")
    assert first[1]["action"] == "remove the lamp"
    assert second[1]["deadline"]["text"] == "promptly"
    assert second[1]["action"] == "tell the owner of the hall"


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("Furthermore, implement a plan for lamps if your hall is large.", "if your hall is large"),
        ("Should you see a leak, please report it to the clerk.", "Should you see a leak"),
    ],
)
def test_request_is_found_behind_what_joins_or_inverts(text: str, condition: str) -> None:
    """A joint with a comma and an inverted condition may stand in front of a request."""
    data = only_clause(text)
    assert (data["modality"], data["condition"]) == ("imperative", condition)
