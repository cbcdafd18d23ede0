"""What came since a decision on a row was made: only there can another sentence stand beside what was signed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from coditect.schemas import TreeEntry
from coditect.schemas.crosswalk import CrosswalkRow
from coditect.store.generations import generations
from coditect.store.view import View, open_view

__all__ = ["DocumentsSince", "with_uncompared"]


class DocumentsSince:
    """What of a generation came, or was read anew, since a moment; each generation of before is opened once.

    Args:
        view: the generation.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._former = [(each.created_at, each.generation) for each in generations(view.store, view.corpus_id)]
        self._changed: dict[int | None, frozenset[str]] = {}

    def changed(self, at: str) -> frozenset[str]:
        """Names of the documents that came or were read anew.

        Args:
            at: the moment, RFC 3339, UTC. A build of the same second counts as a later one.

        Returns:
            All of them, where no generation of before is left to compare with; empty where builds since changed no document.
        """
        before = [generation for created_at, generation in self._former if created_at < at]
        last = before[-1] if before else None
        if last not in self._changed:
            self._changed[last] = self._changed_after(last)
        return self._changed[last]

    def _changed_after(self, generation: int | None) -> frozenset[str]:
        view = self._view
        before = {} if generation is None else open_view(view.store, view.corpus_id, generation).entries
        return frozenset(
            view.documents[document_id].name
            for document_id, entry in view.entries.items()
            if _read(before.get(document_id)) != _read(entry)
        )


def _read(entry: TreeEntry | None) -> tuple[str, ...]:
    return () if entry is None else (entry.version_id, *entry.extractions)


def with_uncompared(
    rows: Sequence[CrosswalkRow], view: View, framework_view: View, others: Collection[str]
) -> tuple[CrosswalkRow, ...]:
    """Rows of a crosswalk of some documents, each with a decision that counts told which others may hold a further sentence.

    Args:
        rows: with the decisions that count.
        view: the generation of the documents.
        framework_view: the generation that holds the framework. Where it changed, any other document may speak to it anew.
        others: names of the documents that were not compared.
    """
    own, rules, found = DocumentsSince(view), DocumentsSince(framework_view), []
    for row in rows:
        if row.decided is None:
            found.append(row)
            continue
        framework = framework_view.corpus_id != view.corpus_id and rules.changed(row.decided.at)
        unseen = frozenset(others) if framework else own.changed(row.decided.at) & frozenset(others)
        found.append(row.model_copy(update={"not_compared": tuple(sorted(unseen))}))
    return tuple(found)
