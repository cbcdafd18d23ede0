"""Imperatives are told from noun phrases, and coordinated acts are parted where each has an object."""

from __future__ import annotations

import pytest

from coditect.language.norms.imperatives import find_imperative, is_plain_verb, split_coordinated


@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("Encrypt all backups.", "Encrypt"),
        ("Review the register every month.", "Review"),
        ("If a key is lost, report the loss.", "report"),
        ("Then promptly close the gate.", "close"),
    ],
)
def test_imperative_is_found_behind_adjuncts(text: str, verb: str) -> None:
    """The plain form that begins the sentence, or stands behind an adjunct and a comma, is its verb."""
    found = find_imperative(text, 0, len(text))
    assert found is not None
    assert text[slice(*found)] == verb


@pytest.mark.parametrize(
    "text",
    ["Source code repositories", "Report of the auditor.", "Access is granted on request.", "The gate is closed."],
)
def test_noun_phrase_is_no_imperative(text: str) -> None:
    """A noun that could be a verb needs an object behind it, and no other verb."""
    assert find_imperative(text, 0, len(text)) is None


def test_coordinated_acts_are_parted_where_both_have_objects() -> None:
    """Two verbs with an object each are two acts; two verbs that share one are one."""
    two, one = "file the report and pay the fee", "keep and maintain the register"
    assert [two[a:b] for a, b in split_coordinated(two, 0, len(two))] == ["file the report", "pay the fee"]
    assert split_coordinated(one, 0, len(one)) == [(0, len(one))]


def test_verb_inside_a_clause_is_no_second_act() -> None:
    """What a clause of purpose says stays with the act that it belongs to."""
    text = "enable the clerk to check the form and count the keys"
    assert split_coordinated(text, 0, len(text)) == [(0, len(text))]


def test_plain_form_is_known_in_any_case() -> None:
    """The table holds plain forms, and no other form of a verb."""
    assert is_plain_verb("Encrypt")
    assert not is_plain_verb("encrypted")
