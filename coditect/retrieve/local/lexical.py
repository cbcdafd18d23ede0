"""One granularity of one generation as a tantivy index: BM25 with English stemming, and filters before ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import tantivy

from coditect.language.matched import as_matched
from coditect.retrieve.lookup.numbers import printed_numbers
from coditect.retrieve.port import Filter, Match, unit_number
from coditect.retrieve.units import Unit
from coditect.retrieve.words import FIELD_BOOSTS, FieldBoosts, Words

__all__ = ["LEXICAL", "Fields", "LexicalIndex", "LexicalWriter", "WordRanking", "fields_of"]

LEXICAL = "tantivy/4"
"""Version of the index layout; a replica of another one is made anew."""

_HEAP_BYTES = 60_000_000
_TIES = 30
_PRECISION = 10_000
"""Scores are told apart to four decimals: the last bits depend on the order in which they are summed."""

_MOST_CLAUSES = 1_000
"""Values that are looked up one by one; more of them are met by walking through all values that there are."""

_MOST_COUNTED = 10_000

KEPT_FREQUENCIES = 32_768
"""Stems of which it is kept in memory how many units hold them, 200 bytes each: an index never changes while it is read."""

Fields = tuple[dict[str, str | list[str]], int]
"""The fields of a unit by name, and its number."""

_RAW = ("document", "kind", "modality", "entity", "chunk", "listed", "number")


@dataclass(frozen=True, slots=True)
class WordRanking:
    """Units that hold some of the words, best first.

    Attributes:
        numbers: of the units (:func:`~coditect.retrieve.port.unit_number`), shape (n,).
        scores: BM25, shape (n,), > 0.
    """

    numbers: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]

    def settled(self, limit: int, names: Callable[[Sequence[int]], Sequence[str]]) -> list[tuple[int, float]]:
        """(number, score) of the best, whatever the order in which they were indexed.

        Args:
            limit: how many.
            names: the item ids of numbers. Equal scores, to four decimals, stand in the order of ids; only they are named.
        """
        levels = np.rint(self.scores * _PRECISION)  # tantivy's order: none is higher than the one before
        numbers = self.numbers.copy()
        edges = [0, *(np.flatnonzero(levels[1:] != levels[:-1]) + 1).tolist(), len(levels)]
        tied = [(first, after) for first, after in pairwise(edges) if after - first > 1 and first < limit]
        among = [number for first, after in tied for number in numbers[first:after].tolist()]
        name = dict(zip(among, names(among), strict=True))
        for first, after in tied:
            numbers[first:after] = sorted(numbers[first:after].tolist(), key=name.__getitem__)
        return list(zip(numbers[:limit].tolist(), (levels[:limit] / _PRECISION).tolist(), strict=True))

    def among(self, chosen: npt.NDArray[np.bool_], limit: int) -> WordRanking:
        """Those chosen, at most as many as a search for ``limit`` gives.

        Args:
            chosen: shape (n,).
            limit: how many are wanted.
        """
        at = np.flatnonzero(chosen)[: limit + _TIES]
        return WordRanking(self.numbers[at], self.scores[at])


NOTHING = WordRanking(np.zeros(0, np.int64), np.zeros(0, np.float64))


def _schema() -> Any:  # noqa: ANN401 - tantivy ships no types
    builder = tantivy.SchemaBuilder()
    for name in ("item_id", "document_id"):
        builder.add_text_field(name, stored=True, tokenizer_name="raw", index_option="basic")
    for name in _RAW:
        builder.add_text_field(name, stored=False, tokenizer_name="raw", index_option="basic")
    for name in FIELD_BOOSTS.as_dict():
        builder.add_text_field(name, stored=False, tokenizer_name="en_stem", index_option="position")
    builder.add_integer_field("unit", stored=False, indexed=True, fast=True)
    return builder.build()


class LexicalIndex:
    """A full-text index that lies in a folder.

    Args:
        folder: made by :meth:`make`.
    Raises:
        ValueError: there is no index, or a damaged one.
    """

    def __init__(self, folder: Path) -> None:
        self._schema = _schema()
        self._index = tantivy.Index.open(str(folder))
        # A replica never changes once it is in its place: nothing has to watch its files, and no lock file is made beside them.
        self._index.config_reader(reload_policy="manual")
        self._last: tuple[Words, FieldBoosts, Any] | None = None
        self._frequency = lru_cache(KEPT_FREQUENCIES)(self._counted)

    @classmethod
    def make(cls, folder: Path) -> LexicalIndex:
        """A new index without units, in a folder that is made."""
        folder.mkdir(parents=True)
        tantivy.Index(_schema(), path=str(folder))
        return cls(folder)

    def writer(self, without_documents: Iterable[str] = ()) -> LexicalWriter:
        """A change to the index, in one commit, that begins by removing all units of some documents."""
        return LexicalWriter(self._index, without_documents, self._frequency.cache_clear)

    def __len__(self) -> int:
        return int(self._index.searcher().num_docs)

    def search(
        self, words: Words, limit: int, *, boosts: FieldBoosts = FIELD_BOOSTS, only: Filter | None = None
    ) -> list[Match]:
        """The best units for words and phrases, best first.

        Args:
            words: what is looked for.
            limit: how many.
            boosts: of the fields.
            only: what may answer; applied before ranking.
        """
        if not words:
            return []
        query = self._query(words, boosts)
        return self._matches(query if only is None else _both(query, self._filter(only)), limit)

    def ranked(
        self,
        words: Words,
        limit: int,
        *,
        boosts: FieldBoosts = FIELD_BOOSTS,
        only: Filter | None = None,
        units: Sequence[int] = (),
    ) -> WordRanking:
        """The best units by number alone, which saves reading their ids: up to 30 more, since many may equal the last.

        Args:
            words: what is looked for.
            limit: how many.
            boosts: of the fields.
            only: what may answer.
            units: numbers of units that may answer beside what ``only`` lets through.
        """
        if not words:
            return NOTHING
        query = self._query(words, boosts)
        if only is not None:
            condition = self._filter(only)
            if units:
                should = tantivy.Occur.Should
                condition = tantivy.Query.boolean_query([(should, condition), (should, self._any("unit", units))])
            query = _both(query, condition)
        return self._ranking(query, limit + _TIES)

    def scores(self, words: Words, units: Sequence[int], *, boosts: FieldBoosts = FIELD_BOOSTS) -> WordRanking:
        """BM25 of chosen units; those without any of the words are left out.

        Args:
            words: what is looked for.
            units: their numbers (:func:`~coditect.retrieve.port.unit_number`).
            boosts: of the fields.
        """
        if not words or not units:
            return NOTHING
        return self._ranking(_both(self._query(words, boosts), self._any("unit", units)), len(units))

    def titled(self, worth: Mapping[str, float], limit: int) -> WordRanking:
        """Units by the words of their titles alone, up to 30 more than asked for.

        Args:
            worth: what each stem counts for, > 0, once, whatever stands beside it: names are too short for BM25 to tell them apart.
            limit: how many.
        """
        should = tantivy.Occur.Should
        parts = []
        for stem, value in worth.items():
            term = tantivy.Query.term_query(self._schema, "title", stem, index_option="basic")
            parts.append((should, tantivy.Query.const_score_query(term, value)))
        return self._ranking(tantivy.Query.boolean_query(parts), limit + _TIES) if parts else NOTHING

    def names(self, number: int) -> tuple[str, str]:
        """(item id, document id) of a unit.

        Raises:
            ValueError: it is not here.
        """
        searcher = self._index.searcher()
        hits = searcher.search(self._any("unit", [number]), 1, count=False).hits
        if not hits:
            raise ValueError("the index does not hold this unit")
        stored = searcher.doc(hits[0][1])
        return str(stored.get_first("item_id")), str(stored.get_first("document_id"))

    def numbered(self, number: str, only: Filter | None = None) -> list[Match]:
        """Units that print the number of a provision at the beginning of a line, at most 1,000, in the order of their ids.

        Args:
            number: a key of :func:`coditect.retrieve.lookup.numbers.printed_numbers`.
            only: what may answer.
        """
        query = tantivy.Query.const_score_query(self._any("number", [number]), 1.0)
        return self._matches(query if only is None else _both(query, self._filter(only)), _MOST_CLAUSES)

    def frequency(self, field: str, stem: str) -> int:
        """How many units hold a stem in a field."""
        return self._frequency(field, stem)

    def _counted(self, field: str, stem: str) -> int:
        return int(self._index.searcher().doc_freq(field, stem))

    def saying(self, phrase: Sequence[str]) -> int:
        """How many units have some stems side by side in their own text."""
        if len(phrase) < 2:
            return self.frequency("text", phrase[0]) if phrase else 0
        near = tantivy.Query.phrase_query(self._schema, "text", list(phrase))
        found: Any = self._index.searcher().search(near, 1, count=True)
        return int(found.count)

    def allowed(self, only: Filter) -> npt.NDArray[np.int64]:
        """Numbers of the units that a filter lets through, increasing."""
        searcher = self._index.searcher()
        passing = tantivy.Query.const_score_query(self._filter(only), 0.0)
        hits = searcher.search(passing, max(int(searcher.num_docs), 1), count=False).hits
        numbers = searcher.fast_field_values("unit", [address for _, address in hits])
        return np.sort(np.asarray(numbers, dtype=np.int64))

    def _query(self, words: Words, boosts: FieldBoosts) -> Any:  # noqa: ANN401 - as above
        """Kept for the next search: one question asks with the same words for the best units and for the scores of others."""
        last = self._last
        if last is None or last[0] is not words or last[1] is not boosts:
            last = self._last = (words, boosts, self._made(words, boosts))
        return last[2]

    def _made(self, words: Words, boosts: FieldBoosts) -> Any:  # noqa: ANN401 - as above
        should = tantivy.Occur.Should
        parts = []
        for name, boost in boosts.as_dict().items():
            if boost <= 0:
                continue
            for stem, weight in words.weights.items():
                term = tantivy.Query.term_query(self._schema, name, stem, index_option="freq")
                parts.append((should, tantivy.Query.boost_query(term, boost * weight)))
            for phrase in words.phrases:
                near = tantivy.Query.phrase_query(self._schema, name, list(phrase))
                parts.append((should, tantivy.Query.boost_query(near, boost * words.phrase_weight(phrase))))
        return tantivy.Query.boolean_query(parts)

    def _filter(self, only: Filter) -> Any:  # noqa: ANN401 - as above
        parts = []
        for name, values in only.fields():
            if values is not None:
                parts.append((tantivy.Occur.Must, self._any(name, sorted(values))))
        return tantivy.Query.boolean_query(parts) if parts else tantivy.Query.all_query()

    def _any(self, field: str, values: Sequence[str] | Sequence[int]) -> Any:  # noqa: ANN401 - as above
        """A query for units whose field has one of some values."""
        if not 0 < len(values) <= _MOST_CLAUSES:
            return tantivy.Query.term_set_query(self._schema, field, list(values))
        terms = [tantivy.Query.term_query(self._schema, field, each, index_option="basic") for each in values]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, term) for term in terms])

    def _ranking(self, query: Any, limit: int) -> WordRanking:  # noqa: ANN401 - as above
        searcher = self._index.searcher()
        hits = searcher.search(query, limit, count=False).hits
        if not hits:
            return NOTHING
        scores, addresses = zip(*hits, strict=True)
        numbers = searcher.fast_field_values("unit", list(addresses))
        return WordRanking(np.asarray(numbers, np.int64), np.asarray(scores, np.float64))

    def _matches(self, parsed: Any, limit: int) -> list[Match]:  # noqa: ANN401 - as above
        searcher = self._index.searcher()
        hits = [
            (round(score, 4), address) for score, address in searcher.search(parsed, limit + _TIES, count=False).hits
        ]
        # tantivy's order: none is higher than the one before. What is lower than the last that is wanted needs no id.
        least = hits[limit - 1][0] if len(hits) > limit else 0.0
        found = []
        for score, address in hits:
            if score < least:
                break
            stored = searcher.doc(address)
            found.append(Match(str(stored.get_first("item_id")), str(stored.get_first("document_id")), score))
        found.sort(key=lambda match: (-match.score, match.item_id))
        return found[:limit]


class LexicalWriter:
    """One change to an index; nothing of it is seen before :meth:`commit`.

    Args:
        index: tantivy's.
        without_documents: documents whose units go.
        done: called when the change is made.
    """

    def __init__(self, index: Any, without_documents: Iterable[str], done: Callable[[], None]) -> None:  # noqa: ANN401 - as above
        self._index = index
        self._done = done
        # One thread and one segment: the order of equal scores does not depend on timing.
        self._writer = index.writer(_HEAP_BYTES, 1)
        for document_id in without_documents:
            self._writer.delete_documents_by_term("document_id", document_id)

    def add(self, units: Iterable[Unit]) -> None:
        """Add units to the change."""
        self.add_fields(map(fields_of, units))

    def add_fields(self, units: Iterable[Fields]) -> None:
        """The same of units whose fields were made before (:func:`fields_of`)."""
        for fields, number in units:
            document = tantivy.Document(**fields)
            document.add_integer("unit", number)
            self._writer.add_document(document)

    def commit(self) -> None:
        """Make the change, and wait until it is on disk."""
        self._writer.commit()
        self._writer.wait_merging_threads()
        self._index.reload()
        self._done()


def fields_of(unit: Unit) -> Fields:
    """What an index holds of a unit; can be sent to another process."""
    fields: dict[str, str | list[str]] = {
        "item_id": unit.item_id,
        "document_id": unit.document_id,
        "title": as_matched(unit.title),
        "heading": as_matched(unit.heading),
        "context": as_matched(unit.context),
        "text": as_matched(unit.text),
        "document": list(unit.documents),
        "kind": list(unit.said.kinds),
        "modality": list(unit.said.modalities),
        "entity": list(unit.said.entities),
        "chunk": list(unit.chunks),
        "listed": ["yes"] if unit.listed else [],
        "number": printed_numbers(unit.text) if unit.document_id not in ("", unit.item_id) else [],
    }
    return fields, unit_number(unit.item_id)


def _both(query: Any, condition: Any) -> Any:  # noqa: ANN401 - as above
    """A query whose score is that of its first part."""
    must = tantivy.Occur.Must
    return tantivy.Query.boolean_query([(must, query), (must, tantivy.Query.const_score_query(condition, 0.0))])
