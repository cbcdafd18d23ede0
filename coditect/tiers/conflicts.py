"""Pairs of statements in different documents that ask for different things in nearly the same words.

Two kinds: the same verb with another *measure* (24 hours against 72 hours), and the same verb with another *modality* (must
against may). Statements are compared by the content words that they share, weighted by how rare these are among the statements
that could be meant; what passes is a difference worth a look, with both quotes beside it, not a verdict on who is right.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from coditect.schemas import Chunk, Measure, SelectedSentence
from coditect.text.terms import terms

__all__ = ["CONFLICTS_VERSION", "Conflict", "Statement", "find_conflicts"]

CONFLICTS_VERSION = "conflicts/1"

MOST = 24
"""Conflicts of a corpus, the closest pairs first; at most two for a pair of documents and a verb."""

MEASURE_SIMILARITY = 0.45
MODALITY_SIMILARITY = 0.6
SHARED = 2
"""Content words that both statements must have besides the verb."""

GROUP = 1500
"""Statements about one verb that are compared with each other; beyond it only those with a neighbour by their rarest words."""

_MODAL = frozenset(terms("shall must may not should will can required requires policy within least"))


@dataclass(frozen=True, slots=True)
class Statement:
    """A selected sentence in its place."""

    chunk: Chunk
    sentence: SelectedSentence

    @property
    def place(self) -> tuple[str, int]:
        """(document id, first code point)."""
        return self.chunk.document_id, self.sentence.char_start


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two statements that differ.

    Attributes:
        kind: the measure's kind, or "modality".
        head: stem of the verb.
        first: the statement that comes first by document id.
        second: the other.
        first_says: words that differ, as printed in the first.
        second_says: the same of the second.
        similarity: 0..1.
    """

    kind: str
    head: str
    first: Statement
    second: Statement
    first_says: str
    second_says: str
    similarity: float


@dataclass(frozen=True, slots=True)
class _Entry:
    statement: Statement
    says: str
    value: float | str
    words: frozenset[str]


def find_conflicts(chunks: Iterable[Chunk]) -> tuple[Conflict, ...]:
    """Conflicts of a corpus, closest first; a function of the set of chunks."""
    measures: dict[tuple[str, str], list[_Entry]] = defaultdict(list)
    duties: dict[str, list[_Entry]] = defaultdict(list)
    for chunk in chunks:
        for sentence in chunk.selected_sentences:
            if not sentence.measures and not sentence.duties:
                continue
            statement = Statement(chunk, sentence)
            words = frozenset(term for term in terms(sentence.text) if term not in _MODAL and not term[0].isdigit())
            for measure in _one_of_each(sentence.measures):
                key = (measure.kind, measure.head)
                measures[key].append(_Entry(statement, measure.text, measure.value, words - {measure.head}))
            for duty in {(d.head, d.kind, d.strength): d for d in sentence.duties if d.head}.values():
                stance = "may" if duty.kind == "permission" else "not" if duty.kind == "prohibition" else duty.strength
                duties[duty.head].append(_Entry(statement, sentence.text, stance, words - {duty.head}))
    found = [c for (kind, head), group in measures.items() for c in _pairs(kind, head, group, MEASURE_SIMILARITY)]
    found += [c for head, group in duties.items() for c in _pairs("modality", head, group, MODALITY_SIMILARITY)]
    return _best(found)


def _one_of_each(measures: Sequence[Measure]) -> list[Measure]:
    """Measures of kinds that a sentence fixes once: where it fixes two, it is not plain which one is meant."""
    counts = Counter((measure.kind, measure.head) for measure in measures)
    return [measure for measure in measures if counts[measure.kind, measure.head] == 1]


def _pairs(kind: str, head: str, group: list[_Entry], threshold: float) -> list[Conflict]:
    if len({entry.statement.chunk.document_id for entry in group}) < 2 or len({entry.value for entry in group}) < 2:
        return []
    ordered = sorted(group, key=lambda entry: (*entry.statement.place, entry.says))
    counts = Counter(word for entry in ordered for word in entry.words)
    idf = {word: math.log(1.0 + len(ordered) / count) for word, count in counts.items()}
    found = []
    for a, b in _neighbours(ordered, counts):
        first, second = ordered[a], ordered[b]
        if first.statement.chunk.document_id == second.statement.chunk.document_id or not _differ(kind, first, second):
            continue
        shared = first.words & second.words
        if len(shared) < SHARED:
            continue
        weight = min(_weight(first.words, idf), _weight(second.words, idf))
        similarity = round(_weight(shared, idf) / weight, 4) if weight else 0.0
        if similarity >= threshold:
            says = (first.says, second.says)
            found.append(Conflict(kind, head, first.statement, second.statement, *says, similarity))
    return found


def _weight(words: frozenset[str], idf: dict[str, float]) -> float:
    return math.fsum(idf[word] for word in words)


def _differ(kind: str, first: _Entry, second: _Entry) -> bool:
    if kind == "modality":
        # Must against must not, or a duty against a mere option; "should" against "may" is no conflict.
        return {first.value, second.value} in ({"mandatory", "not"}, {"mandatory", "may"}, {"mandatory", "recommended"})
    return first.value != second.value


def _neighbours(entries: list[_Entry], counts: Counter[str]) -> Iterable[tuple[int, int]]:
    if len(entries) <= GROUP // 5:
        return ((a, b) for a in range(len(entries)) for b in range(a + 1, len(entries)))
    by_word: dict[str, list[int]] = defaultdict(list)
    for index, entry in enumerate(entries):
        for word in sorted(entry.words, key=lambda each: (counts[each], each))[:4]:
            by_word[word].append(index)
    pairs = set()
    for members in by_word.values():
        if len(members) <= GROUP // 10:
            pairs |= {(a, b) for i, a in enumerate(members) for b in members[i + 1 :]}
    return sorted(pairs)


def _best(found: list[Conflict]) -> tuple[Conflict, ...]:
    found.sort(key=lambda c: (-c.similarity, c.kind, c.head, c.first.place, c.second.place))
    kept: list[Conflict] = []
    seen: Counter[tuple[str, ...]] = Counter()
    for conflict in found:
        between = (conflict.kind, conflict.head, conflict.first.chunk.document_id, conflict.second.chunk.document_id)
        sides = [("side", *map(str, statement.place)) for statement in (conflict.first, conflict.second)]
        if seen[between] < 2 and all(seen[side] < 3 for side in sides):
            kept.append(conflict)
            seen.update([between, *sides])
        if len(kept) == MOST:
            break
    return tuple(kept)
