"""What laws ask of bodies, in what case, and by which procedures, beside the papers of those who are bound."""

from __future__ import annotations

import pytest

from coditect.verify.requirements.decision import AskedByPart, Force, SaidByPolicy, decide
from coditect.verify.requirements.figures.bounds import bounds_of, compare_bounds
from coditect.verify.requirements.wording import as_act, as_bidding, read_wording


def _label(part: str, sentence: str, force: Force = "binds", title: str = "", around: str = "House Policy") -> str:
    said = SaidByPolicy(sentence, sentence, around, force, likely=0.4, role="policy")
    found = decide(AskedByPart(read_wording(part), title), said, lambda key: 1.0)
    return found.label if found is not None else "no evidence"


@pytest.mark.parametrize(
    ("text", "bidden"),
    [
        ("A credit institution shall report large losses.", "Report large losses"),
        ("Each insurer or its agent must, where applicable, keep a register.", ""),
        ("Every insurer must, where applicable, keep a register.", "Keep a register, where applicable"),
        ("For losses above 5 million, a bank shall notify the board.", "For losses above 5 million, notify the board"),
        ("Users shall lock their screens.", ""),
        ("A bank shall not charge a fee.", ""),
        ("A bank shall be solvent.", ""),
        ("Ledgers shall be kept.", ""),
    ],
)
def test_a_duty_of_a_body_is_what_it_has_to_do(text: str, bidden: str) -> None:
    """Of a person who is bound, of a prohibition and of a passive nothing is taken away."""
    assert as_bidding(text) == bidden


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("Implement procedures to lock idle terminals.", "Lock idle terminals."),
        ("Establish and maintain a process for reviewing vendor invoices", "Review vendor invoices"),
        ("Implement technical mechanisms that record each login", "Record each login"),
        ("Implement procedures for periodic testing of plans", ""),
        ("Develop a plan to respond", ""),
    ],
)
def test_procedures_to_do_something_are_that_it_is_done(text: str, act: str) -> None:
    """A noun behind "for" is no act."""
    assert as_act(text) == act


@pytest.mark.parametrize(
    ("part", "sentence", "label"),
    [
        ("An operator shall inspect scaffolds weekly.", "The site foreman inspects scaffolds every day.", "stricter"),
        ("A bank shall, following an outage, notify each affected customer.",
         "The Service Desk shall notify each affected customer of an outage.", "meets"),
        ("The employer shall report to the Inspectorate any collapse within 8 hours.",
         "A collapse is reported to the Inspectorate within 4 hours.", "stricter"),
        ("A drum must always be sealed.", "Keep drums sealed.", "meets"),
        ("A service contract shall be signed before a supplier receives samples.",
         "Purchasing must obtain a signed service contract before a supplier receives samples.", "meets"),
        ("Implement procedures to lock idle terminals.", "The help desk must lock idle terminals.", "meets"),
        ("Staff shall report leaks within 24 hours.", "1.2 Provider shall report leaks within 72 hours.", "partly"),
        ("The records required by paragraph (b)(1) shall be kept for six years.",
         "Access logs shall be kept for six months.", "partly"),
        ("Tanks shall be cleaned and shall not be entered.", "Tanks shall be cleaned and must not be entered.", "meets"),
    ],
)  # fmt: skip
def test_what_a_law_asks_beside_what_a_house_says(part: str, sentence: str, label: str) -> None:
    """The house names its own people, says it in the passive, has it as done, or does what a procedure is asked for."""
    assert _label(part, sentence) == label


def test_a_title_that_calls_a_matter_by_another_name_takes_no_evidence_away() -> None:
    """A part that is a sentence tells its matter itself; an item of a catalogue goes by its title."""
    part, sentence = (
        "Crew members shall report collisions within 24 hours.",
        "Crew members must report suspected collisions within 24 hours.",
    )
    assert _label(part, sentence, title="Internal message") == _label(part, sentence) == "meets"
    assert _label("Report collisions", sentence, title="Internal message") == "no evidence"


def test_a_figure_for_the_same_thing_is_on_the_matter_whatever_the_paper_is_called() -> None:
    """The name of a paper says what it is about where its sentences do not."""
    part = "Entry passes shall be retained for at least 1 year."
    assert (
        _label(part, "Entry passes are kept for 3 years.", "states", around="Confined Rooms - Works Procedure")
        == "stricter"
    )


@pytest.mark.parametrize(
    ("asked", "given", "relation"),
    [
        ("where more than 500 tenants are affected", "where more than 1,000 tenants are affected", "looser"),
        ("a leak affecting more than 500 tenants", "a leak affecting more than 100 tenants", "stricter"),
        ("keep at least 500 litres", "keep at least 1,000 litres", "stricter"),
    ],
)
def test_a_threshold_of_a_case_is_stricter_the_lower_it_is(asked: str, given: str, relation: str) -> None:
    """From fewer on, a duty holds more often."""
    found = compare_bounds(bounds_of(asked), bounds_of(given))
    assert found is not None
    assert found[0] == relation
