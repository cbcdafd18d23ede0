"""Tier 4 without a model: claims composed from Tier 3 quotes, and figures counted from the indexes.

Composition chooses what is worth telling and writes down its recipe; the claim itself is rendered from that
(:mod:`coditect.tiers.claims.rendering`). It proposes, the checker (:mod:`coditect.verify`) disposes: nothing here is published
because it was written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.language.terms import terms
from coditect.schemas import Claim, ClaimKind, ClaimSource, Extraction, NormData, Section
from coditect.tiers.claims import phrases
from coditect.tiers.claims.grounds import Grounds
from coditect.tiers.claims.rendering import render
from coditect.tiers.claims.versions import CLAIMS_VERSION
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.findings.gaps import Gap
from coditect.tiers.sections.topics import Topic

__all__ = ["CLAIMS_VERSION", "compose_claims"]

REQUIREMENTS = 2
"""Requirement claims of a topic, from different documents."""

FEWEST_CONTRACTS = 3
"""Contracts that must fix a measure before they are laid side by side."""

FEWEST_SPEAKING = 2
"""Documents that must speak to a topic before it is called a theme of the corpus."""


_BAR = " | "
_DESCRIBING = frozenset(("has to", "need to", "needs to", "may only"))
"""Binding words that say as often how things are as what somebody has to do."""


@dataclass(frozen=True, slots=True)
class _Composer:
    """Makes claims of one corpus: what a recipe and its evidence give, or nothing where they give nothing."""

    corpus_id: str
    derivation_id: str
    grounds: Grounds

    def claims(
        self,
        kind: ClaimKind,
        recipe: Mapping[str, Any],
        section: Section,
        cited: Sequence[int],
        extraction_ids: tuple[str, ...] = (),
    ) -> list[Claim]:
        """The claim that a recipe makes of some quotes of a section, by their indexes; none where it makes none of them."""
        told = render(kind, recipe, [section.content[index] for index in cited], self.grounds, section.topic)
        if not told.text:
            return []
        claim = Claim.create(
            corpus_id=self.corpus_id,
            derivation_id=self.derivation_id,
            claim_kind=kind,
            text=told.text,
            topic=section.topic,
            citations=tuple(ClaimSource(section_id=section.section_id, part=index) for index in cited),
            extraction_ids=extraction_ids,
            recipe=told.recipe,
        )
        return [claim]


def compose_claims(
    corpus_id: str,
    derivation_id: str,
    sections: Sequence[tuple[Topic, Section]],
    conflicts: Sequence[StatementConflict],
    grounds: Grounds,
) -> list[Claim]:
    """Proposed claims, in the order of the summary: conflicts, gaps, statistics, themes, requirements.

    Args:
        corpus_id: the corpus that they are about.
        derivation_id: the derivation that makes them.
        sections: Tier 3 with the topics that it was built for.
        conflicts: what documents disagree on; those without a section of their own are not told.
        grounds: what claims are rendered from.
    """
    composer = _Composer(corpus_id, derivation_id, grounds)
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
        claims += _statistics(composer, topic, section)
    for section in sorted(topical, key=lambda s: (-s.document_count, s.topic)):
        claims += _coverage(composer, section)
    quoted: set[tuple[str, int]] = set()
    for section in topical:
        claims += _requirements(composer, section, quoted)
    return list({claim.claim_id: claim for claim in claims}.values())


def _quotes(section: Section) -> list[int]:
    """The indexes of the quotes of a section."""
    return [index for index, part in enumerate(section.content) if part.citation is not None]


def _parts(section: Section) -> dict[tuple[str, int], int]:
    """The index of each quote, by the place that it stands at in its document."""
    cited = ((index, section.content[index].citation) for index in _quotes(section))
    return {(each.document_id, each.char_start): index for index, each in cited if each is not None}


def _conflict(composer: _Composer, conflict: StatementConflict, section: Section) -> list[Claim]:
    parts = _parts(section)
    if not all(place in parts for place in conflict.places):
        return []
    ids = tuple(each for side in conflict.sides for each in side.statement.sentence.extraction_ids)
    recipe = {"conflict": conflict.kind, "head": conflict.head}
    return composer.claims(conflict.relation, recipe, section, [parts[place] for place in conflict.places], ids)


def _gap(composer: _Composer, gap: Gap, section: Section, parts: Mapping[tuple[str, int], int]) -> list[Claim]:
    cited = [parts[place] for place in dict.fromkeys(gap.places) if place in parts]
    if gap.places[0] not in parts:
        return []
    if section.section_kind == "standing":
        return composer.claims("standing", {"standing": gap.kind, **gap.words}, section, cited)
    return composer.claims("gap", _recipe(gap), section, cited)


def _recipe(gap: Gap) -> dict[str, Any]:
    """What of a gap says which one it is: the figure by which it is counted again, or all of its words."""
    match gap.kind:
        case "document":
            return {"figure": "missing_document", "name": gap.words["name"]}
        case "absent":
            return {"figure": "absent_document", "name": gap.words["name"]}
        case "place":
            return {"figure": "missing_place", "document": gap.words["document"], "label": gap.words["label"]}
        case "uncovered":
            return {"figure": "uncovered", "head": gap.words["head"], "says": gap.words["says"]}
    return {"gap": gap.kind, **gap.words}


def _measure(topic: Topic) -> dict[str, Any]:
    kind, head = topic.measure
    return {"figure": "measure", "kind": kind, "head": head}


def _statistics(composer: _Composer, topic: Topic, section: Section) -> list[Claim]:
    """How many documents fix each value of a measure; of contracts with strangers a grid: who fixes what, and who deviates."""
    standings = composer.grounds.standings
    cited = _quotes(section)
    citations = {index: section.content[index].citation for index in cited}
    own = [index for index, each in citations.items() if each is not None and standings.is_contract(each.document_id)]
    grid = composer.claims("grid", {**_measure(topic), "figure": "grid"}, section, own) if own else []
    results = [(claim, claim.recipe["result"]) for claim in grid]
    # Where no value is usual, no contract deviates, and a count of the values says as much.
    grid = [claim for claim, result in results if result["usual"] and result["contracts"] >= FEWEST_CONTRACTS]
    return (
        grid
        if grid and len(own) == len(cited)
        else [*grid, *composer.claims("statistic", _measure(topic), section, cited)]
    )


def _without(composer: _Composer, topic: Topic, section: Section) -> list[Claim]:
    """Who does not say how often it is reviewed; where most do not, that is usual, and no document's gap."""
    claims = composer.claims("gap", _measure(topic), section, _quotes(section))
    results = [(claim, claim.recipe["result"]) for claim in claims]
    return [claim for claim, result in results if 2 * len(result["without"]) <= result["of"]]


