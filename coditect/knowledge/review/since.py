"""What came since a decision on a row was made: only there can another sentence stand beside what was signed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from coditect.schemas import TreeEntry
from coditect.schemas.crosswalk import CrosswalkRow
from coditect.store.generations import generations
from coditect.store.view import View, open_view

__all__ = ["changed_since", "with_uncompared"]


def changed_since(view: View, at: str) -> frozenset[str]:
    """Names of the documents of a generation that came, or were read anew, since a moment.

    Args:
        view: the generation.
        at: the moment, RFC 3339, UTC. A build of the same second counts as a later one.

    Returns:
        All of them, where no generation of before is left to compare with; empty where builds since changed no document.
    """
    before = _before(view, at)
    return frozenset(
        view.documents[document_id].name
        for document_id, entry in view.entries.items()
        if _read(before.get(document_id)) != _read(entry)
    )


def _before(view: View, at: str) -> Mapping[str, TreeEntry]:
    former = [each.generation for each in generations(view.store, view.corpus_id) if each.created_at < at]
    return open_view(view.store, view.corpus_id, former[-1]).entries if former else {}


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
    found = []
    for row in rows:
        if row.decided is None:
            found.append(row)
            continue
        framework = framework_view.corpus_id != view.corpus_id and changed_since(framework_view, row.decided.at)
        unseen = frozenset(others) if framework else changed_since(view, row.decided.at) & frozenset(others)
        found.append(row.model_copy(update={"not_compared": tuple(sorted(unseen))}))
    return tuple(found)
