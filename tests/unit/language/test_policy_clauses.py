"""Clauses of contracts, policies and by-laws that were misread in samples nobody had tuned to; all sentences are invented."""

from __future__ import annotations

import pytest

from tests.unit.language.clauses import only_clause, read_clauses


@pytest.mark.parametrize(
    ("text", "holder"),
    [
        ("The Miller agrees that it shall not use the scales.", "The Miller"),
        (
            "Each Grower represents and warrants that it has the power to sell and that it will use clean jars.",
            "Each Grower",
        ),
        ("The Miller agrees that the toll shall be paid each year.", "The Miller"),
        ("If a member wants to leave the guild they must tell the clerk.", "a member"),
        ("No one under the age of ten may feed the bees.", "one under the age of ten"),
        ("Our Lead Keeper role is responsible for the sheds.", "Our Lead Keeper role"),
        ("The parties hereto shall negotiate in good faith.", "The parties hereto"),
        ("Members elected are expected to attend the fair.", "Members elected"),
        ("12. TRANSFER OF HIVES The Seller agrees to move the hives.", "The Seller"),
        (
            "Clerks who have been informed that they are at risk will continue in their role.",
            "Clerks who have been informed that they are at risk",
        ),
        ("It is important that you avoid loud work.", "you"),
    ],
)
def test_holder_is_who_is_bound(text: str, holder: str) -> None:
    """Who promises something of himself is bound by it; pronouns, quantifiers, roles and titles in front hide nobody."""
    assert read_clauses(text)[-1][1]["actor"] == holder


@pytest.mark.parametrize(
    "text",
    [
        "You agree to the sharing of these notes.",
        "Here you will find the forms.",
        "You'll need this key later.",
        "You will not be able to see the list after that.",
        "You may not receive any refund of the toll.",
        "You may be unable to open the gate.",
        "Meadow is a club whose mission is to improve lives.",
        "It is estimated that the costs of the Miller will include ten coins.",
        "We believe a good jar should not come at the expense of the bees.",
        "It is important to note that the toll is due.",
        "It is important that the guild has a plan.",
        "This will include simple data such as a name.",
        "The validity of the other rules shall not be affected.",
        "Any partial use of a right shall not hinder its later use.",
        "The Grower represents that it has the right to sell the wax.",
        "The following words shall have the following meanings:",
        "Active members of the Guild shall be all students of the school.",
        "The other rules shall stay in full effect.",
    ],
)
def test_what_only_tells_or_consents_binds_nobody(text: str) -> None:
    """Consent, opinions, possibilities, aims, states by force of the text and how things are lay nothing down."""
    assert read_clauses(text) == []


@pytest.mark.parametrize(
    ("text", "kind", "action"),
    [
        ("This Agreement may be terminated by either Party.", "permission", "be terminated by either Party"),
        ("The Keeper undertakes no obligation to mend the gate.", "permission", "mend the gate"),
        ("The Guild does not have a duty to lend a cart.", "permission", "lend a cart"),
        ("The Keeper shall have ten (10) days in which to accept the offer.", "permission", "accept the offer"),
        ("You understand that the Guild may record these talks.", "permission", "record these talks"),
        ("The affected party cannot be held liable.", "permission", "be held liable"),
        ("You have full responsibility for the notes.", "obligation", "the notes"),
        ("It is recommended all jars be washed.", "obligation", "be washed"),
        ("It is best practice, and it is essential to wash the jars.", "obligation", "wash the jars"),
        ("We commit to: Recognize your work.", "obligation", ": Recognize your work"),
        ("Both Parties undertake, during the Term, not to sell wax.", "prohibition", "sell wax"),
        ("(Students cannot give the honey to somebody else.)", "prohibition", "give the honey to somebody else"),
        ("THE LIMITS OF THIS RULE SHALL NOT APPLY TO GUESTS.", "permission", "THE LIMITS OF THIS RULE"),
    ],
)
def test_words_of_force_in_their_many_forms(text: str, kind: str, action: str) -> None:
    """Powers over agreements, duties denied, days to act, advice by adjectives, and prohibitions in brackets are norms."""
    ((found, data),) = read_clauses(text)
    assert (found, data["action"]) == (kind, action)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("In rare cases where the hive is ill, the keeper shall burn it.", "In rare cases where the hive is ill"),
        ("Insofar as a rule is void, the guild shall write a new one.", "Insofar as a rule is void"),
        ("Depending on your town, you may opt out.", "Depending on your town"),
        ("In order to use the press, you must pay a toll.", "In order to use the press"),
        ("Fire at the mill If a member is unable to work, it shall tell the clerk.", "If a member is unable to work"),
        ("The keeper shall go, only in the event that the gate is shut.", "only in the event that the gate is shut"),
        ("In the event any jar shall be sold the toll shall be paid.", "In the event any jar shall be sold"),
        ("Once nominated these members must be heard by the clerk.", "Once nominated"),
    ],
)
def test_condition_is_read_whole(text: str, condition: str) -> None:
    """Cases, purposes in front, titles before a condition, and conditions without a comma."""
    assert read_clauses(text)[-1][1]["condition"] == condition


