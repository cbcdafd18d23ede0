"""The figures that decide a ranking, chosen so that no family of documents loses by them (ADR 0051)."""

from __future__ import annotations

from dataclasses import dataclass

from coditect.retrieve.spoken import BESIDE
from coditect.retrieve.words import FIELD_BOOSTS, FieldBoosts
from coditect.schemas import Granularity

__all__ = ["RANKING", "RankingParameters"]


UPPER_BOOSTS = FieldBoosts(heading=1.5)
"""Of claims and sections."""


@dataclass(frozen=True, slots=True)
class RankingParameters:
    """What each part of a ranking counts for, all dimensionless.

    Attributes:
        boosts: what a word counts for by the field that it stands in.
        upper_boosts: the same for claims and sections, whose heading is their topic.
        dense_factor: what the embedder's own weight of a cosine is multiplied by, >= 0.
        closeness_named: what a document's closeness counts for beside its passage's score where the question names a document.
        closeness_other: the same where it names none, so that one document does not fill the list.
        likely_other: what the likelihood that a document is meant counts for where the question names none.
        spoken: what a term that everyday words lead to counts for beside a word of the question, and all terms beside the
            meaning of the question (ADR 0072).
        near: what it counts for how near the tokens of a passage come to those of the question, where a corpus is one long
            document; less where its documents are many (ADR 0076).
        read: the same for tokens as the embedder read them in their sentences, where it gives them (ADR 0089).
        elsewhere: what it counts for, beside the cosine, how near a passage of the named document comes to what answers best in
            other documents (ADR 0089).
        said_other: what the share of the question that a document's name says counts for where the question names none (ADR 0068).
    """

    boosts: FieldBoosts = FIELD_BOOSTS
    upper_boosts: FieldBoosts = UPPER_BOOSTS
    dense_factor: float = 1.0
    closeness_named: float = 0.3
    closeness_other: float = 0.1
    likely_other: float = 0.3
    said_other: float = 4.0
    near: float = 1.25
    read: float = 2.5
    elsewhere: float = 0.5
    spoken: float = BESIDE

    def boosts_of(self, granularity: Granularity) -> FieldBoosts:
        """The boosts of a granularity."""
        return self.upper_boosts if granularity in ("section", "corpus") else self.boosts


RANKING = RankingParameters()
"""The default of every corpus."""
