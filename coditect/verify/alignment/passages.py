"""A text of evidence as the statements that it makes: its sentences, and its lists read as the sentences that they are.

A list's lead-in says nothing without its items, and an item nothing without its lead-in: "may not disclose it unless:" does not say
that nothing may be disclosed. So neither stands for itself here: they are composed, as Tier 1 composes them
(:mod:`coditect.language.provisions.composed`), and every place in what was composed leads back to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from coditect.documents.sentences import sentences
from coditect.documents.source import SourceText
from coditect.documents.structure.lists import NOWHERE, ItemList, Lists, read_lists
from coditect.documents.structure.outline import root_alone
from coditect.language.provisions.composed import ComposedText, Place
from coditect.language.provisions.inline import find_inline
from coditect.language.provisions.leads import lead_role
from coditect.language.reading.sentence import split_sentences

__all__ = ["MOST_TEXT", "EvidenceStatement", "read_statements"]

MOST_TEXT = 20_000
"""Code points of a text whose lists are looked for; in a longer one only sentences are told apart."""

_MOST_COMPOSED = 4_000
"""Code points of a composed statement, at most."""

_MAY_LIST = re.compile(r"\n\s*(?:\(?\w{1,4}[).]|[-*•·▪●–]|\d+\.\d)|[\s:]\(?(?:a|i|1|A)\)\s")
_LABEL = re.compile(r"\s*(?:\d{1,3}(?:\.\w{1,3})+\.?(?:\(\w{1,4}\))*|\(\w{1,4}\)|\w{1,2}\))(?:\s+|(?=[A-Z]))")


@dataclass(frozen=True, slots=True)
class EvidenceStatement:
    """A sentence of a text, or several pieces of it that are one.

    Attributes:
        text: its words; a sentence verbatim.
        start: where a sentence begins in the text, code points; of a composed one 0.
        composed: of several pieces: the way back to where each stands.
    """

    text: str
    start: int
    composed: ComposedText | None = None

    def place(self, start: int, end: int) -> Place:
        """Where words of the statement stand in the text; of words that run over several pieces, those of the first one."""
        if self.composed is None:
            return self.start + start, self.start + end
        spans = self.composed.spans(start, max(end, start + 1))
        first, last = spans[0] if spans else (self.composed.place(start),) * 2
        return (first, last) if end > start else (first, first)


def read_statements(text: str) -> Iterator[EvidenceStatement]:
    """The statements of a text, in order.

    Args:
        text: a quote or a passage.
    """
    if len(text) > MOST_TEXT or _MAY_LIST.search(text) is None:
        yield from (EvidenceStatement(text[start:end], start) for start, end in split_sentences(text))
        return
    spans = sentences(SourceText(text, "text/plain"), root_alone(text))
    lists = read_lists(text, root_alone(text), spans, {}, frozenset())
    for number, place in enumerate(lists.places):
        own, end = place.own, spans[number].end
        if place.leads != NOWHERE:
            if place.item_of == NOWHERE:
                yield from _of_list(text, place.leads, lists, [span.end for span in spans])
        elif place.item_of == NOWHERE and place.tail_of == NOWHERE:
            yield from _of_sentence(text, own, end)


def _of_sentence(text: str, start: int, end: int) -> Iterator[EvidenceStatement]:
    """A sentence by itself, or with each item of the list inside of it."""
    inline = find_inline(text, start, end)
    if inline is None:
        label = _LABEL.match(text, start, end)
        begin = label.end() if label and label.end() < end else start
        yield from (
            EvidenceStatement(text[begin + lo : begin + hi], begin + lo) for lo, hi in split_sentences(text[begin:end])
        )
        return
    lead, items, connective = inline
    yield from _composed(text, [lead], items, [], connective)


def _of_list(text: str, number: int, lists: Lists, ends: list[int]) -> Iterator[EvidenceStatement]:
    """The statements of a list and of the lists inside of it."""

    def own(index: int) -> Place:
        return lists.places[index].own, ends[index]

    def leads(each: ItemList) -> list[Place]:
        above = leads(lists.lists[each.parent]) if each.parent != NOWHERE else []
        return [*above, own(each.lead)]

    def tails(each: ItemList) -> list[Place]:
        behind = [own(each.tail)] if each.tail != NOWHERE else []
        return [*behind, *(tails(lists.lists[each.parent]) if each.parent != NOWHERE else [])]

    each = lists.lists[number]
    yield from _composed(text, leads(each), [own(item) for item in each.items], tails(each), each.connective)
    for item in each.items:
        if lists.places[item].leads != NOWHERE:
            yield from _of_list(text, lists.places[item].leads, lists, ends)


def _composed(
    text: str, leads: list[Place], items: list[Place], tails: list[Place], connective: str
) -> Iterator[EvidenceStatement]:
    """A list as a whole; and with each of its items alone, unless these hold only together."""
    whole = ComposedText(text, leads, items, tails)
    if len(whole.text) <= _MOST_COMPOSED:
        yield EvidenceStatement(whole.text, 0, whole)
    role = lead_role(ComposedText(text, leads, []).text)
    if connective == "or" or role != "conditions":
        for item in items:
            part = ComposedText(text, leads, [item], tails)
            if len(items) > 1 and len(part.text) <= _MOST_COMPOSED:
                yield EvidenceStatement(part.text, 0, part)