@pytest.mark.parametrize(
    ("text", "action"),
    [
        (
            "The keeper shall count the time between when the gate opens and when it shuts.",
            "count the time between when the gate opens and when it shuts",
        ),
        (
            "The sign should be placed on the gate without hiding the lock.",
            "be placed on the gate without hiding the lock",
        ),
        (
            "The guild may measure other things, such as how you walk or if you stop.",
            "measure other things, such as how you walk or if you stop",
        ),
        (
            "You are responsible for making a place where everyone feels safe.",
            "making a place where everyone feels safe",
        ),
        ("Any letter shall be in writing and shall be considered given when it arrives.", "be in writing"),
        (
            "The void rule shall be replaced with a new one, and the balance of this Agreement shall remain in force.",
            "be replaced with a new one",
        ),
        ("I will read the book, and I understand that I am bound by it.", "read the book"),
        ("The guild will repay costs incurred in mending the gate.", "repay costs incurred in mending the gate"),
    ],
)
def test_action_goes_as_far_as_its_clause(text: str, action: str) -> None:
    """What looks like a condition inside of the act stays in it; a clause that only tells an effect does not."""
    assert only_clause(text)["action"] == action


def test_exception_to_all_of_a_kind() -> None:
    """ "Other than" leaves something out of "anyone" without a comma, and "without doing" of what is forbidden."""
    assert (
        only_clause("You must not speak with anyone else other than the clerk.")["exception"] == "other than the clerk"
    )
    assert (
        only_clause("The firm shall not sell the wax without telling the owner.")["exception"]
        == "without telling the owner"
    )


def test_second_act_behind_nor() -> None:
    """ "Nor" begins a second thing that is forbidden."""
    text = "You may not buy jars for your household, nor use any cart for it."
    assert [data["action"] for _, data in read_clauses(text)] == ["buy jars for your household", "use any cart for it"]


def test_joined_clause_keeps_its_own_condition() -> None:
    """A condition behind "and" belongs to the clause that follows it."""
    first, second = read_clauses("The keeper shall open the gate, and if it is late, the clerk may close it.")
    assert "condition" not in first[1]
    assert second[1]["condition"] == "if it is late"
    assert second[1]["actor"] == "the clerk"


def test_condition_in_front_limits_the_joined_act() -> None:
    """What opens a clause limits the act that shares its subject under another modal verb."""
    readings = read_clauses("Upon request the keeper shall return the jars, and shall not keep a copy.")
    assert [data["condition"] for _, data in readings] == ["Upon request", "Upon request"]


def test_determiner_that_is_no_clause() -> None:
    """ "And that office" names the office, and begins no content clause."""
    first, second = read_clauses("A member must apply to the office, and that office will assess the claim.")
    assert (first[1]["action"], second[1]["actor"]) == ("apply to the office", "that office")


def test_pronoun_is_no_member_of_what_stands_before_it() -> None:
    """The subject of the second clause is "you" alone."""
    text = "You are responsible for your jars, and you, not the guild, have full responsibility for the wax."
    assert [data["actor"] for _, data in read_clauses(text)] == ["You", "you"]


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ("We will tell you as soon as we can.", "deadline", "as soon as we can"),
        ("The seller shall end the sale with immediate effect.", "deadline", "with immediate effect"),
        ("All thefts must be reviewed shortly after discovery.", "deadline", "shortly after discovery"),
        (
            "We will hold a feast on the second Tuesday of every month.",
            "frequency",
            "on the second Tuesday of every month",
        ),
        ("Reports will be sent to the clerk half-yearly on or before the 15th of July.", "frequency", "half-yearly"),
    ],
)
def test_times_of_policies(text: str, field: str, words: str) -> None:
    """When and how often, in the words of handbooks."""
    assert only_clause(text)[field]["text"] == words


def test_adjective_of_frequency_is_no_frequency_of_the_act() -> None:
    """ "The monthly plan" is a kind of plan."""
    assert "frequency" not in only_clause("The monthly plan will be agreed upon by the clerk.")
