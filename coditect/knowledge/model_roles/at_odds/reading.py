"""How the reducer reads a draft for conflicts: whole, or where that is too much the nearest pairs of sentences."""

from __future__ import annotations

from coditect.knowledge.model_roles.agency import Agency
from coditect.knowledge.model_roles.at_odds.pairs import report_pairs
from coditect.knowledge.model_roles.at_odds.sentences import ReportedPair, sentences_of
from coditect.knowledge.model_roles.at_odds.whole import MOST_PARTS, parts_of_corpus, report_whole
from coditect.knowledge.progress import Progress
from coditect.models.port import Embedder
from coditect.store.view import View

__all__ = ["report_at_odds"]


def report_at_odds(agency: Agency, view: View, embedder: Embedder, progress: Progress) -> list[ReportedPair]:
    """Have the reducer read the sentences of a draft, and take what it finds at odds.

    Args:
        agency: asks the reducer; of a corpus that is not read whole about as many pairs as it says.
        view: a draft, of which Tier 1 and the profiles are there.
        embedder: says how near sentences are.
        progress: told as documents are read, sentences compared and answers come.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    sentences = sentences_of(view, progress)
    parts = parts_of_corpus(sentences.told)
    if len(parts) <= MOST_PARTS:
        return report_whole(agency, sentences, parts, progress)
    return report_pairs(agency, sentences, embedder, progress)
