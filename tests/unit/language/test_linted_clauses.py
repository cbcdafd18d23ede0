"""Classes of readings that showed anomalies over texts without labels; all sentences are invented."""

from __future__ import annotations

import pytest

from tests.unit.language.clauses import only_clause, read_clauses


@pytest.mark.parametrize(
    ("text", "holder"),
    [
        ("Leave is cumulative and the Guild may ask a member to take it.", "the Guild"),
        ("The toll is due in May, and a keeper that lends ropes must pay it.", "a keeper that lends ropes"),
        ("This is no requirement and keepers should not assume it.", "keepers"),
        ("The rule is we will never sell a rope.", "we"),
        ("The gate is so old we must mend it.", "we"),
        ("Care of ropes The keeper shall oil the ropes.", "The keeper"),
        ("If you use another gate, then you must tell the clerk.", "you"),
        ("Also, the clerk shall sign the form.", "the clerk"),
        ("If we do this we must tell the members.", "we"),
        ("If a member is late, that member must tell the clerk.", "that member"),
        ("(1)The Guild shall keep the ledger.", "The Guild"),
        ("Where a keeper lends a rope to a guest it must note the day.", "a keeper"),
        ("Nothing in this rule shall limit or restrict Ostrava from buying ropes.", "Ostrava"),
        ("Only one person from a guild may serve as a warden.", "one person from a guild"),
        ("Members who wish to leave the guild must tell the clerk.", "Members who wish to leave the guild"),
        ("Any keeper who made the request must sign it.", "Any keeper who made the request"),
        ("The parties agree that the keeper shall, if asked, be told the reasons by the warden.", "the warden"),
        ("The keeper May not refuse the plea.", "The keeper"),
    ],
)
def test_who_is_bound_where_the_clause_is_joined_titled_or_reduced(text: str, holder: str) -> None:
    """Behind a plain clause, a title, a linking word; in front of a relative clause without a pronoun."""
    assert only_clause(text)["actor"] == holder


@pytest.mark.parametrize(
    "text",
    [
        "These are remedies the Guild may consider.",
        "The list has the steps you need to complete.",
        "Here are the ropes we will want to buy.",
        "You may wish to ask the warden.",
        "Not every rope needs to be oiled.",
        "WHEREAS, the Guild signed a lease and will play at the fair.",
        "There is no suit that would reasonably be expected to harm the Guild.",
    ],
)
def test_relative_clauses_wishes_recitals_and_denied_wholes_bind_nobody(text: str) -> None:
    """What somebody may want, what a recital tells, and the clause on a noun, are no norms."""
    assert read_clauses(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "action"),
    [
        ("The Guild will neither use the key nor lend it to a guest.", "prohibition", "use the key"),
        ("You agree to not ask a keeper for a rope.", "prohibition", "ask a keeper for a rope"),
        ("The toll shall thereafter not be raised by the town.", "prohibition", "be raised by the town"),
        ("A member no longer needs to learn the rules.", "permission", "learn the rules"),
        ("Do not use the gate and do not open it.", "prohibition", "use the gate"),
        ("Sign the form and do not copy it.", "obligation", "Sign the form"),
        ("3.2 Do not use the gate.", "prohibition", "use the gate"),
        ("If it rings, do not answer the bell.", "prohibition", "answer the bell"),
        ("The agent shall solely be responsible for the costs of the fair.", "obligation", "the costs of the fair"),
        ("This policy shall be reviewed by the Board.", "obligation", "be reviewed by the Board"),
        ("The rope shall be bound to the post by the keeper.", "obligation", "be bound to the post by the keeper"),
    ],
)
def test_what_is_denied_asked_or_told_of_a_text_itself(text: str, kind: str, action: str) -> None:
    """Negation inside of the act turns a duty around; requests may forbid; a policy is to be reviewed by somebody."""
    found, data = read_clauses(text)[0]
    assert (found, data["action"]) == (kind, action)


