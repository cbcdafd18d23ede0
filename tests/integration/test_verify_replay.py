"""Replay: verdicts are given again from the store alone; what is identical is identical, and drift is listed claim by claim."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from coditect.integrity.evidence import evidence_of
from coditect.knowledge.building import summary as upper
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.review.replay import replay
from coditect.knowledge.review.sign_off import sign
from coditect.schemas import Claim, Verdict
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.tiers.claims.composition import compose_claims
from coditect.verify import checker
from coditect.verify.checker import check
from coditect.verify.judges import recheck
from coditect.verify.support.combiner import Combiner
from tests.corpora import CORPUS, clock, ingest_all
from tests.integration.test_verify_review import SETTINGS, open_claim, rebuilt

PARAPHRASE = "The supplier must notify the customer of an incident within 24 hours."


def with_paraphrase(*arguments: object) -> list[Claim]:
    """The composed claims, and one of them again in other words."""
    claims = compose_claims(*arguments)  # type: ignore[arg-type]
    source = next(each for each in claims if "notify the customer" in each.text)
    fields = {name: getattr(source, name) for name in Claim.model_fields if name != "claim_id"}
    return [*claims, Claim.create(**{**fields, "claim_kind": "synthesis", "text": PARAPHRASE})]


@pytest.fixture
def told(memory: Store, documents: Path) -> Store:
    """A store whose summary has a claim in other words, as a language model would write it."""
    ingest_all(memory, documents)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upper, "compose_claims", with_paraphrase)
        build(memory, CORPUS, SETTINGS, clock=clock, jobs=1)
    return memory


def other_weights(monkeypatch: pytest.MonkeyPatch, shift: float) -> None:
    """Stage 2 with weights whose log odds are moved, as another training would."""
    shipped = Combiner.load()
    moved = replace(shipped, version="words/999", weights_sha256="f" * 64, _values=(shipped._values * 0.0 + shift))

    def load(kind: str = "words") -> Combiner:
        return moved

    monkeypatch.setattr(Combiner, "load", staticmethod(load))


def test_replay_of_a_fresh_build_is_identical(told: Store) -> None:
    """Nothing changed, nothing drifts, whatever kind of claim."""
    report = replay(open_view(told, CORPUS))
    assert report.replayed == report.identical > 10
    assert report.drift == ()


def test_replay_after_other_weights_lists_the_claims_that_rest_on_them(
    told: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old and new label and score of each; claims that are counted or stand word for word do not drift."""
    view = open_view(told, CORPUS)
    old = next(view.verdicts[i] for i, claim in view.claims.items() if claim.text == PARAPHRASE)
    assert old.label == "supported"
    other_weights(monkeypatch, 0.001)
    report = replay(view)
    assert [each.text for each in report.drift] == [PARAPHRASE]
    drift = report.drift[0]
    assert (drift.cause, drift.changed) == ("weights", True)
    assert (drift.old_label, drift.old_score) == ("supported", old.support_score)
    assert drift.new_score is not None
    assert drift.new_score < old.support_score
    assert report.identical == report.replayed - 1
    assert report.weights_sha256 == "f" * 64


def test_replay_after_another_checker_lists_every_claim_unchanged_in_outcome(
    told: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new version that says the same is drift of the record, not of the outcome."""
    monkeypatch.setattr(checker, "CHECKER", "staged/999")
    report = replay(open_view(told, CORPUS))
    assert len(report.drift) == report.replayed
    assert {(each.cause, each.changed) for each in report.drift} == {("checker", False)}


def test_replay_notices_a_review_that_is_not_stored(memory: Store, documents: Path) -> None:
    """A verdict that names a review rests on it."""
    ingest_all(memory, documents)
    view = rebuilt(memory)
    claim = open_claim(view)[0]
    review = sign(memory, view, claim.claim_id, decision="supported", by="R", meaning="read", at=clock())
    view = rebuilt(memory)
    assert replay(view).drift == ()
    memory.remove("reviews", CORPUS, review.review_id)
    drift = replay(view).drift
    assert [(each.cause, each.changed, each.old_label) for each in drift] == [("review", True, "supported")]


def test_recheck_of_a_thousand_verdicts_gives_the_same_bytes(told: Store) -> None:
    """Claims of every kind, true ones and edited ones, checked twice: equal to the last byte."""
    view = open_view(told, CORPUS)
    evidence = evidence_of(view)
    edits = ("{}", "{} Not.", "not {}", "{}, unless agreed", "{} 17", "must {}", "{} or else", "A {}", "{}!", "all {}")
    claims: list[Claim] = []
    for number in range(1000):
        source = list(view.claims.values())[number % len(view.claims)]
        fields = {name: getattr(source, name) for name in Claim.model_fields if name != "claim_id"}
        text = edits[number // len(view.claims) % len(edits)].format(source.text) + " " * (number // 100)
        claims.append(Claim.create(**{**fields, "text": text}))
    stored = [check(claim, evidence) for claim in claims]
    again = [
        recheck(claim, evidence, 0.7, Verdict.parse(verdict.payload()))
        for claim, verdict in zip(claims, stored, strict=True)
    ]
    assert [each.payload() for each in again] == [each.payload() for each in stored]
    assert len({each.label for each in stored}) > 1
