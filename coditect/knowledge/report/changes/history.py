"""How the duties of a corpus changed over time: from generation to generation, or from edition to edition of a document.

Only documents whose words differ are read again. What rests on the changes is not asked for here, so that a history of many
states costs what their changes cost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise

from coditect.errors import UsageError
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.report.changes.comparison import ReadVersion, compare_documents, in_order, paired_documents
from coditect.schemas import DocumentChanges, DocumentVersion, DutyClass, DutyHistory, DutyPoint, Generation
from coditect.store.view import View

__all__ = ["duties_of_editions", "duties_of_generations", "duty_points"]


def duties_of_generations(
    corpus_id: str,
    states: Sequence[Generation],
    view_of: Callable[[int], View],
    documents: Sequence[str] = (),
) -> DutyHistory:
    """What became of the duties of a corpus from each generation to the next.

    Args:
        corpus_id: of the corpus.
        states: the generations, oldest first; at least one.
        view_of: opens a generation by its number.
        documents: names, or patterns with ``*``, that restrict it; passed over between two states that do not know it.
    """
    return DutyHistory(
        corpus_id=corpus_id,
        first=str(states[0].generation),
        last=str(states[-1].generation),
        points=duty_points(states, view_of, documents),
        erased_documents=len({each for state in states for each in view_of(state.generation).erased_entries}),
    )


def duty_points(
    states: Sequence[Generation], view_of: Callable[[int], View], documents: Sequence[str] = ()
) -> tuple[DutyPoint, ...]:
    """A point for each generation but the first. See :func:`duties_of_generations`."""
    points = []
    for former, state in pairwise(states):
        pairs = _differing(view_of(former.generation), view_of(state.generation), documents)
        points.append(_point(state.created_at, str(state.generation), str(former.generation), pairs))
    return tuple(points)


def duties_of_editions(view: View, names: Sequence[str]) -> DutyHistory:
    """What became of the duties from each edition of a document to the next, in one generation.

    Args:
        view: the generation.
        names: of the editions, or patterns with ``*``. They are put in the order of the days from which they bind, or of their own
            dates; where one has neither, they stand as they are named, and those of a pattern by name.

    Raises:
        NotFound: no document is called so.
        UsageError: there is one edition only, which has nothing before it.
    """
    found: dict[str, DocumentVersion] = {}
    for name in names:
        matching = (view.documents[each] for each in matching_documents(view, (name,)))
        found |= {each.document_id: each for each in sorted(matching, key=lambda each: each.name)}
    editions = list(found.values())
    if len(editions) < 2:
        raise UsageError(
            "one edition has no history", edition=editions[0].name, hint="Name the others, or a pattern as 'rule-*'."
        )
    days = {each.document_id: _day(view, each.document_id) for each in editions}
    if all(days.values()):
        editions.sort(key=lambda each: (days[each.document_id], each.name))
    points = [
        _point(days[new.document_id], new.name, old.name, [(ReadVersion(view, old), ReadVersion(view, new))])
        for old, new in pairwise(editions)
    ]
    return DutyHistory(corpus_id=view.corpus_id, first=editions[0].name, last=editions[-1].name, points=tuple(points))


def _day(view: View, document_id: str) -> str:
    """From when on a document binds; else its own date; "" where neither is known."""
    profile = view.profiles.get(document_id)
    fact = (profile.effective_from or profile.date) if profile is not None else None
    return fact.value if fact is not None else ""


def _differing(
    before: View, after: View, documents: Sequence[str]
) -> Iterator[tuple[ReadVersion | None, ReadVersion | None]]:
    """The documents that came, went, or have other words."""
    wanted = [name for name in documents if _knows(before, name) or _knows(after, name)]
    if documents and not wanted:
        return
    for old, new in paired_documents(before, after, wanted):
        if old is None or new is None or old.text_sha256 != new.text_sha256:
            yield ReadVersion(before, old) if old else None, ReadVersion(after, new) if new else None


def _knows(view: View, name: str) -> bool:
    return any(name == key or fnmatchcase(each.name, name) for key, each in view.documents.items())


def _point(
    at: str, state: str, former: str, pairs: Iterable[tuple[ReadVersion | None, ReadVersion | None]]
) -> DutyPoint:
    told: Counter[DutyClass] = Counter()
    documents: list[DocumentChanges] = []
    for old, new in pairs:
        found = compare_documents(old, new, 1)
        if found.status == "changed" and not found.changes:
            continue  # another file with the same provisions
        told.update(found.duties)
        documents.append(found.model_copy(update={"changes": ()}))
    return DutyPoint(at=at, state=state, former=former, duties=in_order(told), documents=tuple(documents))
