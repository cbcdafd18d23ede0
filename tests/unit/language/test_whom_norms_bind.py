"""Whom a norm binds, what only says how things are, and which items are one norm; all sentences are invented."""

from __future__ import annotations

import pytest

from coditect.language.provisions.items import are_acts, are_titles, duty_holder, is_blank, tells_purposes
from coditect.language.provisions.leads import lead_role, offers_choice
from tests.unit.language.clauses import only_clause, read_clauses


@pytest.mark.parametrize(
    ("text", "holder"),
    [
        ("Jars must be checked by a [Guild Representative].", "a [Guild Representative]"),
        ("Hives shall be inspected monthly by shed owners or managers.", "shed owners or managers"),
        ("This rota will be set by each individual working group.", "each individual working group"),
        (
            "After learning that the hive is empty the Honey Safety Team member must close the lid.",
            "the Honey Safety Team member",
        ),
        ("If members become aware of a leak, they must tell the clerk.", "members"),
        ("If the suspended keeper is a member of the board, they will not vote on the fair.", "the suspended keeper"),
        ("At least two members of the guild must attend the fair.", "At least two members of the guild"),
        ("The keeper shall not (and shall not allow any other person to) sell the wax.", "The keeper"),
        ("We expect hive owners to clean the floor.", "hive owners"),
        ("The Guild is liable to pay a fair price for the wax.", "The Guild"),
        ("The keys must be kept by Orrin Bank plc at all times.", "Orrin Bank plc"),
        ("Keys are to be returned by Orrin Bank p.l.c. within two days.", "Orrin Bank p.l.c."),
        ("Clerks: must lock the vault every night.", "Clerks"),
    ],
)
def test_holder_is_named_in_full(text: str, holder: str) -> None:
    """Agents in brackets and joined ones are whole; a pronoun means whom the condition in front tells of."""
    assert only_clause(text)["actor"] == holder


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("Other suppliers: must be assessed every two years.", "Other suppliers"),
        ("Encryption keys: shall be changed every year by the custodian.", "Encryption keys"),
        ("Note: must be read first.", None),
        ("Sharing: may be given to guests.", None),
        ("Lost keys: the clerk must be told.", "the clerk"),
    ],
)
def test_label_of_an_item_is_what_its_words_of_force_are_said_of(text: str, thing: str | None) -> None:
    """ "Other suppliers: must be assessed": nothing stands between the colon and the words of force."""
    assert only_clause(text).get("object") == thing


@pytest.mark.parametrize(
    "text",
    ["Keeper and hive considerations should include the price.", "Member or Guest Regulations shall name the fair."],
)
def test_words_of_kind_are_nobody(text: str) -> None:
    """In a phrase whose head is a thing the words that say of what kind it is bind nobody."""
    assert "actor" not in only_clause(text)


def test_keepers_are_still_joined() -> None:
    """Two who can act are both bound."""
    assert only_clause("Keepers and hive owners should clean the floor.")["actor"] == "Keepers and hive owners"


def test_others_in_brackets_hide_no_act() -> None:
    """What is forbidden stands behind the brackets."""
    data = only_clause("The keeper shall not (and shall not allow any other person to) sell the wax.")
    assert data["action"] == "sell the wax"


@pytest.mark.parametrize(
    "text",
    [
        "The member will not be allowed to sell wax.",
        "The member will, for the time of the fair, not be allowed to sell wax.",
    ],
)
def test_what_is_not_allowed_is_forbidden(text: str) -> None:
    """ "Will not be allowed to" is a prohibition of whom it is said of."""
    ((kind, data),) = read_clauses(text)
    assert (kind, data["actor"], data["action"]) == ("prohibition", "The member", "sell wax")


@pytest.mark.parametrize(
    "text",
    [
        "The tenant shall have no right, title, or interest in the sheds.",
        "“Net price” shall exclude: packing and tolls.",
        "The guild shall own all rights in the label.",
        "All title in the jars will be jointly owned by the Parties.",
        "The rest of these rules will remain valid and enforceable.",
        "To encourage these clubs to send helpers, seats are kept free.",
        "You agree that this credit shall be your sole and exclusive remedy for a late jar.",
    ],
)
def test_what_is_so_by_effect_binds_nobody(text: str) -> None:
    """Titles, remedies and validity are so by force of the text."""
    assert read_clauses(text) == []


@pytest.mark.parametrize(
    ("words", "role"),
    [
        ("The guild may share the rota with helpers that:", "description"),
        ("The rule requires that:", "acts"),
        ("The guild may end this lease if the tenant shall at any time:", "conditions"),
        ("Helpers are paid in the event of:", "conditions"),
        ("If it is late, the keeper shall:", "open"),
    ],
)
def test_end_of_lead_in_tells_role(words: str, role: str) -> None:
    """A relative clause behind a plural describes; a foreseen event is a condition, a main clause none."""
    assert lead_role(words) == role


def test_one_of_the_following_is_a_choice() -> None:
    """Only a lead-in that asks for one of its items offers a choice."""
    assert offers_choice("A jar must be given one of the following kinds of lids:")
    assert not offers_choice("A jar must be given the following lids:")


def test_items_tell_what_they_are() -> None:
    """Blanks, purposes, acts and titles are told apart."""
    assert is_blank("[ ] [OTHER SHEDS]")
    assert not is_blank("[OTHER SHEDS] and tools")
    assert tells_purposes("The list is kept for other purposes such as:")
    assert not tells_purposes("The keeper keeps tools such as:")
    assert are_acts(["Sell wax at the fair.", "Post to the rota"])
    assert not are_acts(["The wax.", "Post to the rota"])
    assert are_titles(["Early end.", "Late end."], [True, True])
    assert not are_titles(["Early end.", "Late end."], [True, False])


def test_title_of_duties_names_holder() -> None:
    """ "All guilds have these main duties:" names who has them."""
    assert duty_holder("All keepers have these main duties:", frozenset()) == "All keepers"
    assert duty_holder("The rules are these:", frozenset()) is None
