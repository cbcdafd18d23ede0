"""Replay: every stored verdict of a generation is given again from the store alone, and compared to the last byte."""

from __future__ import annotations

import time

from coditect.errors import CoditectError, Conflict, Unavailable
from coditect.integrity.evidence import evidence_of
from coditect.knowledge.progress import Progress, silent
from coditect.schemas import Claim, Drift, DriftCause, ReplayReport, Review, Verdict
from coditect.store.view import View
from coditect.verify.checker import CHECKER, Evidence, model_of
from coditect.verify.judges import fingerprints, recheck, review_opinion
from coditect.verify.staged.calibration import SHIPPED
from coditect.verify.support.combiner import Combiner
from coditect.verify.support.meaning import FindMeaning, nothing_meant

__all__ = ["replay"]


def replay(view: View, *, meaning: FindMeaning = nothing_meant, progress: Progress = silent) -> ReplayReport:
    """Give every verdict of a generation again.

    The checker is asked again, with the figures and the embedder that each verdict names, whatever is in force by now; what judges
    and reviewers said is taken from the verdict, reviews being looked up in the store.

    Args:
        view: the generation whose verdicts are given again.
        meaning: opens the configured embedder; a verdict that names another one cannot be given again.
        progress: is told how many claims are done.

    Raises:
        Corrupt: an item of the generation is missing or changed.
    """
    begin = time.perf_counter()
    combiner = _combiner(view, meaning)
    evidence = evidence_of(view, meaning)
    reviews = {review.review_id: review for _, review in view.store.scan("reviews", Review, view.corpus_id)}
    drift: list[Drift] = []
    for done, claim in enumerate(view.claims.values(), 1):
        found = _drift(claim, view.verdicts.get(claim.claim_id), evidence, view.summary.minimum_support, reviews)
        if found is not None:
            drift.append(found)
        progress("verdicts", done, len(view.claims))
    return ReplayReport(
        corpus_id=view.corpus_id,
        generation=view.generation,
        build_id=view.manifest.build_id,
        checker=CHECKER,
        weights_version=f"{combiner.name} {_versions(view, evidence)}",
        weights_sha256=combiner.weights_sha256,
        replayed=len(view.claims),
        identical=len(view.claims) - len(drift),
        drift=tuple(drift),
        seconds=round(time.perf_counter() - begin, 3),
    )


def _combiner(view: View, meaning: FindMeaning) -> Combiner:
    """The weights that verdicts are given again with: those of the configured embedder where one names it, else those of words."""
    if any(model_of(each) for each in view.verdicts.values()) and (found := meaning()) is not None:
        return found.combiner
    return Combiner.load()


def _versions(view: View, evidence: Evidence) -> str:
    """Of the figures that a replay calibrates probabilities with; the shipped ones where no verdict needs any."""
    used = {evidence.figures_as_of(each).version for each in view.verdicts.values() if each.weights_version}
    return ", ".join(sorted(used)) or SHIPPED.version


def _drift(
    claim: Claim, stored: Verdict | None, evidence: Evidence, minimum: float, reviews: dict[str, Review]
) -> Drift | None:
    """What differs between the stored verdict of a claim and the one that it gets today; None where nothing does."""
    if stored is None:
        return _told(claim, None, None, "no verdict", "none is stored")
    try:
        fresh = recheck(claim, evidence, minimum, stored)
    except (Conflict, Unavailable):  # of a store that does not answer: it says nothing of the verdict
        raise
    except CoditectError as error:
        return _told(claim, stored, None, "no verdict", str(error))
    unsigned = _unsigned(claim, stored, evidence, reviews)
    if unsigned:
        return _told(claim, stored, fresh, "review", unsigned)
    if stored.says_the_same(fresh):
        return None
    cause: DriftCause = "evidence"
    if stored.checker != fresh.checker:
        cause = "checker"
    elif (stored.weights_version, stored.weights_sha256) != (fresh.weights_version, fresh.weights_sha256):
        cause = "weights"
    return _told(claim, stored, fresh, cause, fresh.filter_reason)


def _unsigned(claim: Claim, stored: Verdict, evidence: Evidence, reviews: dict[str, Review]) -> str:
    """Why a review that the verdict names is none of this claim, or ""."""
    for opinion in stored.opinions:
        if opinion.judge != "review":
            continue
        review = reviews.get(opinion.review_id)
        if review is None:
            return "a review that it names is not stored"
        if review_opinion(review) != opinion or review.fingerprint not in fingerprints(claim, evidence):
            return "a review that it names signs something else"
    return ""


def _told(claim: Claim, stored: Verdict | None, fresh: Verdict | None, cause: DriftCause, detail: str) -> Drift:
    def outcome(verdict: Verdict | None) -> tuple[object, ...]:
        return () if verdict is None else (verdict.label, verdict.support_score, verdict.published)

    return Drift(
        claim_id=claim.claim_id,
        verdict_id="" if stored is None else stored.verdict_id,
        text=claim.text,
        cause=cause,
        changed=cause == "review" or outcome(stored) != outcome(fresh),
        old_label=None if stored is None else stored.label,
        new_label=None if fresh is None else fresh.label,
        old_score=None if stored is None else stored.support_score,
        new_score=None if fresh is None else fresh.support_score,
        detail=detail,
    )
