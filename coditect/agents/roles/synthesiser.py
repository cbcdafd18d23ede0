"""The synthesiser (Tier 4): sentences over Tier 3 quotes, each with the quotes that it cites.

Each quote is one content block of one document for each topic and source, so that a citation names it exactly and the title
says whose words they are. What comes back are drafts: sentences without a citation are kept and counted, but are no claims,
and a citation whose text is not the block's own is dropped and counted.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.agents.roles.answers import prose
from coditect.agents.roles.fences import one_line
from coditect.agents.roles.role import Role
from coditect.documents.sentences import sentences
from coditect.documents.source import Block, SourceText
from coditect.models.llm import CitedSpan, Document, LlmAnswer, LlmRequest, TextBlock
from coditect.schemas.section import Section

__all__ = ["DraftClaim", "Drafts", "QuotePlace", "read_drafts", "synthesiser_request"]

QuotePlace = tuple[int, int]
"""Index of a section in the request's sections, and of a part in its content."""

_TAG = re.compile(r"</?[A-Za-z][\w:.-]{0,60}(?:\s[^<>]{0,400})?/?>|</?cite\b[^<>]{0,400}\Z", re.IGNORECASE)
_MARKDOWN = re.compile(r"^[ \t]{0,6}(?:#{1,6}[ \t]+|[-*•][ \t]+|>[ \t]+|\d{1,3}[.)][ \t]+)|\*\*|__|`+", re.MULTILINE)
_BETWEEN_BLOCKS = ("", " ", "\n", "\n\n")


@dataclass(frozen=True, slots=True)
class DraftClaim:
    """A sentence of the answer.

    Attributes:
        text: on one line, without mark-up.
        citations: quotes that it cites, in order, none twice; empty for a sentence without.
    """

    text: str
    citations: tuple[QuotePlace, ...]


@dataclass(frozen=True, slots=True)
class Drafts:
    """All sentences of an answer.

    Attributes:
        sentences: in the order of the answer.
        dropped_citations: that name no quote, or whose text is not the quote's.
    """

    sentences: tuple[DraftClaim, ...]
    dropped_citations: int = 0


def synthesiser_request(role: Role, sections: Sequence[Section], *, most: int = 40) -> LlmRequest:
    """Ask for a summary of these sections.

    Args:
        role: the synthesiser, with its model and limits.
        sections: Tier 3, most important first, with at least one quote.
        most: sentences that are asked for, > 0.
    """
    documents = tuple(
        Document(f"{one_line(name, 200)} (on {one_line(topic, 100)})", tuple(text for _, text in quotes))
        for name, topic, quotes in _documents(sections)
    )
    asked = TextBlock(f"Summarise these {len(documents)} documents in at most {most} sentences.")
    return role.request(*documents, asked)


def read_drafts(answer: LlmAnswer, sections: Sequence[Section]) -> Drafts:
    """The sentences of an answer with what they really cite.

    Args:
        answer: what came back to the request.
        sections: of the request, in its order.

    Raises:
        Malformed: too long to be read.
    """
    documents = [quotes for _, _, quotes in _documents(sections)]
    cited: list[tuple[int, int, tuple[QuotePlace, ...]]] = []
    raw = ""
    dropped = 0
    for part, written in zip(answer.parts, prose(answer, "synthesiser"), strict=True):
        places: list[QuotePlace] = []
        for span in part.citations:
            found = _places(span, documents)
            places += found
            dropped += not found
        if places:
            cited.append((len(raw), len(raw) + len(written), tuple(dict.fromkeys(places))))
        raw += written
    text, moved = _stripped(raw)
    spans = [(moved[start], moved[end], places) for start, end, places in cited]
    lasts = [last for _, last, _ in spans]
    drafts = tuple(_draft(text, start, end, spans, bisect_right(lasts, start)) for start, end in _sentences(text))
    return Drafts(drafts, dropped)


_Quotes = tuple[tuple[QuotePlace, str], ...]


def _documents(sections: Sequence[Section]) -> Iterator[tuple[str, str, _Quotes]]:
    """(document name, topic, quotes) for each section and each document quoted in it, in the order of the quotes."""
    for at, section in enumerate(sections):
        found: dict[str, list[tuple[QuotePlace, str]]] = {}
        for index, part in enumerate(section.content):
            if part.citation is not None:
                found.setdefault(part.citation.document_name, []).append(((at, index), part.content))
        for name, quotes in found.items():
            yield name, section.topic, tuple(quotes)


def _places(span: CitedSpan, documents: Sequence[_Quotes]) -> list[QuotePlace]:
    """The quotes that a citation names, if its text is theirs to the letter; else none."""
    if not 0 <= span.document < len(documents):
        return []
    quotes = documents[span.document]
    if not 0 <= span.start < span.end <= len(quotes):
        return []
    named = quotes[span.start : span.end]
    texts = [text for _, text in named]
    if not any(span.cited_text == between.join(texts) for between in _BETWEEN_BLOCKS):
        return []
    return [place for place, _ in named]


def _stripped(raw: str) -> tuple[str, Sequence[int]]:
    """Text without mark-up, and where each offset of the raw text comes to lie."""
    gone = sorted(found.span() for pattern in (_TAG, _MARKDOWN) for found in pattern.finditer(raw))
    kept: list[str] = []
    moved: list[int] = []
    at = length = 0
    for start, end in (*gone, (len(raw), len(raw))):  # a mark may lie inside a tag
        stays = raw[at:start]
        kept.append(stays)
        moved += range(length, length + len(stays))
        length += len(stays)
        moved += [length] * (end - max(at, start))
        at = max(at, end)
    moved.append(length)
    return "".join(kept), moved


def _sentences(text: str) -> list[tuple[int, int]]:
    """Spans of sentences; a line end always ends one."""
    blocks = []
    at = 0
    for line in text.splitlines(keepends=True):
        if line.strip():
            blocks.append(Block(at, at + len(line), "paragraph"))
        at += len(line)
    found = sentences(SourceText(text, "text/plain", blocks=tuple(blocks)), ())
    return [(span.start, span.end) for span in found if any(c.isalnum() for c in text[span.start : span.end])]


def _draft(
    text: str, start: int, end: int, spans: Sequence[tuple[int, int, tuple[QuotePlace, ...]]], at: int
) -> DraftClaim:
    """A sentence with what the spans cite, from the one ``at`` on, that share letters with it."""
    places: dict[QuotePlace, None] = {}
    while at < len(spans):
        first, last, cited = spans[at]
        at += 1
        if first >= end:
            break
        shared = text[max(first, start) : min(last, end)]
        if any(character.isalnum() for character in shared):
            places.update(dict.fromkeys(cited))
    return DraftClaim(one_line(text[start:end]), tuple(places))
