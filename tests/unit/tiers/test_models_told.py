"""What models had to do with a claim, in words."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.schemas import Claim, Opinion, Verdict
from coditect.tiers.claims.models import told_of_models
from coditect.tiers.claims.precision import READ, confidence_of, rule_of

REDUCER = "roles/1 reducer/16c4/6ce2 roles/1 gaps/6892/028f claude-a"
VALIDATOR = "roles/1 validator/1/2 claude-b"


def _claim(rule: str = "", **recipe: Any) -> Claim:  # noqa: ANN401 - of a recipe
    return Claim.create(
        corpus_id="c", derivation_id="derivation_1", claim_kind="gap", text="A.", citations=(), rule=rule, recipe=recipe
    )


def _verdict(*opinions: Opinion) -> Verdict:
    return Verdict.create(corpus_id="c", claim_id="claim_1", label="supported", support_score=1.0, confidence=1.0, published=True,
                          checker="x/1", evidence=(), opinions=opinions)  # fmt: skip


def _said(label: Any, version: str = VALIDATOR) -> Opinion:  # noqa: ANN401 - of a verdict
    return Opinion(judge="model", who="validator", version=version, label=label)


@pytest.mark.parametrize(
    ("claim", "opinions", "told"),
    [
        (_claim(gap="open"), (), ()),
        (_claim(gap="read", by=REDUCER), (), ("proposed by the reducer (claude-a)",)),
        (
            _claim(gap="read", by=REDUCER),
            (_said("supported"),),
            ("proposed by the reducer (claude-a)", "confirmed by the validator (claude-b)"),
        ),
        (_claim(gap="open"), (_said("needs_review"),), ("not confirmed by the validator (claude-b)",)),
        (_claim(gap="open"), (_said("unsupported", ""),), ("denied by the validator",)),
        (_claim(f"requirement{READ}"), (), ("rests on a model's reading",)),
        (_claim(gap="open"), (Opinion(judge="review", who="A. Auditor", label="supported"),), ()),
    ],
)
def test_claim_says_who_of_the_models_proposed_and_who_read_it(
    claim: Claim, opinions: tuple[Opinion, ...], told: tuple[str, ...]
) -> None:
    """In the order in which it happened; persons are no models."""
    assert told_of_models(claim, _verdict(*opinions)) == told


def test_claim_without_a_verdict_says_who_proposed_it() -> None:
    """A draft has none."""
    assert told_of_models(_claim(gap="read", by=REDUCER), None) == ("proposed by the reducer (claude-a)",)


def test_what_rests_on_a_models_reading_is_a_class_of_its_own() -> None:
    """Nobody has counted how often such claims are right, whatever the class of rules is."""
    recipe = {"requirement": "obligation"}
    assert rule_of("requirement", recipe, is_read=True) == f"requirement{READ}"
    assert confidence_of(f"requirement{READ}") == 0.5 < confidence_of(rule_of("requirement", recipe))
