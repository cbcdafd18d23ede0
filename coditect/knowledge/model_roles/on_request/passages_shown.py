"""Passages that a model is shown of a claim's evidence: each statement with the text around it, verbatim, in bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.agents.roles.on_request.examiner import PassageQuote, PassageShown
from coditect.agents.roles.quotes import find_words
from coditect.documents.layout import page_of, version_source
from coditect.schemas import EvidenceSpan, Extraction, NormData, TextEvidence
from coditect.store.view import View

__all__ = ["AROUND", "MOST_SHOWN", "PassageAround", "passages_of", "quoted_statements", "with_quotes"]

AROUND = 600
"""Code points before and after a statement that are shown with it, at most."""

MOST_SHOWN = 14_000
"""Code points of passages that one request shows, at most, unless the first alone has more."""

LONGEST_LIST = 2_500
"""Code points from the lead-in of a list to the item in question, up to which both are one passage."""

_BOUNDARY = re.compile(r"(?<=[.!?;:])\s+|\n+")


@dataclass(frozen=True, slots=True)
class PassageAround:
    """A stretch of a document.

    Attributes:
        source: the statement for whose sake it is shown, the best match of those in it.
        start: first code point in the document's text.
        end: one past the last.
        text: verbatim.
    """

    source: TextEvidence
    start: int
    end: int
    text: str

    @property
    def shown(self) -> PassageShown:
        """As a request shows it."""
        return PassageShown(self.source.document_name, self.source.heading, self.text)


def passages_of(view: View, evidence: Sequence[TextEvidence]) -> tuple[PassageAround, ...]:
    """The passages around statements, best match first; those that overlap are one.

    Args:
        view: the generation that the statements are of.
        evidence: what a claim was compared with, best match first.
    """
    items = view.items(Extraction, [each.item_id for each in evidence], [each.document_id for each in evidence])
    joined: list[PassageAround] = []
    for each, item in zip(evidence, items, strict=True):
        for start, end in _places(each, item):
            joined = _joined(
                view.text(each.document_id), each, *_around(view.text(each.document_id), start, end), joined
            )
    kept: list[PassageAround] = []
    size = 0
    for passage in joined:
        if kept and size + len(passage.text) > MOST_SHOWN:
            continue
        kept.append(passage)
        size += len(passage.text)
    return tuple(kept)


def _places(evidence: TextEvidence, item: Extraction) -> Iterator[tuple[int, int]]:
    """Where a statement stands: of a list's item with its lead-in, apart from it where that stands far away."""
    spans = item.tier1_data.spans if isinstance(item.tier1_data, NormData) else None
    places = [(evidence.char_start, evidence.char_end), *((span.start, span.end) for span in spans or ())]
    first, last = min(start for start, _ in places), max(end for _, end in places)
    if last - first <= LONGEST_LIST:
        yield first, last
    else:
        yield from places


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch with whole sentences or lines around it."""
    low = max(0, start - AROUND)
    high = min(len(text), end + AROUND)
    if low:
        begin = _BOUNDARY.search(text, low, start)
        low = begin.end() if begin else start
    if high < len(text):
        stops = [found.start() for found in _BOUNDARY.finditer(text, end, high)]
        high = stops[-1] if stops else end
    return low, high


def _joined(
    text: str, source: TextEvidence, start: int, end: int, others: Sequence[PassageAround]
) -> list[PassageAround]:
    """Passages with one more, which takes in those that it overlaps at the place of the best of them."""
    apart: list[PassageAround] = []
    place = None
    for each in others:
        if each.source.document_id == source.document_id and each.start <= end and start <= each.end:
            start, end = min(start, each.start), max(end, each.end)
            if place is None:
                place, source = len(apart), each.source
        else:
            apart.append(each)
    at = len(apart) if place is None else place
    return [*apart[:at], PassageAround(source, start, end, text[start:end]), *apart[at:]]


def quoted_statements(
    passages: Sequence[PassageAround], quotes: Sequence[PassageQuote], evidence: Sequence[TextEvidence]
) -> tuple[str, ...]:
    """The statements whose words are quoted, whole; where none has them, the sentence around the quote."""
    found: dict[str, None] = {}
    for quote in quotes:
        passage = passages[quote.passage]
        start, end = passage.start + quote.start, passage.start + quote.end
        words = passage.text[quote.start : quote.end]
        whole = [
            each.composed or each.text
            for each in evidence
            if each.document_id == passage.source.document_id
            and ((each.char_start < end and start < each.char_end) or find_words(words, each.composed))
        ]
        for text in whole or [_sentence(passage.text, quote.start, quote.end)]:
            found[text] = None
    return tuple(found)


def _sentence(text: str, start: int, end: int) -> str:
    """A stretch of a text out to the ends of its sentences."""
    before = [found.end() for found in _BOUNDARY.finditer(text, 0, start)]
    after = _BOUNDARY.search(text, end)
    return text[before[-1] if before else 0 : after.start() if after else len(text)].strip()


def with_quotes(
    view: View, passages: Sequence[PassageAround], quotes: Sequence[PassageQuote], evidence: Sequence[TextEvidence]
) -> tuple[tuple[TextEvidence, ...], tuple[EvidenceSpan, ...]]:
    """Evidence with what is quoted beside it, and where in it each quote stands.

    Args:
        view: the generation that the passages are of.
        passages: that were shown.
        quotes: words of theirs.
        evidence: the statements that the claim was compared with.

    Returns:
        The statements, and after them each quoted stretch that stands in none; the span of each quote.
    """
    known = list(evidence)
    spans = []
    for quote in quotes:
        passage = passages[quote.passage]
        start, end = passage.start + quote.start, passage.start + quote.end
        span = _span(known, passage.source.document_id, start, end, passage.text[quote.start : quote.end])
        if span is None:
            text = passage.text[quote.start : quote.end]
            page = _page_at(view, passage.source.document_id, start)
            moved = {"char_start": start, "char_end": end, "text": text, "composed": "", "page": page}
            known.append(passage.source.model_copy(update=moved))
            span = EvidenceSpan(quote=len(known) - 1, char_start=0, char_end=len(text))
        spans.append(span)
    return tuple(known), tuple(dict.fromkeys(spans))


def _page_at(view: View, document_id: str, at: int) -> int | None:
    version = view.document(document_id)
    if not version.page_count:
        return None
    layout = view.store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)
    return page_of(version_source(version, "", layout).pages, at)


def _span(known: Sequence[TextEvidence], document_id: str, start: int, end: int, words: str) -> EvidenceSpan | None:
    """Where a statement has a quoted stretch; None where none does."""
    for number, each in enumerate(known):
        if each.document_id != document_id:
            continue
        if not each.composed and each.char_start <= start and end <= each.char_end:
            return EvidenceSpan(quote=number, char_start=start - each.char_start, char_end=end - each.char_start)
        place = find_words(words, each.composed)
        if place is not None:
            return EvidenceSpan(quote=number, char_start=place[0], char_end=place[1])
    return None
