"""Where conditions, exceptions and times of a clause begin and end, and where its act does; all sentences are invented."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.language.norms.binding import read_norms
from coditect.language.quantities.meaning import find_quantities
from tests.unit.language.clauses import only_clause, read_clauses


def _with_item(lead: str, item: str) -> dict[str, Any]:
    """The only norm of an item put behind its lead-in."""
    text = f"{lead} {item}"
    (found,) = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)), edges=(len(lead) + 1,))
    return dict(found.mark.data)


@pytest.mark.parametrize(
    ("text", "action", "limit"),
    [
        ("The bank shall within two days of receipt tell the clerk.", "tell the clerk", "within two days of receipt"),
        ("The bank shall upon request by the clerk return the key.", "return the key", "upon request by the clerk"),
        (
            "The town may in regard to any pound give leave to the clerk.",
            "give leave to the clerk",
            "in regard to any pound",
        ),
        ("The Board may by notice require a firm to file a form.", "require a firm to file a form", None),
        ("The keeper must at all times open and close the gate.", "open and close the gate", "at all times"),
        (
            "The clerk must within five days of receipt of the form set out in rule 2, and subject to rule 3, sign it.",
            "sign it",
            "subject to rule 3",
        ),
        (
            "The clerk must if his or her acts involve the sale of fish, keep a list.",
            "keep a list",
            "if his or her acts involve the sale of fish",
        ),
        ("The bank, on receipt of a notice, shall keep it.", "keep it", "on receipt of a notice"),
    ],
)
def test_limits_between_modal_verb_and_act_need_no_commas(text: str, action: str, limit: str | None) -> None:
    """What stands there limits the act or says how it is done, and is no part of it."""
    found = only_clause(text)
    limits = [found.get("condition"), found.get("duration"), (found.get("deadline") or {}).get("text")]
    assert (found["action"], limit) == (action, limit if limit in limits else None)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("The clerk may, with the approval of the Board, lend the key.", "with the approval of the Board"),
        ("The clerk must comply with the approval of the Board.", None),
        ("Either party may end the lease at any time on prior written notice.", "on prior written notice"),
        ("The keeper shall on conviction pay a fine.", "on conviction"),
        ("The Board may drop any duty imposed by the rules upon a bank.", None),
        ("The clerk must keep lists of Towns Subject to a Call for Action.", None),
        ("The firm must, in writing, ask its auditor for a form.", None),
        ("The Board may make rules about proxies and providing that they are kept.", None),
        ("The team will confirm within two days if the plea was heard.", None),
        ("To be eligible for a seat, a person must apply.", "To be eligible for a seat"),
        ("To cut its costs, the guild must sell the boat.", None),
        ("If rule 2 is met, the ban does not apply to a guest.", "If rule 2 is met"),
        ("Where required by the law, we must keep the form.", "Where required by the law"),
        (
            "If the manager or, in the case of a trust, the trustee, sells a key, the firm must sign.",
            "If the manager or, in the case of a trust, the trustee, sells a key",
        ),
        ("The Board may call a meeting where a speaker is chosen.", None),
    ],
)
def test_condition_is_what_makes_the_act_due_or_allowed(text: str, condition: str | None) -> None:
    """Leave, notice, and purposes that limit are conditions; names, questions, and what a word falls upon are none."""
    assert only_clause(text).get("condition") == condition


@pytest.mark.parametrize(
    ("text", "exception"),
    [
        ("The clerk shall not open the gate without a mask.", "without a mask"),
        ("The clerk shall not open the gate without Acme.org's consent.", "without Acme.org's consent"),
        ("The members may meet without prior notice.", None),
        ("The clerk must keep the list (unless the Board waives it) in a safe.", "unless the Board waives it"),
    ],
)
def test_without_is_an_exception_where_something_is_forbidden(text: str, exception: str | None) -> None:
    """Elsewhere it says how something is done; brackets may hold an exception."""
    assert only_clause(text).get("exception") == exception


@pytest.mark.parametrize(
    ("text", "deadline", "trigger"),
    [
        ("After being told, the clerk must promptly return the key.", "promptly", "being told"),
        (
            "The clerk must file it within the time specified by the Board if it is late.",
            "within the time specified by the Board",
            None,
        ),
        (
            "The report must be laid before Parliament within two days after receipt.",
            "within two days after receipt",
            "receipt",
        ),
        (
            "The clerk must table it on any of the first ten days on which the House sits after it is done.",
            "on any of the first ten days on which the House sits after it is done",
            "it is done",
        ),
        (
            "The key shall be handed over at the end of the fair by the keeper.",
            "at the end of the fair",
            "the end of the fair",
        ),
        (
            "The form shall be signed within two days after approval by the Board.",
            "within two days after approval by the Board",
            "approval by the Board",
        ),
        (
            "The entry must be made at the time the animals are caught.",
            "at the time the animals are caught",
            "the animals are caught",
        ),
        ("The club must mend the rules prior to each fair.", "prior to each fair", "each fair"),
        (
            "The clerk must file it no later than the Closing Date.",
            "no later than the Closing Date",
            "the Closing Date",
        ),
        (
            "The clerk must tell the town two days (or less, if agreed) before the sale.",
            "two days (or less, if agreed) before the sale",
            "the sale",
        ),
        ("If it burns, the clerk must take immediate action to save the books.", "immediate", "it burns"),
        (
            "If it burns, the clerk must give the town two days' prior written notice.",
            "two days' prior written notice",
            "it burns",
        ),
        ("Before the fair, the clerk must tell the town.", "Before the fair", "the fair"),
    ],
)
def test_deadline_ends_before_who_acts_and_has_its_event(text: str, deadline: str, trigger: str | None) -> None:
    """The event stands in its own phrase, in another time of the clause, or in its condition."""
    found = only_clause(text)["deadline"]
    assert (found["text"], found.get("trigger")) == (deadline, trigger)


@pytest.mark.parametrize(
    "text",
    [
        "The form must be in such shape as the Board may direct from time to time.",
        "The clerk must keep the rules as amended from time to time.",
        "The clerk must file a quarterly or annual financial statement.",
        "The clerk must make an annual test schedule.",
    ],
)
def test_how_a_thing_stands_is_no_frequency_of_the_act(text: str) -> None:
    """What describes a thing says nothing of how often somebody acts."""
    assert "frequency" not in only_clause(text)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("The firm shall sign the form, it being understood that it is late.", "sign the form"),
        ("The clerk shall send the form, at which time any fee is due.", "send the form"),
        ("The clerk shall send the form, which form shall be blue.", "send the form"),
        ("Smoke must be reported to the clerk and may result in a fine.", "be reported to the clerk"),
        ("The firm shall sign the form, but failure to sign shall not relieve it.", "sign the form"),
        ("The tenant shall pay the rent (the “Rent”).", "pay the rent"),
        ("Entry is not permitted for guests of the town.", "Entry for guests of the town"),
        ("Either party may end the lease at any time.", "end the lease"),
        ("The gate must not be opened while the bell rings.", "be opened"),
    ],
)
def test_act_ends_before_clauses_names_and_times(text: str, action: str) -> None:
    """A clause of its own, a name that the text goes on with, and "at any time" are no part of what is done."""
    assert read_clauses(text)[0][1]["action"] == action


def test_act_of_six_hundred_code_points_is_whole() -> None:
    """A long object is not cut."""
    things = ", ".join(f"the blue rope of gate number {number}" for number in range(40))
    assert only_clause(f"The keeper must mend {things}.")["action"] == f"mend {things}"


@pytest.mark.parametrize(
    ("lead", "item", "name", "value"),
    [
        (
            "The clerk shall send to the town on the date of signing",
            "a copy of the form",
            "action",
            "send to the town a copy of the form",
        ),
        ("The form must be signed before the time of filing by", "the warden", "action", "be signed by the warden"),
        ("The following must be filed with the clerk", "a plan of the fair", "action", "be filed with the clerk"),
        ("The following must be filed with the clerk", "a plan of the fair", "object", "a plan of the fair"),
        (
            "A keeper shall be liable to",
            "in the case of a second loss, a fine",
            "condition",
            "in the case of a second loss",
        ),
        (
            "The auditor must state whether",
            "(in the case of a bank) the capital is enough",
            "condition",
            "in the case of a bank",
        ),
        ("The clerk shall not open the gate unless", "the bell rings", "exception", "unless the bell rings"),
    ],
)
def test_limits_of_a_lead_in_end_where_its_item_begins(lead: str, item: str, name: str, value: str) -> None:
    """A time or condition that has all its words takes none of the item; what the lead-in leaves open, the item completes."""
    assert _with_item(lead, item)[name] == value


def test_condition_in_the_middle_belongs_to_the_clause_behind_it() -> None:
    """ "and should it fail, the clerk may" is no condition of the clause before."""
    first, second = (
        data
        for _, data in read_clauses(
            "The clerk may ask a guest to go, and should the guest stay, the warden may fine him."
        )
    )
    assert (first.get("condition"), second.get("condition")) == (None, "should the guest stay")


def test_pronoun_of_a_thing_binds_nobody() -> None:
    """ "it" is what the condition in front tells of, where that is a thing."""
    assert "actor" not in only_clause("If the notice is in the form of a letter, it must contain a date.")


def test_limits_in_front_of_a_verb_are_those_of_every_act_behind() -> None:
    """With commas and without; the length of a deadline as well."""
    for text in (
        "The bank must within two days of receipt open the letter and tell the sender.",
        "The bank must, within two days of receipt, open the letter and tell the sender.",
    ):
        (_, first), (_, second) = read_clauses(text)
        assert [each["action"] for each in (first, second)] == ["open the letter", "tell the sender"]
        assert all(each["deadline"]["days"] == 2.0 for each in (first, second))
    for text in (
        "The clerk must if necessary close the gate and call the guard.",
        "The clerk must, if necessary, close the gate and call the guard.",
    ):
        (_, first), (_, second) = read_clauses(text)
        assert [each["condition"] for each in (first, second)] == ["if necessary"] * 2


@pytest.mark.parametrize(
    ("text", "name", "time", "action"),
    [
        (
            "The clerk must keep the log for 90 days at the front desk.",
            "duration",
            "for 90 days",
            "keep the log at the front desk",
        ),
        (
            "Copies must be returned within five days at the gate.",
            "deadline",
            "within five days",
            "be returned at the gate",
        ),
        (
            "Copies must be returned within five days after arrival at the gate.",
            "deadline",
            "within five days after arrival at the gate",
            "be returned",
        ),
    ],
)
def test_place_behind_a_period_is_no_part_of_it(text: str, name: str, time: str, action: str) -> None:
    """Where something is kept belongs to the act; where an event happens belongs to the time."""
    data = only_clause(text)
    limit = data[name]
    assert (limit if isinstance(limit, str) else limit["text"], data["action"]) == (time, action)


def test_all_frequencies_of_a_clause_are_kept() -> None:
    """The second stands behind the first, each with its number."""
    data = only_clause(
        "The clerk must count the keys at least weekly, and every 90 days in the presence of the warden."
    )
    further = [each["text"] for each in data.get("further_frequencies", ())]
    assert (data["frequency"]["text"], further) == ("at least weekly", ["every 90 days"])


@pytest.mark.parametrize(
    ("text", "event"),
    [
        (
            "The clerk must pay the fee at the commencement of each calendar year.",
            "the commencement of each calendar year",
        ),
        ("The clerk must read the rules once a year after joining.", "joining"),
        ("The clerk must count the keys monthly.", None),
        ("The clerk must report to the board from time to time.", None),
    ],
)
def test_event_that_a_frequency_names_is_its_trigger(text: str, event: str | None) -> None:
    """As that of a deadline is; most frequencies name none."""
    assert only_clause(text)["frequency"].get("trigger") == event
