"""Signed reviews as cases: what the checker measured of the claim, what the reviewer decided, and the documents under it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from coditect.knowledge.calibration.cases import Cases
from coditect.knowledge.calibration.regression import Figures
from coditect.knowledge.review.in_force import reviews_in_force
from coditect.schemas import Claim, Restatement, Review, Section, SectionPart, SupportFigures
from coditect.store.store import Store
from coditect.verify.checker import Evidence, words_of
from coditect.verify.judges import fingerprints
from coditect.verify.staged.calibration import FEATURES, SHIPPED, SIGNS
from coditect.verify.staged.measures import measure_support
from coditect.verify.support.meaning import FindMeaning, nothing_meant

LABELS = ("supported", "unsupported")
"""Decisions that say whether evidence supports a claim."""

__all__ = ["ReviewedCases", "reviewed_cases", "shipped_checker"]


@dataclass(frozen=True, slots=True)
class ReviewedCases:
    """Reviews that the checker's figures can be fitted on.

    Attributes:
        cases: in the order of the reviews' fingerprints.
        reviews: ids of the reviews behind the cases.
    """

    cases: Cases
    reviews: tuple[str, ...]


def shipped_checker(figures: SupportFigures = SHIPPED) -> Figures:
    """The checker's figures as a regression can begin at them."""
    return Figures(
        figures.intercept,
        np.asarray([figures.coefficients.get(name, 0.0) for name in FEATURES]),
        np.asarray([SIGNS[name] for name in FEATURES], np.float64),
    )


def reviewed_cases(
    store: Store, corpus_id: str, names: frozenset[str], meaning: FindMeaning = nothing_meant
) -> ReviewedCases:
    """The reviews in force whose claims the checker weighs.

    A review holds for words and evidence, and so does a case: the claim is looked up among all that were ever stored, whatever
    generation it is of.

    Args:
        store: where.
        corpus_id: the corpus.
        names: of its documents.
        meaning: opens the configured embedder with its weights.
    Raises:
        Corrupt: a stored record was changed; names it.
    """
    in_force = reviews_in_force(store, corpus_id)
    # Other decisions do not say whether the evidence supports the claim: who dismisses one may find it true and of no use.
    reviews = {
        key: own
        for key, signed in in_force.items()
        if (own := tuple(each for each in signed if each.decision in LABELS))
    }
    claims = _claims_of(store, corpus_id, reviews, names)
    left_out: Counter[str] = Counter()
    rows: list[tuple[float, ...]] = []
    labels: list[int] = []
    documents: list[tuple[str, ...]] = []
    used: list[str] = []
    for key, signed in reviews.items():
        if len({each.decision for each in signed}) > 1:
            left_out["of reviewers who disagree"] += 1
            continue
        if key not in claims:
            left_out["of a claim that is not stored any more"] += 1
            continue
        claim, evidence = claims[key]
        said = words_of(claim, evidence)
        measured = measure_support(*said, meaning()) if said is not None else None
        if measured is None:
            reason = "of counted figures, which no weights decide" if said is None else "which rules decide, no weights"
            left_out[reason] += 1
            continue
        rows.append(measured)
        labels.append(int(signed[-1].decision == "supported"))
        documents.append(_documents_of(claim, evidence))
        used += [each.review_id for each in signed]
    values = np.asarray(rows, np.float64).reshape(-1, len(FEATURES))
    return ReviewedCases(Cases(values, np.asarray(labels, np.int64), tuple(documents), left_out), tuple(sorted(used)))


def _claims_of(
    store: Store, corpus_id: str, reviews: dict[str, tuple[Review, ...]], names: frozenset[str]
) -> dict[str, tuple[Claim, Evidence]]:
    """The reviewed claims with the sections that they cite, by fingerprint; of equal ones the first id."""
    texts = {review.claim_text for each in reviews.values() for review in each}
    found: dict[str, tuple[Claim, Evidence]] = {}
    by_sections: dict[tuple[str, ...], list[Claim]] = defaultdict(list)
    for _, claim in store.scan("claims", Claim, corpus_id):
        if claim.text in texts:
            by_sections[tuple(dict.fromkeys(source.section_id for source in claim.citations))].append(claim)
    for section_ids, claims in by_sections.items():
        stored = store.get_many("sections", Section, [(corpus_id, each) for each in section_ids])
        sections = {each.section_id: each for each in stored if each is not None}
        evidence = Evidence(sections, {}, names, _unasked)
        for claim in claims:
            for key in fingerprints(claim, evidence):
                if key in reviews and (key not in found or claim.claim_id < found[key][0].claim_id):
                    found[key] = (claim, evidence)
    return found


def _unasked(claim: Claim, parts: Sequence[SectionPart]) -> Restatement:
    """In the place of a restatement, where claims are compared by their words and quotes alone."""
    return Restatement(refusal="this evidence does not bear restatements")


def _documents_of(claim: Claim, evidence: Evidence) -> tuple[str, ...]:
    """The documents that a claim cites, in order."""
    citations = (evidence.sections[each.section_id].content[each.part].citation for each in claim.citations)
    return tuple(dict.fromkeys(each.document_id for each in citations if each is not None))
