"""The classifier of readings: what it refuses to load, how it reads its weights, and what it may change of a verdict."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from typing import Any

import pytest

from coditect.errors import SchemaError
from coditect.verify.learned.classifier import FORMAT, ReadingClassifier
from coditect.verify.learned.measures import FREE, SIGNS
from coditect.verify.staged.comparison import HARD, compare
from coditect.verify.staged.second_reading import MOSTLY, SURE, read_again
from coditect.verify.staged.stages import READINGS_SHA256, assess, ruled_score

EVIDENCE = (
    "The Processor shall notify the Controller of a breach within 72 hours, and shall keep a record of every breach."
)
CLAIMS = (
    EVIDENCE,
    "The Controller must be told of a breach by the Processor within 72 hours.",
    "The Processor shall notify the Controller of a breach within 90 hours.",
    "The Controller keeps a record of breaches for the auditor.",
    "Records of breaches are kept.",
)
TREE: dict[str, list[Any]] = {
    "measure": [0, -1, 1, -1, -1],
    "threshold": [0.5, 0, 1.5, 0, 0],
    "left": [1, 0, 3, 0, 0],
    "right": [2, 0, 4, 0, 0],
}
SMALL = {
    "format": FORMAT,
    "version": "readings/test",
    "base": 0.5,
    "supports_from": 0.8,
    "refuses_to": 0.2,
    "measures": ["held", "strange"],
    "trees": [
        TREE | {"value": [0.25, -1.0, 1.0, 2.0, -0.5]},
        {name: [each[-1]] for name, each in TREE.items()} | {"value": [0.1]},
    ],
}


def _parsed(**changed: object) -> ReadingClassifier:
    return ReadingClassifier.parse(json.dumps(SMALL | changed).encode())


@pytest.mark.parametrize(
    "changed",
    [
        {"format": FORMAT + 1},
        {"supports_from": 0.1},
        {"refuses_to": -1.0},
        {"base": float("nan")},
        {"measures": ["held", "no such measure"]},
        {"trees": [TREE]},
        {"trees": [TREE | {"value": [0.0]}]},
        {"trees": [1]},
    ],
)
def test_classifier_refuses_weights_that_it_cannot_read(changed: dict[str, object]) -> None:
    """Another format, thresholds in the wrong order, unknown measures and damaged numbers are no weights."""
    with pytest.raises(SchemaError):
        _parsed(**changed)


@pytest.mark.parametrize("payload", [b"", b"[]", b"{}", b"\x80\x04]"])
def test_classifier_refuses_what_is_no_json_of_its_own(payload: bytes) -> None:
    """Nothing, other JSON, and a pickle."""
    with pytest.raises(SchemaError):
        ReadingClassifier.parse(payload)


@pytest.mark.parametrize(
    ("held", "strange", "odds"),
    [(0.5, 9.0, -1.0), (0.51, 1.5, 2.0), (0.51, 1.51, -0.5), (0.49, 0.0, -1.0), (1.0, 0.0, 2.0)],
)
def test_classifier_adds_up_what_its_trees_say(held: float, strange: float, odds: float) -> None:
    """The log odds are the base and the leaf of each tree; a measure that is at most the threshold goes left."""
    found = _parsed().probability({"held": held, "strange": strange})
    assert found == pytest.approx(1.0 / (1.0 + math.exp(-(0.5 + odds + 0.1))))


def test_measures_against_a_claim_are_the_strongest_first() -> None:
    """Each counts by how far its answers move the mean of the claims under a node; what counts for a claim is left out."""
    two = [TREE | {"value": [0.25, -1.0, 1.0, 2.0, -0.5]}, TREE | {"value": [1.0, 0.5, -3.0, 0.0, -3.5]}]
    classifier = _parsed(trees=two)
    assert classifier.against({"held": 0.9, "strange": 2.0}) == ["held", "strange"]
    assert classifier.against({"held": 0.9, "strange": 1.0}) == ["held"]
    assert classifier.against({"held": 0.1, "strange": 2.0}) == ["held"]
    assert _parsed().against({"held": 0.9, "strange": 1.0}) == []


@pytest.mark.parametrize("measures", [{}, {"held": float("inf"), "strange": 0.0}])
def test_classifier_refuses_measures_that_are_missing_or_infinite(measures: dict[str, float]) -> None:
    """A measure that is not there is not taken for 0."""
    with pytest.raises(SchemaError):
        _parsed().probability(measures)


def test_scale_puts_the_threshold_at_the_one_of_builds() -> None:
    """Where the classifier begins to support, the scaled score is 0.7; the order of claims stays."""
    classifier = _parsed()
    assert classifier.scaled(classifier.supports_from) == pytest.approx(0.7)
    scaled = [classifier.scaled(each / 10) for each in range(11)]
    assert scaled == sorted(scaled)


def test_shipped_weights_keep_the_signs_and_say_what_they_were_made_of() -> None:
    """A measure that has a direction by its meaning is counted in no other, and the file names its training claims."""
    payload = (files("coditect.verify.learned") / "weights" / "readings.json").read_bytes()
    row = json.loads(payload)
    classifier = ReadingClassifier.load()
    compared = [compare(claim, [EVIDENCE]).measures for claim in CLAIMS]
    for measures in compared:
        for name in sorted(set(SIGNS) - FREE):
            tried = [
                classifier.probability(measures | {name: each}) for each in (-9.0, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0, 9.0)
            ]
            assert tried == sorted(tried, reverse=SIGNS[name] < 0), name
    assert len(row["claims_sha256"]) == 64
    assert sum(row["trained_on"].values()) <= row["claims"]
    assert classifier.sha256 == READINGS_SHA256
    assert ReadingClassifier.load() is classifier


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize("minimum", [0.5, 0.7, 0.9])
def test_second_reading_makes_a_verdict_more_careful_unless_it_is_sure(claim: str, minimum: float) -> None:
    """It supports alone only what the rules leave open for want of words, and never below the threshold; of a certain
    contradiction it may only ask a person.
    """
    compared = compare(claim, [EVIDENCE])
    for score in (0.1, 0.45, 0.95):
        label = compared.label(score, minimum)
        again = read_again(compared, label, score, minimum)
        assert again.label != "supported" or again.score >= minimum
        if again.label == "supported" != label:
            probability = ReadingClassifier.load().probability(compared.measures)
            assert (label, compared.is_open_for_words(MOSTLY)) == ("needs_review", True)
            assert ReadingClassifier.load().scaled(probability, SURE) >= minimum - 1e-4
        assert compared.worst < HARD or (label == "unsupported" and again.label != "supported")
        assert (again.signal is None) == (again.label in (label, "supported"))


def test_second_reading_may_be_sure_of_a_paraphrase_alone() -> None:
    """Nothing is against it and most of it has counterparts, but too few of its words stand there for the rules."""
    evidence = (
        "Exit doors shall swing in the direction of egress where the room has an occupant load of fifty or more. Doors that serve "
        "fewer persons may swing in either direction, but shall not be locked while the room is occupied."
    )
    claim = "If fifty people or more can be in the room, its exit doors have to open the way people leave."
    found = assess(claim, [evidence], 0.7)
    assert compare(claim, [evidence]).label(ruled_score(compare(claim, [evidence]))[1], 0.7) == "needs_review"
    assert found.label == "supported"
    support = next(each for each in found.signals if each.name == "support")
    assert support.passed
    assert "second reading" in support.detail
    assert assess(claim.replace("have to", "must not"), [evidence], 0.7).label != "supported"


def test_second_reading_tells_which_words_are_not_said() -> None:
    """The reason names the words of the claim that the statement has no counterpart for."""
    claim = "The Processor shall notify the Controller and the sponsor."
    compared = compare(claim, [EVIDENCE])
    again = read_again(compared, "supported", 0.9, 0.99999)
    assert again.label == "needs_review"
    assert again.signal is not None
    assert "“sponsor” is not said" in again.signal.detail


@pytest.mark.parametrize("claim", CLAIMS)
def test_assessment_is_the_same_whatever_does_not_count(claim: str) -> None:
    """White space, characters that print nothing and asking again change neither label nor score."""
    plain = assess(claim, [EVIDENCE], 0.7)
    for said, cited in (
        (claim, EVIDENCE),
        (claim.replace(" ", " \u200b"), EVIDENCE),
        (claim, EVIDENCE.replace("e", "e\u00ad")),
        (f"  {claim}  ", EVIDENCE),
        (claim, EVIDENCE.replace(" ", "  ")),
    ):
        found = assess(said, [cited], 0.7)
        assert (found.label, found.score) == (plain.label, plain.score)


@pytest.mark.parametrize("claim", CLAIMS)
def test_assessment_does_not_depend_on_the_order_of_evidence(claim: str) -> None:
    """Statements about something else may stand before or behind."""
    others = ["Payments fall due on the first of each month.", "The landlord repairs the roof."]
    orders = ([EVIDENCE, *others], [*others, EVIDENCE], [others[0], EVIDENCE, others[1]])
    assert len({(found.label, found.score) for found in (assess(claim, order, 0.7) for order in orders)}) == 1
