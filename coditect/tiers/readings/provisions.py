"""The provisions of a document, each to be read as a whole: a sentence by itself, or a lead-in with its items and tail.

Consecutive provisions go together in parts of a bounded size. Where a part ends is told by the words themselves (content-defined
chunking, as in LBFS: Muthitacharoen et al. 2001): a changed sentence changes its own part and leaves those behind it as they were,
so that nothing else has to be read again.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.documents.structure.lists import NOWHERE, Lists
from coditect.language.marks import SpanLike, trim
from coditect.tiers.readings.told import Place

__all__ = [
    "LONGEST_SENTENCE",
    "MOST_CHARS",
    "MOST_SENTENCES",
    "ReadProvision",
    "own_words",
    "provisions_of",
    "put_together",
]

MOST_CHARS = 6_000
"""Code points of the sentences that are read together, at most; a list that is longer is read sentence by sentence."""

MOST_SENTENCES = 40
"""Sentences that are read together, at most."""

LONGEST_SENTENCE = 5_000
"""Code points from which on a sentence is none: rules do not read it, either."""

_LEAST_CHARS = 2_500
"""Code points from which on the words decide whether a part ends."""

_ONE_IN = 4
"""One provision in so many ends a part, once that is long enough."""

_LETTERS = re.compile(r"[^\W\d_]{2}")
_JOINT = re.compile(r"\s*(?:[:;,—–]\s*(?:and/or|and|or|but)?|(?<=\S)\s(?:and/or|and|or))?[\s:;,—–]*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadProvision:
    """Sentences that are one norm or belong together.

    Attributes:
        sentences: their indexes, in order; at least one.
        above: the indexes of sentences outside that lead into it, outermost first.
    """

    sentences: tuple[int, ...]
    above: tuple[int, ...] = ()


def provisions_of(
    text: str, sentences: Sequence[SpanLike], lists: Lists, headings: Sequence[SpanLike]
) -> Iterator[ReadProvision]:
    """All provisions of a document that can say anything, in the order of their first sentences.

    Args:
        text: the text as it is read.
        sentences: its sentences.
        lists: its lists.
        headings: spans of its headings, in order; no item of a list is one.
    """
    starts = [heading.start for heading in headings]
    own: dict[int, list[int]] = {}
    for index, sentence in enumerate(sentences):
        start, end = trim(text, sentence.start, sentence.end)
        if not _is_readable(text, start, end):
            continue
        place = lists.places[index]
        at = bisect_right(starts, start) - 1
        if at >= 0 and end <= headings[at].end and place.item_of == NOWHERE:
            continue
        number = next((n for n in (place.leads, place.item_of, place.tail_of, place.within) if n != NOWHERE), NOWHERE)
        while number != NOWHERE and lists.lists[number].parent != NOWHERE:
            number = lists.lists[number].parent
        own.setdefault(-1 - index if number == NOWHERE else number, []).append(index)
    for whole in sorted(own.values()):
        yield from _pieces(sentences, lists, whole, ())


def _pieces(
    sentences: Sequence[SpanLike], lists: Lists, whole: Sequence[int], above: tuple[int, ...]
) -> Iterator[ReadProvision]:
    """A list as one provision; one that is too long as its lead-in, and each item with all inside it."""
    size = sum(sentences[index].end - sentences[index].start for index in whole)
    number = lists.places[whole[0]].leads
    if size <= MOST_CHARS and len(whole) <= MOST_SENTENCES:
        yield ReadProvision(tuple(whole), above)
    elif number == NOWHERE:
        yield from (ReadProvision((index,), above) for index in whole)
    else:
        yield ReadProvision((whole[0],), above)
        each, groups = lists.lists[number], dict[int, list[int]]()
        for index in whole[1:]:
            groups.setdefault(bisect_right(each.items, index) if index != each.tail else NOWHERE, []).append(index)
        for group in sorted(groups.values()):
            yield from _pieces(sentences, lists, group, (*above, whole[0]))


def put_together(
    text: str, sentences: Sequence[SpanLike], provisions: Sequence[ReadProvision]
) -> Iterator[tuple[ReadProvision, ...]]:
    """Consecutive provisions in parts that are read together.

    Args:
        text: the text as it is read.
        sentences: its sentences.
        provisions: in order.
    """
    part: list[ReadProvision] = []
    size = count = 0
    for each in provisions:
        own = [sentences[index] for index in each.sentences]
        more = sum(sentence.end - sentence.start for sentence in own)
        if part and (size + more > MOST_CHARS or count + len(own) > MOST_SENTENCES):
            yield tuple(part)
            part, size, count = [], 0, 0
        part.append(each)
        size, count = size + more, count + len(own)
        if size >= _LEAST_CHARS and _ends(text[own[-1].start : own[-1].end]):
            yield tuple(part)
            part, size, count = [], 0, 0
    if part:
        yield tuple(part)


def _ends(words: str) -> bool:
    """Whether a part ends behind these words: the same answer for the same words, wherever they stand."""
    return hashlib.sha256(" ".join(words.split()).encode("utf-8", "replace")).digest()[0] % _ONE_IN == 0


def _is_readable(text: str, start: int, end: int) -> bool:
    return 0 < end - start <= LONGEST_SENTENCE and _LETTERS.search(text, start, end) is not None


def own_words(text: str, start: int, end: int) -> Place:
    """A span without the marks that stand at its end only because something follows: ":", "; and"."""
    stop = _JOINT.search(text, start, end)
    return trim(text, start, stop.start() if stop else end)
