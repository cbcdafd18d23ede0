"""Normative sentences: what binds, whom, to what, when, and what does not."""

from __future__ import annotations

import pytest

from coditect.language.marks import JsonValue, Mark
from coditect.language.norms.binding import find_norms
from coditect.language.quantities.meaning import find_quantities


def _norms(text: str) -> list[Mark]:
    """The norms of a sentence; their pieces are verbatim."""
    marks = find_norms(text, 0, len(text), find_quantities(text, 0, len(text)))
    for mark in marks:
        assert (mark.start, mark.end) == (0, len(text))
        for key in ("actor", "action", "condition", "exception", "object"):
            assert str(mark.data.get(key, "")) in text
        assert list(mark.data) == sorted(mark.data)
    return marks


def _one(text: str) -> dict[str, JsonValue]:
    """The data of the one norm in a sentence, with its kind."""
    marks = _norms(text)
    assert len(marks) == 1, marks
    return {**marks[0].data, "kind": marks[0].kind}


@pytest.mark.parametrize(
    ("cue", "kind", "modality", "strength"),
    [
        ("shall keep", "obligation", "shall", "mandatory"),
        ("must keep", "obligation", "must", "mandatory"),
        ("MUST keep", "obligation", "must", "mandatory"),
        ("will keep", "obligation", "will", "mandatory"),
        ("should keep", "obligation", "should", "recommended"),
        ("is required to keep", "obligation", "is required to", "mandatory"),
        ("is obligated to keep", "obligation", "is required to", "mandatory"),
        ("agrees to keep", "obligation", "agrees to", "mandatory"),
        ("undertakes to keep", "obligation", "agrees to", "mandatory"),
        ("is responsible for keeping", "obligation", "is responsible for", "mandatory"),
        ("may only keep", "permission", "may only", "optional"),
        ("may keep", "permission", "may", "optional"),
        ("is entitled to keep", "permission", "is entitled to", "optional"),
        ("has the right to keep", "permission", "has the right to", "optional"),
        ("is permitted to keep", "permission", "is permitted to", "optional"),
        ("need not keep", "permission", "is not required to", "optional"),
        ("shall have no obligation to keep", "permission", "is not required to", "optional"),
        ("shall not be required to keep", "permission", "is not required to", "optional"),
        ("shall not keep", "prohibition", "shall not", "mandatory"),
        ("may not keep", "prohibition", "may not", "mandatory"),
        ("must never keep", "prohibition", "must not", "mandatory"),
        ("should not keep", "prohibition", "should not", "recommended"),
        ("covenants not to keep", "prohibition", "agrees not to", "mandatory"),
        ("is prohibited from keeping", "prohibition", "prohibited", "mandatory"),
        ("is not permitted to keep", "prohibition", "is not permitted to", "mandatory"),
    ],
)
def test_norm_modality_decides_kind_and_strength(cue: str, kind: str, modality: str, strength: str) -> None:
    """Each modal expression has one kind, one name and one strength, and leaves actor and action as they stand."""
    data = _one(f"The Supplier {cue} the records.")
    assert (data["kind"], data["modality"], data["strength"], data["actor"]) == (
        kind,
        modality,
        strength,
        "The Supplier",
    )
    assert str(data["action"]).endswith("the records")


@pytest.mark.parametrize(
    "text",
    [
        "This Agreement shall be governed by the laws of Utah.",
        "The obligations in this clause shall survive termination.",
        '"Fee" shall mean the price.',
        "Delays may result in loss of data.",
        "The term will expire.",
        "Must employees report incidents?",
        "Nothing in this Agreement shall create a partnership.",
        "In May 2026 the Will was read.",
        "Either side may end this at will, as the case may be.".replace("may end this", "ends this"),
        "Claims that may arise are excluded.",
        "If Supplier shall fail to deliver, the price is halved.",
    ],
)
def test_norm_statement_of_effect_possibility_or_question_binds_nobody(text: str) -> None:
    """What is so by force of the text, what might happen, and what is asked are no norms."""
    assert _norms(text) == []


def test_norm_has_deadline_condition_and_exception() -> None:
    """A clause is taken apart into its verbatim pieces."""
    text = (
        "If a breach occurs, Supplier shall notify Customer within 72 hours after discovery, unless prohibited by law."
    )
    data = _one(text)
    assert data["condition"] == "If a breach occurs"
    assert data["exception"] == "unless prohibited by law"
    assert data["action"] == "notify Customer"
    deadline = data["deadline"]
    assert isinstance(deadline, dict)
    assert (deadline["hours"], deadline["comparator"]) == (72.0, "within")
    assert text[deadline["start"] : deadline["end"]] == "within 72 hours after discovery"
    assert deadline["trigger"] == "discovery"


def test_norm_prompt_words_are_a_deadline_without_hours() -> None:
    """ "without undue delay" limits the time and claims no number."""
    deadline = _one("The processor shall notify the controller without undue delay.")["deadline"]
    assert isinstance(deadline, dict)
    assert deadline["comparator"] == "promptly"
    assert "hours" not in deadline


