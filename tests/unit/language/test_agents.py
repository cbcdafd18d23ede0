"""Noun phrases that name somebody are told from those that name a thing, and the subject of a clause is found whole."""

from __future__ import annotations

import pytest

from coditect.language.norms.actors.agents import by_agent, is_agent
from coditect.language.norms.subjects import find_subject


@pytest.mark.parametrize(
    "name",
    [
        "The bank",
        "Every officer, employee or agent",
        "the verifier",
        "Acme Ltd",
        "the Trustee",
        "we",
        "A member of the board",
        "{{Company}}",
    ],
)
def test_agent_is_told_by_its_head(name: str) -> None:
    """Nouns of persons and bodies, nouns with the endings of roles, and names can act."""
    assert is_agent(name, opens=True)


@pytest.mark.parametrize(
    "name", ["The report", "the Manager's report", "The Agreement", "the register", "the server", "Delivery", ""]
)
def test_thing_is_no_agent(name: str) -> None:
    """Things, and nouns that only end as roles do, cannot act."""
    assert not is_agent(name, opens=True)


def test_name_of_the_document_is_an_agent_even_as_a_plural() -> None:
    """A word that the document always writes with a capital is a name."""
    assert is_agent("Pilots", opens=True, names=frozenset({"Pilots"}))


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("The log must be signed by the keeper within two days.", "the keeper"),
        ("The log must be signed by the end of the day.", None),
        ("The log must be kept on terms recommended by the keeper.", None),
    ],
)
def test_agent_of_a_passive_is_its_own(text: str, agent: str | None) -> None:
    """ "By" with a time, and the agent of another participle, are no agent of the act."""
    lo = text.index("signed") + 6 if "signed" in text else text.index("kept") + 4
    found = by_agent(text, lo, len(text))
    assert (text[slice(*found)] if found else None) == agent


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Every officer, employee or agent must report it.", "Every officer, employee or agent"),
        ("If a key is lost, the keeper must report it.", "the keeper"),
        ("The keeper, at his own expense, must report it.", "The keeper"),
        ("Upon request Supplier must report it.", "Supplier"),
        ("The principle is that the bank must report it.", "the bank"),
        ("3.2.1 The keeper must report it.", "The keeper"),
    ],
)
def test_subject_is_whole_and_nothing_else(text: str, subject: str) -> None:
    """Numbers, adjuncts in front and asides are no part of the subject; the members of a coordination are."""
    cue = text.index("must")
    found = find_subject(text, 0, cue, first=True)
    assert (text[found.start : found.end], found.role) == (subject, "main")


def test_verb_of_a_condition_binds_nobody() -> None:
    """The modal verb of a subordinate clause governs no main clause."""
    text = "If the keeper must report it"
    assert find_subject(text, 0, text.index("must"), first=True).role == "subordinate"
