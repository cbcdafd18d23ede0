"""Whose predicate it is: a claim that says of one what its evidence says of another."""

from __future__ import annotations

import pytest

from coditect.verify.staged.subject import foreign_subject

CARRIER = "The carrier shall insure every crate of glass against breakage."
DEPOT = "The depot shall insure every crate of glass against breakage."
TWO = f"{CARRIER} The depot may open a window."


def _is_foreign(claim: str, *quotes: str) -> bool:
    return foreign_subject(claim, quotes, 0.5) is not None


@pytest.mark.parametrize(
    ("claim", "quotes", "foreign"),
    [
        (CARRIER, (CARRIER,), False),
        (DEPOT, (CARRIER,), True),
        (DEPOT, (CARRIER, DEPOT), False),
        (DEPOT, (TWO,), True),
        ("Depots insure every crate of glass.", (CARRIER,), False),  # nothing binds
        ("The depot shall insure glass.", (CARRIER,), False),  # two words are too few
        ("The depot shall insure crates of glass.", (CARRIER,), True),  # three are enough
        ("It shall insure every crate of glass against breakage.", (CARRIER,), False),
        ("The firm shall insure every crate of glass against breakage.", (CARRIER,), False),
        ("If the depot shall insure every crate of glass against breakage, it pays.", (CARRIER,), False),
        ("In winter, the depot shall insure every crate of glass against breakage.", (CARRIER,), True),
        (DEPOT, ("It shall insure every crate of glass against breakage.",), False),
        (DEPOT, ("In spring, they shall insure every crate of glass against breakage.",), False),
        (DEPOT, ("(a) It shall insure every crate of glass against breakage.",), False),
        ("Every crate of glass shall be insured by the depot against breakage.", (CARRIER,), False),  # the other voice
        (
            "The window shall be insured against breakage of glass.",
            ("The mirror shall be insured against breakage of glass.",),
            True,
        ),
        ("The depot shall insure every crate of glass, wood, tin and zinc.", (CARRIER,), False),  # too little is held
        ("The depot shall insure every crate of glass against breakage today.", (CARRIER,), True),  # four of five are
    ],
)  # fmt: skip
def test_subject_is_foreign_where_nearly_all_is_said_of_somebody_else(
    claim: str, quotes: tuple[str, ...], foreign: bool
) -> None:
    """And where nobody can tell who is meant, or the evidence says much of it of the claim's subject, it is not."""
    assert _is_foreign(claim, *quotes) is foreign


def test_signal_places_the_subject_and_what_stands_before_it_in_the_evidence() -> None:
    """In the claim the words before the one that binds; in the evidence everything up to that word."""
    found = foreign_subject(DEPOT, ["Fees rise in May.", CARRIER], 0.4, 7)
    assert found is not None
    assert (found.claim_start, found.claim_end) == (7, 7 + len("The depot "))
    assert [(each.quote, each.char_start, each.char_end) for each in found.evidence] == [(1, 0, len("The carrier "))]
    assert (found.name, found.passed, found.weight) == ("contradiction_role", False, 0.4)
    assert found.detail == "the evidence says this, but not of “The depot”"


def test_subject_begins_behind_the_last_stop() -> None:
    """What comes earlier in the sentence is not part of it."""
    found = foreign_subject(f"In the yard, by night: {DEPOT[0].lower()}{DEPOT[1:]}", [CARRIER], 0.5)
    assert found is not None
    assert found.claim_start == len("In the yard, by night: ")
    assert found.detail.endswith("“the depot”")


def test_only_the_first_words_that_bind_are_read() -> None:
    """Four of a quote, and none behind 600 code points."""
    others = "".join(f"The {word} shall be shut. " for word in ("gate", "door", "hatch"))
    assert _is_foreign(DEPOT, f"{others}{CARRIER}")
    assert not _is_foreign(DEPOT, f"{others}The lid shall be shut. {CARRIER}")
    filler = "The yard is wide and quiet. "
    assert _is_foreign(DEPOT, filler * 18 + CARRIER)
    assert not _is_foreign(DEPOT, filler * 22 + CARRIER)
    assert not _is_foreign(filler * 22 + DEPOT, CARRIER)
