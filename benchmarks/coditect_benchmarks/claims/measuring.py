"""Written claims as the classifier of readings sees them: their measures, and what the rules alone make of them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import PurePath
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.documents.readers import read_source
from coditect.language.matched import as_matched
from coditect.schemas import VerdictLabel
from coditect.tiers.extractions.document import read_document
from coditect.verify.learned.measures import SIGNS, worse_of
from coditect.verify.staged.comparison import Comparison, compare
from coditect.verify.staged.stages import claim_start, refuse_unreadable, ruled_score
from coditect_benchmarks.claims.records import WrittenClaim
from coditect_benchmarks.claims.scoring import MINIMUM_SUPPORT

__all__ = ["NAMES", "MeasuredClaims", "digest_of", "family_of", "measure_claims"]

NAMES = tuple(SIGNS)
"""Names of the measures, in the order of columns."""

_RANKS = {"unsupported": -1, "needs_review": 0, "supported": 1}


@dataclass(frozen=True, slots=True)
class MeasuredClaims:
    """Claims measured; those that cannot be read, or are their evidence told again, are left out.

    Attributes:
        values: shape (claims, measures), in the order of :data:`NAMES`; of several sentences the worse.
        labels: shape (claims,), 1 true.
        families: shape (claims,).
        ruled: shape (claims,), what the rules alone say: 1 supported, 0 a person decides, -1 unsupported.
        scores: shape (claims,), the support score of the rules, 0..1.
    """

    values: npt.NDArray[np.float64]
    labels: npt.NDArray[np.int64]
    families: npt.NDArray[np.str_]
    ruled: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]

    def take(self, chosen: npt.NDArray[Any]) -> MeasuredClaims:
        """The chosen claims: a mask or places."""
        return MeasuredClaims(*(getattr(self, each.name)[chosen] for each in fields(self)))

    def joined(self, other: MeasuredClaims) -> MeasuredClaims:
        """These claims, then those."""
        return MeasuredClaims(
            *(np.concatenate([getattr(self, each.name), getattr(other, each.name)]) for each in fields(self))
        )


def family_of(claim: WrittenClaim) -> str:
    """The family of a claim: what its writer calls it, else the folder of its document, else "claims"."""
    return claim.family or PurePath(claim.document).parent.name or "claims"


def digest_of(claims: Sequence[WrittenClaim]) -> str:
    """SHA-256 over claims, evidence, labels and families in order, hex."""
    rows = [[each.text, each.evidence, each.is_true, family_of(each)] for each in claims]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def measure_claims(claims: Sequence[WrittenClaim]) -> MeasuredClaims:
    """Measure claims beside their passages, sentence by sentence as ``verify`` does.

    Args:
        claims: at least one that can be read.
    """
    rows = [row for claim in claims if (row := _row(claim)) is not None]
    values, labels, families, ruled, scores = zip(*rows, strict=True)
    return MeasuredClaims(
        np.array(values, np.float64),
        np.array(labels, np.int64),
        np.array(families),
        np.array(ruled, np.int64),
        np.array(scores, np.float64),
    )


def _row(claim: WrittenClaim) -> tuple[list[float], int, str, int, float] | None:
    reading = read_document(read_source(claim.text.encode(), "claim.txt"))
    sentences = [reading.quote(span.start, span.end)[0] for span in reading.sentences if span.end > span.start]
    compared = [each for text in sentences if (each := _compared(text, claim.evidence)) is not None]
    if not compared or len(compared) < len(sentences):
        return None
    ruled = [_ruled(each) for each in compared]
    measures = worse_of([each.measures for each in compared])
    return (
        [measures[name] for name in NAMES],
        int(claim.is_true),
        family_of(claim),
        min(_RANKS[label] for label, _ in ruled),
        min(score for _, score in ruled),
    )


def _compared(text: str, evidence: str) -> Comparison | None:
    """A sentence beside its passage; None where it cannot be read, or is its evidence told again."""
    if text.rstrip().endswith("?") or refuse_unreadable(text) is not None:
        return None
    said, quotes = as_matched(text), [as_matched(evidence)]
    found = compare(said[claim_start(said, quotes) :], quotes)
    return None if found.supported.unreadable or found.is_restated else found


def _ruled(compared: Comparison) -> tuple[VerdictLabel, float]:
    """What the rules alone say of a sentence, with their score."""
    _, score = ruled_score(compared)
    return compared.label(score, MINIMUM_SUPPORT), score
