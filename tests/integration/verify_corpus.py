"""A small corpus with a judge beside the checker, who refuses one requirement: the case that needs a person."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from coditect.compose import open_knowledge
from coditect.knowledge.building import summary as upper
from coditect.knowledge.service import Knowledge
from coditect.schemas import Claim, Opinion, Verdict
from coditect.settings import Settings
from coditect.verify.checker import Evidence, check
from coditect.verify.judges import combine
from tests.places import url_at

__all__ = ["OPEN", "doubted", "knowledge_at"]

OPEN = "shall encrypt customer data"
"""Words of the requirement that the judge refuses."""


@contextmanager
def doubted(word: str = OPEN) -> Iterator[None]:
    """Builds ask a judge who refuses every requirement with these words, and agrees to all others."""

    def judged(claim: Claim, evidence: Evidence, minimum: float) -> Verdict:
        verdict = check(claim, evidence, minimum)
        if claim.claim_kind != "requirement":
            return verdict
        label = "unsupported" if word in claim.text else verdict.label
        return combine(verdict, Opinion(judge="model", who="validator/1", label=label, reason="a test's opinion"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upper, "check", judged)
        yield


@contextmanager
def knowledge_at(place: Path) -> Iterator[Knowledge]:
    """The services over a store of a test, with a clock that stands."""
    settings = Settings(store=url_at(place / "store"), cache=place / "cache", jobs=1, embedder="none")
    with open_knowledge(settings) as knowledge:
        knowledge.clock = lambda: "2026-02-03T04:05:06Z"
        yield knowledge
