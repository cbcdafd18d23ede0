"""Exact look-up: section ids, defined terms, topics, named entities and quoted phrases, through indexes and the text itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from coditect.keyspace.terms import definition_term, section_term, topic_key
from coditect.language.entities.names import entity_name
from coditect.language.tables import read_table
from coditect.retrieve.lookup.definitions import definitions_of
from coditect.retrieve.lookup.live import LiveIndex
from coditect.retrieve.lookup.numbers import asked_numbers, coded_documents, is_about_numbers
from coditect.retrieve.port import Found, Match, Part
from coditect.schemas import Chunk, Extraction, Granularity, Passage, Section
from coditect.schemas.tier1.data import SPAN_KINDS
from coditect.store.view import View

__all__ = ["exact_first", "exact_matches", "phrases", "section_ids"]

_PHRASE = re.compile(r"[\"“]([^\"”]{2,})[\"”]")
_LABEL = (
    r"(?:§+\s*|\b(?P<word>{divisions})\s+)"
    r"(?P<label>[0-9A-Za-z]+(?:[.\-][0-9A-Za-z]+)*(?:\.?\([0-9A-Za-z]+\))*)"
    r"|(?<![\w.])(?P<bare>\d+(?:\.\d+)+(?:\.?\([0-9A-Za-z]+\))*|[A-Za-z]{2}\.[A-Za-z]{2}(?:-\d{1,2})?|[A-Za-z]{2}-\d+(?:\(\d+\))?)(?![\w.])"
)
_MOST_DEFINITIONS = 3
"""Definitions whose passages are named; a fourth document says the same."""

_NUMBERS = re.compile(r"[0-9a-z]+")
_DEFINE = r"^\s*(?:{questions})\s+(?:(?:an?|the)\s+)?(.+?)\s*(?:means?|defined)?\s*\??\s*$"


@cache
def _label() -> re.Pattern[str]:
    """A pattern for labels of sections, behind the name of a division or by themselves."""
    return re.compile(_LABEL.replace("{divisions}", _any_of("divisions")), re.IGNORECASE)


@cache
def _define() -> re.Pattern[str]:
    """A pattern for questions that ask what a term means; its group is the term."""
    return re.compile(_DEFINE.replace("{questions}", _any_of("defining_questions")), re.IGNORECASE)


def _any_of(entry: str) -> str:
    return "|".join(map(re.escape, sorted(read_table("looking_up").phrases(entry), key=len, reverse=True)))


@cache
def _named_divisions() -> frozenset[str]:
    return frozenset(read_table("looking_up").words("named_divisions"))


def phrases(query: str) -> list[str]:
    """The quoted phrases of a query."""
    return _PHRASE.findall(query)


def section_ids(query: str) -> list[str]:
    """The section ids that a query names: "§ 164.308(a)(1)" → sec_164_308_a_1, "Article 5" → sec_article_5."""
    found = []
    for match in _label().finditer(query):
        label = match.group("label") or match.group("bare")
        word = (match.group("word") or "").lower()
        parts = re.findall(r"[0-9a-z]+", label.lower())
        named = [word] if word in _named_divisions() else []
        found.append("sec_" + "_".join([*named, *parts]))
    return list(dict.fromkeys(found))


def exact_matches(
    view: View, index: LiveIndex, query: str, tier: Granularity, *, mentions: bool = False
) -> list[Match]:
    """Items that a query names outright.

    Args:
        view: the generation.
        index: its indexes.
        query: words, and phrases in quotation marks.
        tier: of the items.
        mentions: also statements that mention the entity that the query, or a phrase in it, is the name of.

    Returns:
        In document order, with the score 1. Of the definitions of a term those first that tell most of what it means, by
        :func:`form_rank`; a meaning has 1, the others less, in steps of 0.1. Mere mentions have 0.
    """
    match tier:
        case "extraction" | "proposition":
            named = [*_definitions(index, query), *_in_coded(view, query, _statements_of_sections(view, index, query))]
            return [*named, *(_mentions(index, query, {each.item_id for each in named}) if mentions else ())]
        case "chunk":
            of_sections = [Match(c.chunk_id, c.document_id, 1.0) for c in _chunks_of_sections(view, query)]
            return [*_defining(view, index, query, "chunk"), *_in_coded(view, query, of_sections)]
        case "passage":
            return [
                *_defining(view, index, query, "passage"),
                *_passages_under(view, _under(view, index, query, mentions)),
            ]
        case "section":
            on = [Match(s.section_id, "", 1.0) for s in _sections_on(view, query)]
            return on or _sections_quoting(view, _under(view, index, query, mentions, below=True))
        case "corpus":
            return _claims_resting(view, _under(view, index, query, mentions, below=True))


def _under(
    view: View,
    index: LiveIndex,
    query: str,
    always: bool,
    *,
    below: bool = False,
) -> list[Extraction]:
    """The statements under the numbers that a query names; none where it only mentions them beside much else.

    Args:
        view: the generation.
        index: its indexes.
        query: the question.
        always: also where it mentions them beside much else.
        below: also those of the provisions below: "§ 13(b)" holds § 13(b)(1).
    """
    if not (always or is_about_numbers(query, asked_numbers(query))):
        return []
    found = _extractions_of_sections(view, index, query, below=below)
    kept = {each.item_id for each in _in_coded(view, query, [_named_match(each) for each in found])}
    return [each for each in found if each.extraction_id in kept]


def _passages_under(view: View, named: Sequence[Extraction]) -> list[Match]:
    """The smallest passages in which statements begin."""
    by_document: dict[str, list[int]] = {}
    for each in named:
        by_document.setdefault(each.document_id, []).append(each.char_offset_start)
    return [
        Match(passage.passage_id, document_id, 1.0)
        for document_id, starts in by_document.items()
        for passage in view.passages(document_id)
        if passage.level == 0 and any(passage.char_offset_start <= start < passage.char_offset_end for start in starts)
    ]


def _sections_quoting(view: View, named: Sequence[Extraction]) -> list[Match]:
    """The sections that quote statements."""
    ids = {each.extraction_id for each in named}
    return [
        Match(section.section_id, "", 1.0)
        for section in (view.sections if ids else ())
        if any(
            part.citation is not None and not ids.isdisjoint(part.citation.extraction_ids) for part in section.content
        )
    ]


def _claims_resting(view: View, named: Sequence[Extraction]) -> list[Match]:
    """The published claims that rest on statements."""
    ids = {each.extraction_id for each in named}
    if not ids:
        return []
    published = view.summary.claims
    claims = view.claims
    return [
        Match(each, "", 1.0) for each in published if each in claims and not ids.isdisjoint(claims[each].extraction_ids)
    ]


def _named_match(found: Extraction) -> Match:
    return Match(found.extraction_id, found.document_id, 1.0)


def _in_coded(view: View, query: str, found: list[Match]) -> list[Match]:
    """Those in the documents whose code the query names with a number: "COBS Rule 1.2.3" is in no other document."""
    codes = {asked.code for asked in asked_numbers(query)} - {""}
    if not codes:
        return found
    documents = {each for code in codes for each in coded_documents(code, view.documents.values())}
    return [match for match in found if match.document_id in documents]


def _defined(index: LiveIndex, query: str, quoted: Sequence[str] = ()) -> list[tuple[int, Extraction]]:
    """The definitions, each with its rank, of what the query asks the meaning of, or consists of, those first that tell most.

    Args:
        index: of the generation.
        query: the question.
        quoted: phrases of it whose definitions are wanted, too.
    """
    asked = _define().match(query)
    wanted = [*quoted, *([asked.group(1)] if asked else []), query]
    terms = list(dict.fromkeys(definition_term(each.strip('"“”?. ')) for each in wanted if each.strip('"“”?. ')))
    return [each for term in terms for each in definitions_of(index, term)]


def _definitions(index: LiveIndex, query: str) -> list[Match]:
    return [
        Match(each.extraction_id, each.document_id, (10 - rank) / 10)
        for rank, each in _defined(index, query, phrases(query))
    ]


def _defining(view: View, index: LiveIndex, query: str, tier: Literal["chunk", "passage"]) -> list[Match]:
    """The chunks, or the smallest passages, in which the first definitions begin.

    Phrases that a longer question quotes are looked for as they stand; where they are defined is not what it asks.
    """
    found: dict[str, Match] = {}
    for rank, each in _defined(index, query)[:_MOST_DEFINITIONS]:
        items: Iterable[Chunk | Passage] = (
            view.chunks(each.document_id)
            if tier == "chunk"
            else (passage for passage in view.passages(each.document_id) if passage.level == 0)
        )
        for item in items:
            if item.char_offset_start <= each.char_offset_start < item.char_offset_end:
                found.setdefault(item.item_id, Match(item.item_id, each.document_id, (10 - rank) / 10))
                break
    return list(found.values())


def _mentions(index: LiveIndex, query: str, named: set[str]) -> list[Match]:
    """Statements that mention an entity of this name; those that the query names in another way are passed over."""
    names = dict.fromkeys(entity_name(each) for each in [*phrases(query), query])
    matches: dict[str, Match] = {}
    for name in filter(None, names):
        mentions = index.mentioning(name)
        for each in mentions.found:
            if each.extraction_id not in named:
                matches[each.extraction_id] = Match(each.extraction_id, each.document_id, 0.0, mentions.way)
    return list(matches.values())


def _chunks_of_sections(view: View, query: str) -> list[Chunk]:
    return _chunks_of(view, section_ids(query))


def _chunks_of(view: View, wanted: Sequence[str]) -> list[Chunk]:
    live = view.live_derivations
    found: dict[str, str] = {}
    for section_id in wanted:
        for place, derivation in view.store.scan_index("idx/term", section_term(section_id), view.corpus_id):
            if derivation in live:
                found[str(place[3])] = str(place[2])
    return view.items(Chunk, list(found), list(found.values())) if found else []


def _statements_of_sections(view: View, index: LiveIndex, query: str) -> list[Match]:
    return [_named_match(each) for each in _extractions_of_sections(view, index, query)]


def _extractions_of_sections(view: View, index: LiveIndex, query: str, *, below: bool = False) -> list[Extraction]:
    wanted = set(section_ids(query))
    beginnings = tuple(f"{each}_" for each in wanted) if below else ()
    found = []
    for chunk in _chunks_of_sections(view, query):
        ids = list(chunk.source_extractions)
        for item in index.extractions(chunk.document_id, ids):
            if (
                item.section_id in wanted or item.section_id.startswith(beginnings)
            ) and item.extraction_kind not in SPAN_KINDS:
                found.append(item)
    return found or _extractions_cited(view, index, query)


def _extractions_cited(view: View, index: LiveIndex, query: str) -> list[Extraction]:
    """Those that a person would cite by a number of the query, "4.2.1(3)(b)", though the outline ends above it."""
    found: dict[str, Extraction] = {}
    for section_id in section_ids(query):
        parts = section_id.split("_")[1:]
        chunks: list[Chunk] = []
        for size in range(len(parts) - 1, 0, -1):
            chunks = _chunks_of(view, ["_".join(("sec", *parts[:size]))])
            if chunks:
                break
        numbers = [part for part in parts if part not in _named_divisions()]
        for chunk in chunks:
            for item in index.extractions(chunk.document_id, list(chunk.source_extractions)):
                cited = [each for each in _NUMBERS.findall(item.locator.lower()) if each not in _named_divisions()]
                if item.extraction_kind not in SPAN_KINDS and cited[-len(numbers) :] == numbers:
                    found[item.extraction_id] = item
    return list(found.values())


def _sections_on(view: View, query: str) -> list[Section]:
    live = view.live_derivations
    rows = view.store.scan_index("idx/topic", topic_key(query.strip('"“” ')), view.corpus_id)
    return view.items(Section, [str(place[2]) for place, derivation in rows if derivation in live])


def exact_first(exact: Sequence[Match], found: Sequence[Found]) -> list[tuple[Found, bool]]:
    """What a question names outright, then what only sounds like it.

    Args:
        exact: in document order.
        found: best first.
    Returns:
        (unit, whether it is named) pairs; the named ones by how well (a meaning before an abbreviation), then by their score
        in the ranking, else in document order.
    """
    if not exact:
        return [(each, False) for each in found]
    ranked = {each.item_id: each for each in found}
    named = {match.item_id: match for match in exact}
    first: list[tuple[Found, bool]] = []
    for match in named.values():
        known = ranked.get(match.item_id)
        # Both ways find the same; which one was taken tells why a question took its time.
        part = Part(f"exact, by {match.way}" if match.way else "exact", None, match.score, 1.0, match.score)
        if known is None:
            first.append((Found(match.item_id, match.document_id, 0.0, (part,), relevance="correct"), True))
        else:
            first.append((replace(known, parts=(part, *known.parts), relevance="correct"), True))
    first.sort(key=lambda each: (-each[0].parts[0].score, -each[0].score))
    return [*first, *((each, False) for each in found if each.item_id not in named)]
