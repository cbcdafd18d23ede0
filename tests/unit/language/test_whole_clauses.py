"""Classes of clauses that unseen documents showed: who is bound, where a phrase ends, and what binds nobody."""

from __future__ import annotations

import pytest

from coditect.language.norms.binding import read_norms
from coditect.language.quantities.meaning import find_quantities


def _read(text: str) -> list[dict[str, object]]:
    found = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)))
    return [{"kind": each.mark.kind, **each.mark.data} for each in found]


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("The responsibilities of the panel will include Assist the members.", "the panel"),
        ("The BoD responsibilities include Evaluate the performance of the staff.", "The BoD"),
        ("The Data Officer's duties include: keeping the register.", "The Data Officer"),
        ("Our plans reflect our views today and we undertake no duty and we will tell you.", "we"),
        ("The keeper must be satisfied that the lock is safe.", "The keeper"),
        ("EXCEPT AS SET FORTH IN SECTION 6, IN NO EVENT SHALL EITHER PARTY BE LIABLE FOR LOSS.", "EITHER PARTY"),
    ],
)
def test_holder_is_found_where_it_stands(text: str, actor: str) -> None:
    """In the noun phrase of a list of duties, behind a plain clause, with a state of mind, behind a fronted negation."""
    (norm,) = _read(text)
    assert norm["actor"] == actor


def test_holder_is_no_thing_with_a_participle() -> None:
    """ "The testing reports" are reports."""
    (norm,) = _read("The testing reports need to confirm the result.")
    assert "actor" not in norm


def test_duties_with_plain_verbs_are_parted() -> None:
    """What somebody's duties include may be several acts."""
    found = _read("The BoD responsibilities include Establish the policies, evaluate the staff and approve the budget.")
    assert [each["action"] for each in found] == ["Establish the policies", "evaluate the staff", "approve the budget"]


def test_condition_behind_that_ends_at_its_comma() -> None:
    """What follows the comma is the clause that must come true."""
    (norm,) = _read("The firm must ensure that, when executing trades, the orders are carried out fairly.")
    assert norm["condition"] == "when executing trades"
    assert norm["action"] == "ensure that the orders are carried out fairly"


def test_time_goes_on_with_a_state() -> None:
    """ "To be" behind a time is no purpose."""
    (norm,) = _read("The bank shall file it within two days after the time that it deemed the notice to be effective.")
    assert str(norm["deadline"]["text"]).endswith("to be effective")  # type: ignore[index]


@pytest.mark.parametrize(
    "text",
    [
        "Rule 12.3 requires that in addition to the above, a prospectus must comply with Rule 12.2.",
        "We cannot be more excited about the year.",
        "We cannot predict the outcome.",
        "For example, a person will need to give an address.",
        "The appropriate reading should be clear from the context.",
        "No account is to be taken of a holiday.",
        "Nominee directors will not count towards the quorum.",
        "“Equal prominence” means that the statement should have the same size.",
    ],
)
def test_nobody_is_bound(text: str) -> None:
    """Reports, helplessness, examples, what is evident, what counts as what."""
    assert _read(text) == []
