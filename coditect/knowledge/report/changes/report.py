"""The changes of a corpus: every document that differs, and the work list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coditect.knowledge.report.changes.comparison import (
    ReadVersion,
    compare_documents,
    document_named,
    paired_documents,
)
from coditect.knowledge.report.changes.impact import ComparedDocument, affected_items
from coditect.models.port import Embedder, TokenVectors
from coditect.schemas import CorpusChanges, DocumentChanges, DocumentVersion
from coditect.store.view import View

__all__ = ["ComparedStates", "compared_documents", "compared_states"]


@dataclass(frozen=True, slots=True)
class ComparedStates:
    """Two states of a corpus, held against each other.

    Attributes:
        after: the later one.
        compared: the documents that changed, with both versions as they are read.
        changes: what differs, and the work list.
    """

    after: View
    compared: tuple[ComparedDocument, ...]
    changes: CorpusChanges


def compared_states(
    before: View,
    after: View,
    *,
    documents: Sequence[str] = (),
    today: str,
    embedder: Embedder | None = None,
    words: TokenVectors | None = None,
) -> ComparedStates:
    """What differs between two generations of a corpus, provision by provision, and what rests on it.

    Args:
        before: the earlier generation.
        after: the later one.
        documents: names, or patterns with ``*``, that restrict it; none: all.
        today: the day on which decisions are in force, ISO 8601.
        embedder: links sentences of other documents to provisions by meaning, too; None: by words alone.
        words: links them word for word, too; None: it does not.
    Raises:
        NotFound: no document is called so in either.
    """
    pairs = list(paired_documents(before, after, documents))
    differing = [(a, b) for a, b in pairs if a is None or b is None or a.version_id != b.version_id]
    return _changes(before, after, differing, len(pairs) - len(differing), today, embedder, words)


def compared_documents(
    view: View,
    old: str,
    new: str,
    *,
    today: str,
    embedder: Embedder | None = None,
    words: TokenVectors | None = None,
) -> ComparedStates:
    """What differs between two documents of one generation: two editions of a framework under names of their own.

    Args:
        view: the generation.
        old: name of the earlier edition.
        new: name of the later one.
        today: the day on which decisions are in force, ISO 8601.
        embedder: links sentences of other documents to provisions by meaning, too; None: by words alone.
        words: links them word for word, too; None: it does not.
    Raises:
        NotFound: no document, or several, are called so.
    """
    return _changes(view, view, [(document_named(view, old), document_named(view, new))], 0, today, embedder, words)


def _changes(
    before: View,
    after: View,
    pairs: Sequence[tuple[DocumentVersion | None, DocumentVersion | None]],
    unchanged: int,
    today: str,
    embedder: Embedder | None,
    words: TokenVectors | None,
) -> ComparedStates:
    documents: list[DocumentChanges] = []
    compared: list[ComparedDocument] = []
    number = 1
    for old, new in pairs:
        sides = ReadVersion(before, old) if old else None, ReadVersion(after, new) if new else None
        found = compare_documents(*sides, number)
        number += len(found.changes)
        if found.status == "changed" and not found.changes and not found.former:
            unchanged += 1  # another file with the same words
            continue
        documents.append(found)
        if sides[0] is not None and sides[1] is not None and found.changes:
            compared.append(ComparedDocument(sides[0], sides[1], found))
    changes = CorpusChanges(
        corpus_id=after.corpus_id,
        before=before.generation,
        after=after.generation,
        documents=tuple(documents),
        unchanged_documents=unchanged,
        erased_documents=len(before.erased_entries.keys() | after.erased_entries.keys()),
        affected=affected_items(before, after, compared, today, embedder, words) if compared else (),
    )
    return ComparedStates(after, tuple(compared), changes)
