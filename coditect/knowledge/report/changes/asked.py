"""What a language model is shown of changes: provisions that were amended or removed, beside statements of other documents.

A small corpus is read whole, each statement beside each change: of conflicts in two authors' own words the nearest pairs held a
third, and reading told nearly all (ADR 113). Of a larger one the statements that come nearest to the changes are read, by several
wordings of each: its words before, after, and with what it stands under, by words and by meaning. Figures: ADR 119.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from coditect.agents.roles.at_odds.pairs import AskedStatement
from coditect.agents.roles.fences import one_line
from coditect.agents.roles.on_request.tracer import AskedChange
from coditect.knowledge.report.changes.bearing import Bearing
from coditect.knowledge.report.changes.impact import ComparedDocument, around, resting_provisions
from coditect.knowledge.report.rankings import TextRanking
from coditect.knowledge.report.registers.said import said_in, title_of
from coditect.models.port import Embedder
from coditect.schemas import AffectedItem, ProvisionChange
from coditect.store.view import View
from coditect.tiers.changes.provisions import Provision
from coditect.tiers.findings.standing import Standings

__all__ = [
    "CHANGES_CHARS",
    "MOST_REQUESTS",
    "STATEMENTS_CHARS",
    "PlacedChange",
    "PlacedStatement",
    "Portion",
    "StatementRanks",
    "changes_of",
    "parts_of",
    "portions_of",
    "size_of",
    "statements_of_others",
]

CHANGES_CHARS = 30_000
"""Code points of the changes of one request, about."""

STATEMENTS_CHARS = 60_000
"""Code points of the statements of one request, about; some 25,000 tokens with its changes."""

MOST_REQUESTS = 60
"""Requests of a work list, about: some 1.5 million tokens. A corpus that needs no more is read whole; of a larger one the nearest
statements are read, as many beside each part of the changes as these requests hold."""

_LONGEST_SIDE = 6_000
"""Code points of a provision that are shown, at most."""

_LONGEST_UNDER = 300
_BESIDE = 24
"""Code points of a line beside what it holds."""


@dataclass(frozen=True, slots=True)
class PlacedChange:
    """A change of a document, as it is shown.

    Attributes:
        document: that it is a change of.
        change: the record; its number is that of the list.
        shown: its words, before and after.
    """

    document: ComparedDocument
    change: ProvisionChange
    shown: AskedChange


@dataclass(frozen=True, slots=True)
class PlacedStatement:
    """A sentence, or a row of a table, of another document.

    Attributes:
        document_id: where it stands.
        item_id: the first item of Tier 1 in it.
        place: that a person cites.
        span: (first, last code point) in the text of its document.
        shown: its words, and what they stand under.
    """

    document_id: str
    item_id: str
    place: str
    span: tuple[int, int]
    shown: AskedStatement


@dataclass(frozen=True, slots=True)
class Portion:
    """What one request shows; indices of all changes and all statements, each in order.

    Attributes:
        changes: of its changes.
        statements: of its statements.
    """

    changes: tuple[int, ...]
    statements: tuple[int, ...]


def changes_of(compared: Sequence[ComparedDocument]) -> list[PlacedChange]:
    """The changes that something can rest on: what was amended or removed, and is no heading; a lead-in with its items.

    Args:
        compared: the documents that changed.
    """
    return [each for document in compared for each in _changes(document)]


def _changes(document: ComparedDocument) -> Iterator[PlacedChange]:
    held: dict[int, list[Provision]] = {}
    numbered: dict[int, ProvisionChange] = {}
    for provision, change in resting_provisions(document):
        held.setdefault(change.number, []).append(provision)
        numbered[change.number] = change
    for number, provisions in sorted(held.items()):
        first, *items = provisions
        if first.kind == "heading":
            continue
        change = numbered[number]
        led = "".join(f"\n{each.text}" for each in items)
        before, after = (side.text if side is not None else "" for side in (change.before, change.after))
        under = one_line(around(document.old.provisions, first), _LONGEST_UNDER)
        shown = AskedChange(
            first.place, under, (before + led)[:_LONGEST_SIDE], (after + led if after else "")[:_LONGEST_SIDE]
        )
        yield PlacedChange(document, change, shown)


def statements_of_others(after: View, compared: Sequence[ComparedDocument]) -> list[PlacedStatement]:
    """The sentences of the documents that did not change and may follow from one that did, by document and place.

    Args:
        after: the later generation.
        compared: the documents that changed.
    """
    own = {side.version.document_id for each in compared for side in (each.old, each.new)}
    standings = Standings(after.documents, after.profiles, after.manifest.settings.today or "")
    bearing = Bearing(after)
    found: list[PlacedStatement] = []
    for version in sorted(after.documents.values(), key=lambda each: (each.name, each.document_id)):
        if version.document_id in own or not any(
            bearing.may_rest_on(version.document_id, each.new.version.document_id) for each in compared
        ):
            continue
        text, title = after.text_of(version), title_of(after, version)
        role = standings.role(version.document_id)
        for each in said_in(after, version.document_id, text)[0]:
            shown = AskedStatement(version.name, title, role, each.item.heading, text[each.start : each.end])
            span = each.start, each.end
            found.append(PlacedStatement(version.document_id, each.item.extraction_id, each.item.locator, span, shown))
    return found


def portions_of(
    changes: Sequence[PlacedChange],
    statements: Sequence[PlacedStatement],
    named: Sequence[tuple[int, AffectedItem]],
    embedder: Embedder | None,
) -> list[Portion]:
    """What each request shows, in the order in which they are asked.

    Args:
        changes: of :func:`changes_of`.
        statements: of :func:`statements_of_others`.
        named: (index of a statement, the line) of those that words alone name: they are read beside their changes in any case.
        embedder: finds what is near in meaning; None: words alone do.
    """
    if not changes or not statements:
        return []
    parts = parts_of([size_of(*each.shown.body.values()) for each in changes], CHANGES_CHARS)
    sizes = [size_of(each.shown.heading, each.shown.text) for each in statements]
    whole = parts_of(sizes, STATEMENTS_CHARS)
    if len(parts) * len(whole) <= MOST_REQUESTS:
        return [Portion(some, beside) for some in parts for beside in whole]
    ranks = StatementRanks(statements, embedder)
    room = max(1, MOST_REQUESTS // len(parts)) * STATEMENTS_CHARS
    found = []
    for some in parts:
        numbers = {changes[each].change.number for each in some}
        first = sorted({at for at, line in named if numbers & set(line.changes)})
        near = ranks.nearest([changes[each].shown for each in some])
        order = list(dict.fromkeys((*first, *near)))
        ends = np.cumsum([sizes[each] for each in order])
        chosen = sorted(order[: max(1, int((ends <= room).sum()))])
        beside = parts_of([sizes[each] for each in chosen], STATEMENTS_CHARS)
        found += [Portion(some, tuple(chosen[at] for at in part)) for part in beside]
    return found


class StatementRanks:
    """How near statements come to changes.

    Args:
        statements: at least one.
        embedder: finds what is near in meaning; None: words alone do.
    """

    def __init__(self, statements: Sequence[PlacedStatement], embedder: Embedder | None) -> None:
        texts = [each.shown.text for each in statements]
        self._words = TextRanking([f"{each.shown.heading} {each.shown.text}" for each in statements])
        self._embedder = embedder
        self._vectors = embedder.embed(texts) if embedder is not None else None

    def nearest(self, changes: Sequence[AskedChange]) -> list[int]:
        """All statements, by the best rank that any wording of any of the changes gives them; equal ones in their order."""
        asked = [each.before for each in changes]
        asked += [each.after for each in changes if each.after]
        asked += [f"{each.under} {each.before}" for each in changes]
        best = _best_ranks(self._words.scores(asked))
        if self._embedder is not None and self._vectors is not None:
            near = np.asarray(self._embedder.embed(asked) @ self._vectors.T, np.float64)
            best = np.minimum(best, _best_ranks(near))
        return [int(each) for each in np.argsort(best, kind="stable")]


def _best_ranks(scores: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """The best rank of each column in any row, 0 for the highest score."""
    order = np.argsort(-np.round(scores, 6), axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(scores.shape[1])[None, :], axis=1)
    return np.asarray(ranks.min(axis=0), np.int64)


def size_of(*texts: str) -> int:
    """Code points of a line that holds some texts, about."""
    return sum(map(len, texts)) + _BESIDE


def parts_of(sizes: Sequence[int], limit: int) -> list[tuple[int, ...]]:
    """Indices in their order, in as few parts of about the same size as hold ``limit`` each.

    Args:
        sizes: of what is divided, each >= 1.
        limit: of a part, about.
    """
    target = sum(sizes) / max(1, math.ceil(sum(sizes) / limit))
    parts: list[list[int]] = [[]]
    full = 0
    for index, size in enumerate(sizes):
        if parts[-1] and full + size / 2 > target * len(parts):
            parts.append([])
        parts[-1].append(index)
        full += size
    return [tuple(each) for each in parts]
