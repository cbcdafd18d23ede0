"""The figures that decide a ranking, chosen so that no family of documents loses by them (ADR 0051)."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.retrieve.words import FIELD_BOOSTS, FieldBoosts

__all__ = ["RANKING", "RankingParameters"]


@dataclass(frozen=True, slots=True)
class RankingParameters:
    """What each part of a ranking counts for, all dimensionless.

    Attributes:
        boosts: what a word counts for by the field that it stands in.
        dense_factor: what the embedder's own weight of a cosine is multiplied by, >= 0.
        ideal_share: how BM25 is brought to the scale of a cosine, 0..1. 0: by the best score of the candidates. 1: by the score
            that a unit would have that holds every word of the question; then words that are hardly found count for little.
        closeness_named: what a document's closeness counts for beside its passage's score where the question names a document.
        closeness_other: the same where it names none, so that one document does not fill the list.
        likely_other: what the likelihood that a document is meant counts for where the question names none.
    """

    boosts: FieldBoosts = FIELD_BOOSTS
    dense_factor: float = 1.0
    ideal_share: float = 0.0
    closeness_named: float = 0.3
    closeness_other: float = 0.3
    likely_other: float = 1.0


RANKING = RankingParameters()
"""The default of every corpus."""