def test_norm_passive_has_its_agent_or_no_actor() -> None:
    """The subject of a passive is what is acted on; only "by ..." names the actor."""
    data = _one("All backups shall be encrypted by the Security Team at least annually.")
    assert (data["actor"], data["object"]) == ("the Security Team", "All backups")
    assert isinstance(data["frequency"], dict)
    assert data["frequency"]["per_year"] == 1.0
    data = _one("Passwords must be rotated.")
    assert "actor" not in data
    assert data["object"] == "Passwords"


def test_norm_negated_subject_turns_permission_into_prohibition() -> None:
    """ "No employee may" forbids, and the actor is the employee."""
    data = _one("No employee may share a password.")
    assert (data["kind"], data["modality"], data["actor"]) == ("prohibition", "may not", "employee")
    assert _one("Neither party shall assign its rights.")["kind"] == "prohibition"


def test_norm_inverted_prohibition_finds_the_actor_behind_the_cue() -> None:
    """ "Under no circumstances shall Supplier" forbids the supplier."""
    data = _one("Under no circumstances shall Supplier disclose the data.")
    assert (data["kind"], data["actor"], data["action"]) == ("prohibition", "Supplier", "disclose the data")


def test_norm_permission_and_obligation_in_one_sentence_are_two() -> None:
    """Each modal has its own clause, and the deadline belongs to its own clause only."""
    text = "Customer may audit the records, and Supplier shall answer within 5 days of a request."
    permission, obligation = sorted(_norms(text), key=lambda m: m.kind, reverse=True)
    assert (permission.kind, permission.data["actor"]) == ("permission", "Customer")
    assert (obligation.kind, obligation.data["actor"]) == ("obligation", "Supplier")
    assert "deadline" in obligation.data
    assert "deadline" not in permission.data
    clause = obligation.data["clause"]
    assert isinstance(clause, dict)
    assert text[clause["start"] : clause["end"]].startswith("Supplier shall answer")


def test_norm_second_verb_inherits_its_subject() -> None:
    """ "and shall not" takes over the subject before it."""
    marks = _norms("Supplier, at its own expense, shall repair the goods and shall not charge Customer.")
    assert [(m.kind, m.data["actor"]) for m in marks] == [("obligation", "Supplier"), ("prohibition", "Supplier")]


def test_norm_list_in_a_sentence_gives_each_item() -> None:
    """Items behind "shall:" are duties of their own with the same actor."""
    marks = _norms("Supplier shall: (a) keep records; (b) notify Customer; and (c) pay the fees.")
    assert [m.data["action"] for m in marks] == ["keep records", "notify Customer", "pay the fees"]
    assert {m.data["actor"] for m in marks} == {"Supplier"}


def test_norm_required_actor_stands_behind_the_verb() -> None:
    """ "The policy requires all employees to" binds the employees."""
    data = _one("The policy requires all employees to complete training annually.")
    assert (data["actor"], data["action"]) == ("all employees", "complete training")


def test_norm_confidence_falls_from_shall_to_will_and_without_an_actor() -> None:
    """The surer the reading, the higher the figure."""
    sure = _norms("The Supplier shall keep records.")[0].confidence
    less = _norms("The Supplier will keep records.")[0].confidence
    least = _norms("Records will be kept.")[0].confidence
    assert sure > less > least


@pytest.mark.parametrize(
    ("text", "kind", "actor", "action"),
    [
        ("Nothing in this section requires the bank to lend money.", "permission", "the bank", "lend money"),
        ("The bank shall be free to lend money.", "permission", "The bank", "lend money"),
        ("The bank is at liberty to lend money.", "permission", "The bank", "lend money"),
        ("A person who lends money without a licence commits an offence.", "prohibition", "A person", "lends money"),
        ("No broker may lend money.", "prohibition", "broker", "lend money"),
    ],
)
def test_norm_turned_around_has_the_kind_of_the_whole(text: str, kind: str, actor: str, action: str) -> None:
    """Negations and adjectives around the words of force decide what they make of the sentence."""
    (mark,) = _norms(text)
    assert (mark.kind, mark.data["actor"]) == (kind, actor)
    assert str(mark.data["action"]).startswith(action)


def test_norm_of_another_provision_is_reported_not_made() -> None:
    """What a rule is said to require elsewhere binds nobody here."""
    assert _norms("Rule 4 requires banks to keep records.") == []


@pytest.mark.parametrize(
    ("text", "kind", "modality"),
    [
        ("We won't sell the data of a visitor.", "prohibition", "will not"),
        ("You can’t share an account.", "prohibition", "cannot"),
        ("Users mustn't copy keys.", "prohibition", "must not"),
        ("Vendors aren't allowed to enter the vault.", "prohibition", "is not permitted to"),
        ("We'll never read your mail.", "prohibition", "will not"),
        ("You needn't reply.", "permission", "is not required to"),
    ],
)
def test_norm_in_contracted_words_is_read(text: str, kind: str, modality: str) -> None:
    """What is written as it is spoken binds as what is written out."""
    (mark,) = _norms(text)
    assert (mark.kind, mark.data["modality"]) == (kind, modality)


def test_contracted_future_without_negation_binds_nobody() -> None:
    """ "We'll see" is how people speak of what they expect."""
    assert _norms("We'll see growth in the next quarter.") == []
