"""Present: what a question has to know of a corpus as it is at this moment, read in one transaction.

On a cluster each transaction first asks for a version to read at, which costs as much as reading.
"""

from __future__ import annotations

from dataclasses import dataclass

from coditect.engine.port import Transaction
from coditect.schemas import Corpus
from coditect.store.intake.erasures import erased_since
from coditect.store.store import Store

__all__ = ["PresentCorpus", "present_corpus"]


@dataclass(frozen=True, slots=True)
class PresentCorpus:
    """A corpus at one moment.

    Attributes:
        corpus: its record.
        erased: how far its erasures are (:func:`~coditect.store.intake.erasures.erased_since`).
        is_calibrated: whether anybody ever switched it to figures of its own.
    """

    corpus: Corpus
    erased: str
    is_calibrated: bool


def present_corpus(store: Store, corpus_id: str) -> PresentCorpus:
    """A corpus as it is now.

    Raises:
        NotFound: no such corpus; the hint names those that there are.
        Corrupt: its record was changed.
    """
    erasures, switches = (store.keys.bounds(table, corpus_id) for table in ("erasures", "switches"))

    def read(transaction: Transaction) -> tuple[Corpus | None, bool, bool]:
        erased, switched = (bool(transaction.range(*each, limit=1).rows) for each in (erasures, switches))
        return store.read_record(transaction, "corpus", Corpus, corpus_id), erased, switched

    corpus, is_erased, is_calibrated = store.engine.read(read)
    if corpus is None:
        corpus = store.corpus(corpus_id)  # which tells of those that there are
    return PresentCorpus(corpus, erased_since(store, corpus_id) if is_erased else "", is_calibrated)
