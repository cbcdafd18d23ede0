"""A claim of rules is compared with what its recipe and its evidence give, and the verdict says in words what differs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.schemas import Claim, ClaimSource, Restatement
from coditect.verify.checker import Evidence, check
from coditect.verify.restatement import restated
from tests.unit.verify.test_checker import EXTRACTIONS, NAMES, SECTION, not_restated

TOLD = "2 of 3 documents speak to “breach”."
RESULT = {"documents": 2, "of": 3}
RECIPE: dict[str, Any] = {"figure": "coverage", "topic": "breach", "result": RESULT}
FRESH = Restatement(text=TOLD, recipe=RECIPE)


def _claim(text: str, recipe: dict[str, Any], kind: str = "theme", topic: str = "breach") -> Claim:
    citations = (ClaimSource(section_id=SECTION.section_id, part=1),)
    return Claim.create(
        corpus_id="c", derivation_id="d", claim_kind=kind, text=text, topic=topic, citations=citations, recipe=recipe
    )


def _evidence(fresh: Restatement) -> Evidence:
    return Evidence(
        {SECTION.section_id: SECTION}, {e.extraction_id: e for e in EXTRACTIONS}, NAMES, lambda claim, parts: fresh
    )


def test_claim_that_is_what_its_evidence_gives_is_established() -> None:
    """The same words and the same recipe: no probability is asked for."""
    verdict = check(_claim(TOLD, RECIPE), _evidence(FRESH))
    assert (verdict.label, verdict.support_score, verdict.weights_version) == ("supported", 1.0, "")
    assert [each.name for each in verdict.signals] == ["cited", "recounted", "worded"]


@pytest.mark.parametrize(
    ("text", "said", "reason"),
    [
        (TOLD.replace("2 of", "3 of"), "3", "“3” stands where its evidence gives “2”"),
        (TOLD.replace("speak", "do not speak"), "do not", "“do not” has no place in it"),
        (TOLD.replace("speak", "never spoke"), "never spoke", "“never spoke” stands where its evidence gives “speak”"),
        (f"Only {TOLD}", "Only", "“Only” has no place in it"),
        (f"{TOLD} No further review is needed.", "No further review is needed.", "“No further review is needed.” has no"),
        (TOLD.replace(" documents", ""), "", "“documents” is left out"),
        (TOLD.removesuffix(" to “breach”."), "", "“to “breach”.” is left out"),
        (TOLD.replace(" ", "  "), TOLD.replace(" ", "  "), "its white space is another"),
    ],
)  # fmt: skip
def test_words_that_the_evidence_does_not_give_are_named_and_placed(text: str, said: str, reason: str) -> None:
    """The reason repeats them, and the signal says where in the claim they stand."""
    verdict = check(_claim(text, RECIPE), _evidence(FRESH))
    assert not verdict.published
    assert f"worded: {reason}" in verdict.filter_reason
    worded = verdict.signals[-1]
    assert text[worded.claim_start : worded.claim_end] == said


@given(st.text(min_size=1, max_size=80))
def test_no_other_text_passes_and_its_span_lies_inside(text: str) -> None:
    """Whatever is said instead, the comparison is of bytes."""
    worded = restated(_claim(text, RECIPE), FRESH)[-1]
    assert worded.passed == (text == TOLD)
    assert 0 <= (worded.claim_start or 0) <= (worded.claim_end or 0) <= len(text)


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        ({**RECIPE, "result": {"documents": 2, "of": 4}}, "recounted: a fresh count gives {'documents': 2, 'of': 3}"),
        ({"figure": "coverage", "topic": "breach"}, "recounted: a fresh count gives"),
        ({**RECIPE, "checked": True}, "recounted: its recipe holds what nothing computes"),
        ({**RECIPE, "topic": "theft"}, "recounted: computed again, topic is breach"),
    ],
)
def test_recipe_that_is_not_what_is_computed_is_refused(recipe: dict[str, Any], reason: str) -> None:
    """The text may be right; the recipe is published beside it, and must be so as well."""
    verdict = check(_claim(TOLD, recipe), _evidence(FRESH))
    assert not verdict.published
    assert reason in verdict.filter_reason


@pytest.mark.parametrize(
    ("kind", "recipe", "name"),
    [
        ("gap", {"gap": "empty"}, "missing"),
        ("conflict", {"conflict": "deadline"}, "differing"),
        ("statistic", {"figure": "measure"}, "recounted"),
        ("statistic", {}, "worded"),
        ("requirement", {"requirement": "obligation"}, "worded"),
    ],
)
def test_claim_that_the_evidence_does_not_bear_is_refused_for_the_reason_given(
    kind: str, recipe: dict[str, Any], name: str
) -> None:
    """Even where the sentence can be rendered: a figure that is right may still be no gap."""
    for text in ("", "Something."):
        refused = Restatement(text=text, recipe=recipe, refusal="it is a defined term")
        verdict = check(_claim("Something.", recipe, kind), _evidence(refused))
        assert not verdict.published
        assert f"{name}: it is a defined term" in verdict.filter_reason


def test_claim_on_another_topic_than_its_section_is_refused() -> None:
    """What a section is about is part of what its quotes show."""
    verdict = check(_claim(TOLD, RECIPE, topic="theft"), _evidence(FRESH))
    assert verdict.filter_reason == "cited: a section on “breach” is cited"


def test_synthesis_is_never_made_again() -> None:
    """A recipe does not turn the words of a model into those of rules."""
    synthesis = _claim("The Processor must notify the Controller.", {"by": "writer/1"}, "synthesis")
    evidence = Evidence({SECTION.section_id: SECTION}, {}, NAMES, not_restated)
    assert "worded" not in {each.name for each in check(synthesis, evidence).signals}
