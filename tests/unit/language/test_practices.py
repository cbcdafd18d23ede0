"""Duties told in the present tense, which only a caller that knows the document's role asks for."""

from __future__ import annotations

import pytest

from coditect.language.norms.binding import read_norms
from coditect.language.quantities.meaning import find_quantities


def _read(text: str, *, practice: bool = True) -> list[dict[str, object]]:
    found = read_norms(text, 0, len(text), find_quantities(text, 0, len(text)), practice=practice)
    return [{"kind": each.mark.kind, **each.mark.data} for each in found]


@pytest.mark.parametrize(
    ("text", "actor", "action"),
    [
        ("The Compliance Officer reviews the log each quarter.", "The Compliance Officer", "reviews the log"),
        ("Analysts keep bench sheets for five years.", "Analysts", "keep bench sheets"),
        ("If a key is lost, the duty manager informs all owners.", "the duty manager", "informs all owners"),
        ("IT restores one backup each month.", "IT", "restores one backup"),
        ("The CISO and the DPO approve each exception.", "The CISO and the DPO", "approve each exception"),
        ("The service desk closes the ticket.", "The service desk", "closes the ticket"),
        ("Managers review access rights twice a year.", "Managers", "review access rights"),
        ("The IT team patches critical faults within 7 days.", "The IT team", "patches critical faults"),
        ("Keys are handed out by the custodian.", "the custodian", "handed out by the custodian"),
    ],
)
def test_practice_of_somebody_who_acts_is_an_obligation(text: str, actor: str, action: str) -> None:
    """Somebody who can act does something, or it is done by him."""
    (norm,) = _read(text)
    assert (norm["kind"], norm["modality"], norm["actor"], norm["action"]) == ("obligation", "present", actor, action)


def test_practice_at_set_times_needs_no_agent() -> None:
    """What is done again and again is a duty, whoever does it."""
    (norm,) = _read("Passwords are changed every 90 days.")
    assert norm["object"] == "Passwords"
    assert norm["frequency"]["text"] == "every 90 days"  # type: ignore[index]


def test_practice_that_is_denied_is_a_prohibition() -> None:
    """ "Do not" and "does not" forbid."""
    (norm,) = _read("Employees do not share their tokens.")
    assert (norm["kind"], norm["action"]) == ("prohibition", "share their tokens")


@pytest.mark.parametrize(
    "text",
    [
        "The company has three offices.",
        "The team knows the risks.",
        "Certain pull requests are hosted on a server.",
        "All configurations are centrally aggregated to a database.",
        "The key opens the door.",
        "The following policies drive many of our procedures and technical controls in the firm.",
        "DNS records for subdomains are maintained in the accounts.",
        "Encryption of devices and servers follow the defined best practices for such systems.",
        "The device that the officer signs for is new.",
        "The board and the committee reports are late.",
        "The supplier audit reports and staff training records are old.",
        "Manager reviews within 30 days.",
        "It stores one copy.",
        "Look for all code changes since the last release.",
        "It is built with tools like Chef, Salt and Terraform to enforce secure standards.",
    ],
)
def test_practice_is_no_state_and_no_thing(text: str) -> None:
    """States, things that work, and what a text says of itself bind nobody."""
    assert _read(text) == []


def test_practice_is_read_only_where_it_is_asked_for() -> None:
    """In a report the same sentence is a fact."""
    assert _read("The Compliance Officer reviews the log each quarter.", practice=False) == []
