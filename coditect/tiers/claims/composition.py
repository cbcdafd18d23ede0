"""Tier 4 without a model: claims composed from Tier 3 quotes, and figures counted from the indexes.

Composition proposes, the checker (:mod:`coditect.verify`) disposes: nothing here is published because it was written.
The words of each kind of claim stand in :mod:`coditect.tiers.claims.phrases`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coditect.language.terms import terms
from coditect.schemas import Claim, ClaimSource, Extraction, Section, SectionPart
from coditect.tiers.claims import phrases
from coditect.tiers.findings.conflicts import Conflict
from coditect.tiers.findings.counts import FigureSource, count
from coditect.tiers.findings.gaps import Gap
from coditect.tiers.findings.measures import SELF
from coditect.tiers.sections.topics import Topic

__all__ = ["CLAIMS_VERSION", "compose_claims"]

CLAIMS_VERSION = "tier4/1"

REQUIREMENTS = 2
"""Requirement claims of a topic, from different documents."""

FEWEST_SPEAKING = 2
"""Documents that must speak to a topic before that is said of the corpus."""


_REFERS = re.compile(r"\b(?:[Ss]ections?|[Cc]lauses?|[Aa]rticles?|§)\s*\d")


@dataclass(frozen=True, slots=True)
class _Composer:
    corpus_id: str
    derivation_id: str
    extractions: Mapping[str, Extraction]
    source: FigureSource

    def claim(self, kind: str, text: str, section: Section, parts: Iterable[int], **more: object) -> Claim:
        """A claim that cites quotes of one section."""
        return Claim.create(
            corpus_id=self.corpus_id,
            derivation_id=self.derivation_id,
            claim_kind=kind,
            text=text,
            topic=section.topic,
            citations=tuple(ClaimSource(section_id=section.section_id, part=part) for part in parts),
            **more,
        )

    def name(self, place: tuple[str, int]) -> str:
        """The name of the document of a place."""
        return self.source.documents[place[0]].name


def compose_claims(
    corpus_id: str,
    derivation_id: str,
    sections: Sequence[tuple[Topic, Section]],
    conflicts: Sequence[Conflict],
    extractions: Mapping[str, Extraction],
    source: FigureSource,
) -> list[Claim]:
    """Proposed claims, in the order of the summary: conflicts, gaps, statistics, themes, requirements.

    Args:
        corpus_id: whose.
        derivation_id: of this step.
        sections: Tier 3 with the topics that it was built for.
        conflicts: what documents disagree on; those without a section of their own are not told.
        extractions: Tier 1 items behind the quotes, by id.
        source: what figures are counted from.
    """
    composer = _Composer(corpus_id, derivation_id, extractions, source)
    topical = [section for topic, section in sections if topic.kind == "topic"]
    measured = [(topic, section) for topic, section in sections if topic.kind == "measure"]
    told = {conflict.places for conflict in conflicts}
    claims = [
        claim
        for topic, section in sections
        if topic.conflict is not None and topic.conflict.places in told
        for claim in _conflict(composer, topic.conflict, section)
    ]
    for topic, section in sections:
        parts = _parts(section)
        claims += [claim for gap in topic.gaps for claim in _gap(composer, gap, section, parts)]
    for topic, section in measured:
        claims += _without(composer, topic, section)
    for topic, section in measured:
        claims += _measure(composer, topic, section)
    for section in sorted(topical, key=lambda s: (-s.document_count, s.topic)):
        claims += _coverage(composer, section)
    quoted: set[tuple[str, int]] = set()
    for section in topical:
        claims += _requirements(composer, section, quoted)
    return list({claim.claim_id: claim for claim in claims}.values())


def _quotes(section: Section) -> list[tuple[int, SectionPart]]:
    return [(index, part) for index, part in enumerate(section.content) if part.citation is not None]


def _parts(section: Section) -> dict[tuple[str, int], int]:
    """Index of the quote of each place."""
    return {
        (part.citation.document_id, part.citation.char_start): index
        for index, part in _quotes(section)
        if part.citation is not None
    }


def _conflict(composer: _Composer, conflict: Conflict, section: Section) -> list[Claim]:
    parts = _parts(section)
    cited = [parts.get(side.statement.place) for side in conflict.sides]
    if None in cited:
        return []
    names = [composer.name(side.statement.place) for side in conflict.sides]
    recipe = {
        "conflict": conflict.kind,
        "head": conflict.head,
        "similarity": conflict.similarity,
        "values": [side.value for side in conflict.sides],
    }
    ids = tuple(each for side in conflict.sides for each in side.statement.sentence.extraction_ids)
    text = phrases.conflict(conflict, names)
    return [
        composer.claim(
            "conflict", text, section, [p for p in cited if p is not None], recipe=recipe, extraction_ids=ids
        )
    ]


def _gap(composer: _Composer, gap: Gap, section: Section, parts: Mapping[tuple[str, int], int]) -> list[Claim]:
    cited = [parts[place] for place in dict.fromkeys(gap.places) if place in parts]
    if not cited or gap.places[0] not in parts:
        return []
    quotes = [section.content[index].content for index in cited]
    name = composer.name(gap.places[0])
    words = dict(gap.words)
    if gap.kind in ("document", "place", "uncovered"):
        recipe: dict[str, object] = _counted(gap, name)
        result = count(recipe, composer.source)
        recipe["result"] = result
        text = phrases.missing(gap.kind, words, name, result, quotes[0])
    else:
        recipe = {"gap": gap.kind, **words}
        names = [composer.name(place) for place in dict.fromkeys(gap.places) if place in parts]
        text = phrases.gap(gap.kind, words, names, quotes)
    return [composer.claim("gap", text, section, cited, recipe=recipe)]


def _counted(gap: Gap, name: str) -> dict[str, object]:
    """The recipe by which a gap is counted again."""
    match gap.kind:
        case "document":
            return {"figure": "missing_document", "name": gap.words["name"]}
        case "place":
            return {"figure": "missing_place", "document": gap.words["document"], "label": gap.words["label"]}
        case _:
            return {"figure": "uncovered", "document": name, "head": gap.words["head"], "says": gap.words["says"]}


def _figure(composer: _Composer, kind: str, text: str, section: Section, recipe: dict[str, object]) -> Claim:
    return composer.claim(kind, text, section, [index for index, _ in _quotes(section)], recipe=recipe)


def _without(composer: _Composer, topic: Topic, section: Section) -> list[Claim]:
    kind, head = topic.measure
    recipe: dict[str, object] = {"figure": "measure", "kind": kind, "head": head}
    result = count(recipe, composer.source)
    # Where most have no interval, none is usual, and its absence is not one document's gap.
    if head != SELF or not result["without"] or 2 * len(result["without"]) > result["of"]:
        return []
    return [_figure(composer, "gap", phrases.without(result), section, {**recipe, "result": result})]


def _measure(composer: _Composer, topic: Topic, section: Section) -> list[Claim]:
    kind, head = topic.measure
    recipe: dict[str, object] = {"figure": "measure", "kind": kind, "head": head}
    result = count(recipe, composer.source)
    if not result["documents"]:
        return []
    text = phrases.statistic(kind, head, topic.name.partition(": ")[2], result)
    return [_figure(composer, "statistic", text, section, {**recipe, "result": result})]


def _coverage(composer: _Composer, section: Section) -> list[Claim]:
    recipe: dict[str, object] = {"figure": "coverage", "topic": section.topic}
    result = count(recipe, composer.source)
    if result["documents"] < min(FEWEST_SPEAKING, result["of"]):
        return []
    return [_figure(composer, "theme", phrases.theme(section.topic, result), section, {**recipe, "result": result})]


def _requirements(composer: _Composer, section: Section, quoted: set[tuple[str, int]]) -> list[Claim]:
    """The requirements of a section that say most about its topic, of different documents and not told before."""
    ranked = []
    for index, part in _quotes(section):
        cited = part.citation
        if cited is None or (cited.document_id, cited.char_start) in quoted:
            continue
        known = [composer.extractions[each] for each in cited.extraction_ids if each in composer.extractions]
        duties = [e for e in known if e.extraction_kind in ("obligation", "prohibition")]
        worth = max((_worth(duty, section.topic_terms) for duty in duties), default=0.0)
        if worth > 0.0:
            duty = max(duties, key=lambda e: (_worth(e, section.topic_terms), -e.char_offset_start))
            ranked.append((-worth, index, part, duty))
    found: list[Claim] = []
    speaking: set[str] = set()
    for _, index, part, duty in sorted(ranked, key=lambda row: row[:2]):
        if duty.document_id in speaking or len(found) == REQUIREMENTS or part.citation is None:
            continue
        text = phrases.requirement(part.citation.document_name, part.content, duty)
        found.append(composer.claim("requirement", text, section, [index], extraction_ids=(duty.extraction_id,)))
        speaking.add(duty.document_id)
        quoted.add((duty.document_id, part.citation.char_start))
    return found


def _worth(duty: Extraction, topic_terms: Sequence[str]) -> float:
    """How much a duty says: about the topic, binding, with a measure, understood without the sentence before it."""
    data = duty.tier1_data
    if data.get("strength", "mandatory") != "mandatory" or phrases.leans(duty.source_text, data):
        return 0.0
    words = frozenset(terms(duty.source_text))
    about = len(words.intersection(topic_terms)) / max(len(topic_terms), 1)
    # "… as section 6.4 requires" sends the reader on.
    refers = _REFERS.search(duty.source_text) is not None and not data.get("measures")
    binding = 0.3 * bool(data.get("measures")) + 0.2 * bool(data.get("actor") or data.get("object"))
    return (
        0.1
        + 2.0 * about
        + binding
        + 0.1 * (duty.extraction_kind == "prohibition")
        - 0.4 * (len(duty.source_text) > 320)
        - 1.5 * refers
    )