@pytest.mark.parametrize(
    ("text", "action", "limits"),
    [
        (
            "The Guild may sell the hut upon notice if the roof is broken.",
            "sell the hut",
            ["upon notice", "if the roof is broken"],
        ),
        ("The keeper may close the gate if any rope is torn.", "close the gate", ["if any rope is torn"]),
        (
            "Check that, if a rope is torn, the gate has been closed.",
            "Check that the gate has been closed",
            ["if a rope is torn"],
        ),
        ("The clerk must note the day and when it was sent.", "note the day and when it was sent", []),
        (
            "The clerk must note the name and, to the extent known, the age of a guest.",
            "note the name and the age of a guest",
            ["to the extent known"],
        ),
        (
            "The clerk may rely, if that is fair, on any of the ledgers.",
            "rely on any of the ledgers",
            ["if that is fair"],
        ),
        (
            "If it is dry, in the case of huts, the keeper must oil the ropes.",
            "oil the ropes",
            ["If it is dry", "in the case of huts"],
        ),
        ("If it is late, for each hut, the keeper must oil the ropes.", "oil the ropes", ["If it is late"]),
        (
            "Unless told otherwise, the parties agree that the keeper shall oil the ropes.",
            "oil the ropes",
            ["Unless told otherwise"],
        ),
        (
            "The Guild may ask, in respect of any hut, the age of its owner.",
            "ask the age of its owner",
            ["in respect of any hut"],
        ),
        (
            "The clerk must lend the key when it is needed unless the hut is closed.",
            "lend the key",
            ["when it is needed", "unless the hut is closed"],
        ),
    ],
)
def test_conditions_end_where_another_limit_or_the_act_goes_on(text: str, action: str, limits: list[str]) -> None:
    """A phrase is limited by a clause; words between commas close; a second question is no condition."""
    data = only_clause(text)
    found = [data.get(name) for name in ("condition", "exception")]
    told = [each for limit in found if limit for each in ([limit] if isinstance(limit, str) else limit)]
    assert (data["action"], told) == (action, limits)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("You should tell the clerk as soon as a rope is torn.", ["as soon as a rope is torn"]),
        ("Every letter must be promptly answered by the clerk.", ["promptly"]),
        ("The clerk shall answer as promptly as possible.", ["as promptly as possible"]),
        (
            "No less frequently than once every three years, the Guild must count the ropes.",
            ["No less frequently than once every three years"],
        ),
        ("A member must pay the full monthly or annual fee.", []),
        ("The clerk must pay in immediately available coin.", []),
    ],
)
def test_times_in_words_and_frequencies_of_things(text: str, times: list[str]) -> None:
    """When an act is due in words; a monthly fee is a kind of fee."""
    data = only_clause(text)
    assert [data[name]["text"] for name in ("deadline", "frequency") if data.get(name)] == times


def test_acts_with_an_object_each_are_two_norms() -> None:
    """One noun is an object, and an adjective may stand before the second one's."""
    found = [data["action"] for _, data in read_clauses("Members must count ropes and report unsecured huts.")]
    assert found == ["count ropes", "report unsecured huts"]


def test_a_pronoun_that_follows_is_the_holder_before_it() -> None:
    """Where the numbers agree; in the next clause of the sentence."""
    found = [
        data["actor"] for _, data in read_clauses("The Guild may lend ropes, but it shall note the day of each loan.")
    ]
    assert found == ["The Guild", "The Guild"]


@pytest.mark.parametrize(
    ("text", "often", "act"),
    [
        (
            "A keeper must, at the end of each reporting period, prepare a return.",
            "at the end of each reporting period",
            "prepare a return",
        ),
        (
            "The warden must count the ropes at the beginning of every watch.",
            "at the beginning of every watch",
            "count the ropes",
        ),
        (
            "The Guild must weigh, as at the end of March, June, September and December in each year, its coins.",
            "as at the end of March, June, September and December in each year",
            "weigh its coins",
        ),
        (
            "The mate shall submit, on June 30 and December 31 of each year, a list.",
            "on June 30 and December 31 of each year",
            "submit a list",
        ),
        (
            "The mate shall submit a list on the 1st of May and the 30th of June in every calendar year.",
            "on the 1st of May and the 30th of June in every calendar year",
            "submit a list",
        ),
        (
            "The mate shall submit a list on the last day of each month.",
            "on the last day of each month",
            "submit a list",
        ),
    ],
)
def test_what_is_due_at_set_times_again_and_again_is_a_frequency(text: str, often: str, act: str) -> None:
    """With its whole phrase, lists of months and days among it; and no deadline."""
    clause = only_clause(text)
    assert clause["frequency"]["text"] == often
    assert clause.get("deadline") is None
    assert clause["action"] == act


@pytest.mark.parametrize("when", ["at the end of the term", "at the end of June"])
def test_what_is_due_at_one_time_is_a_deadline(when: str) -> None:
    """Nothing says that it comes again."""
    clause = only_clause(f"The keeper must count the ropes {when}.")
    assert clause["deadline"]["text"] == when
    assert clause.get("frequency") is None