def _coverage(composer: _Composer, section: Section) -> list[Claim]:
    """How many documents speak to a topic, where enough of them do."""
    claims = composer.claims("theme", {"figure": "coverage", "topic": section.topic}, section, _quotes(section))
    results = [(claim, claim.recipe["result"]) for claim in claims]
    return [claim for claim, result in results if result["documents"] >= min(FEWEST_SPEAKING, result["of"])]


def _requirements(composer: _Composer, section: Section, quoted: set[tuple[str, int]]) -> list[Claim]:
    """The requirements of a section that say most about its topic, of different documents and not told before."""
    ranked = []
    known = composer.grounds.extractions
    for (document_id, start), index in _parts(section).items():
        cited = section.content[index].citation
        if cited is None or (document_id, start) in quoted or composer.grounds.standings.role(document_id) == "record":
            continue
        behind = [known[each] for each in cited.extraction_ids if each in known]
        duties = [each for each in behind if each.extraction_kind in phrases.DUTIES]
        if composer.grounds.standings.is_contract(document_id) and phrases.is_cut(section.content[index].content):
            continue
        others = [each for each in duties if each.read_as(NormData).modality != "imperative"]
        if len(others) < len(duties):  # only then its chunk is read
            statement = composer.grounds.cited(section.content[index])
            chunk = None if statement is None else statement.statement.chunk
            duties = others if chunk is not None and phrases.has_examples(chunk.heading, *chunk.headings) else duties
        outside = composer.grounds.standings.role(document_id) in ("law", "rule", "guidance", "standard")
        # "… as section 6.4 requires" sends the reader on.
        refers = any(each.extraction_kind == "cross_reference" for each in behind)
        worths = {
            duty.extraction_id: _worth(duty, section.topic_terms, outside=outside)
            for duty in duties
            if duty.measures or not refers
        }
        worth = max(worths.values(), default=0.0)
        if worth > 0.0:
            duty = max(
                (each for each in duties if each.extraction_id in worths),
                key=lambda e: (worths[e.extraction_id], -e.char_offset_start),
            )
            ranked.append((-worth, index, start, duty))
    found: list[Claim] = []
    speaking: set[str] = set()
    for _, index, start, duty in sorted(ranked, key=lambda row: row[:2]):
        if duty.document_id in speaking or len(found) == REQUIREMENTS:
            continue
        recipe = {"requirement": duty.extraction_kind, "action": duty.read_as(NormData).action or ""}
        found += composer.claims("requirement", recipe, section, [index], (duty.extraction_id,))
        speaking.add(duty.document_id)
        quoted.add((duty.document_id, start))
    return found


def _worth(duty: Extraction, topic_terms: Sequence[str], *, outside: bool) -> float:
    """How much a duty says: about the topic, binding, with a measure, understood without the sentence before it.

    Args:
        duty: an obligation or a prohibition.
        topic_terms: the stems of the topic.
        outside: whether it stands in a law, a rule, guidance or a standard, whose author says with "will" what it intends itself,
            and with "requires" what things are like.
    """
    data = duty.read_as(NormData)
    if data.strength not in (None, "mandatory") or phrases.leans(duty.source_text, data):
        return 0.0
    # An item of a list is a requirement only together with what leads into it.
    if len(data.spans or ()) > 1 or (outside and data.modality == "will"):
        return 0.0
    # Who or what is bound is not told; where the action is not told either, as a program may store it, nobody looked for it.
    if data.action and not (data.actor or data.object or data.modality in (None, "imperative")):
        return 0.0
    if data.modality in _DESCRIBING or (data.modality or "").startswith("only … "):
        return 0.0
    if outside and (data.modality == "requires" or (data.modality == "imperative" and not duty.locator)):
        return 0.0  # an imperative of a standard is a control where it has a number, and else as often an example
    # A step of a list asks for nothing by itself, nor does a row of a plan of work.
    if (data.modality == "imperative" and not outside and not data.measures) or _BAR in duty.source_text:
        return 0.0
    if data.modality == "present":
        return 0.0  # what a procedure says is done is a duty, and no requirement that is worth quoting by itself
    if phrases.is_partial(duty.source_text):
        return 0.0
    words = frozenset(terms(duty.source_text))
    about = len(words.intersection(topic_terms)) / max(len(topic_terms), 1)
    binding = 0.3 * bool(data.measures) + 0.2 * bool(data.actor or data.object)
    return 0.1 + 2.0 * about + binding + 0.1 * (duty.extraction_kind == "prohibition")
