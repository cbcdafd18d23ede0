"""Tier 4 without a model: claims composed from Tier 3 quotes, and figures counted from the indexes.

Composition proposes, the checker (:mod:`coditect.verify`) disposes: nothing here is published because it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coditect.schemas import Claim, ClaimSource, Extraction, Section, SectionPart
from coditect.tiers.conflicts import Conflict
from coditect.tiers.figures import FigureSource, count
from coditect.tiers.registers import MEASURE_NAMES
from coditect.tiers.topics import Topic

__all__ = ["CLAIMS_VERSION", "compose_claims"]

CLAIMS_VERSION = "tier4/1"

REQUIREMENTS = 2
"""Requirement claims of a topic, from different documents."""

SHORT_LIST = 6
"""Names that a claim spells out."""

MOST_MISSING = 12
MOST_OPEN = 12
FEW_WITHOUT = 0.5
"""A gap is worth a claim where at most this share of the documents lacks what the others have."""


@dataclass(frozen=True, slots=True)
class _Composer:
    corpus_id: str
    derivation_id: str
    topics: Mapping[str, Topic]
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
        conflicts: what documents disagree on.
        extractions: Tier 1 items behind the quotes, by id.
        source: what figures are counted from.
    """
    composer = _Composer(corpus_id, derivation_id, {s.section_id: t for t, s in sections}, extractions, source)
    topical = [section for topic, section in sections if topic.kind == "topic"]
    measured = [(topic, section) for topic, section in sections if topic.kind == "measure"]
    claims = _conflicts(composer, [section for _, section in sections], conflicts)
    for topic, section in sections:
        if topic.kind == "missing":
            claims += _missing(composer, topic, section)
        elif topic.kind == "open":
            claims += _open(composer, section)
    for topic, section in measured:
        claims += _without(composer, topic, section)
    for topic, section in measured:
        claims += _measure(composer, topic, section)
    for section in sorted(topical, key=lambda s: (-s.document_count, s.topic)):
        claims += _coverage(composer, section)
    for section in topical:
        claims += _requirements(composer, section)
    return list({claim.claim_id: claim for claim in claims}.values())


def _quotes(section: Section) -> list[tuple[int, SectionPart]]:
    return [(index, part) for index, part in enumerate(section.content) if part.citation is not None]


def _place(part: SectionPart) -> tuple[str, int]:
    return ("", -1) if part.citation is None else (part.citation.document_id, part.citation.char_start)


def _name(part: SectionPart) -> str:
    return "" if part.citation is None else part.citation.document_name


def _conflicts(composer: _Composer, sections: Sequence[Section], conflicts: Sequence[Conflict]) -> list[Claim]:
    where: dict[tuple[str, tuple[str, int]], tuple[Section, int]] = {}
    for section in sections:
        for index, part in _quotes(section):
            where.setdefault((section.section_kind, _place(part)), (section, index))
    found = []
    for conflict in conflicts:
        kind = "modality" if conflict.kind == "modality" else "measure"
        sides = [where.get((kind, statement.place)) for statement in (conflict.first, conflict.second)]
        names = [composer.source.documents[s.chunk.document_id].name for s in (conflict.first, conflict.second)]
        ids = (*conflict.first.sentence.extraction_ids, *conflict.second.sentence.extraction_ids)
        recipe = {"conflict": conflict.kind, "head": conflict.head, "similarity": conflict.similarity}
        if conflict.kind == "modality":
            says = (_clip(conflict.first_says), _clip(conflict.second_says))
            text = f"{names[0]} and {names[1]} ask for different things: “{says[0]}” against “{says[1]}”"
        else:
            how = MEASURE_NAMES[conflict.kind]
            text = (
                f"{names[0]} and {names[1]} disagree on {how}: “{conflict.first_says}” against “{conflict.second_says}”, "
                f"for “{_verb(conflict)}”."
            )
        cited = [side for side in sides if side is not None]
        if len(cited) == len(sides):
            claim = composer.claim(
                "conflict", text, cited[0][0], (index for _, index in cited), recipe=recipe, extraction_ids=ids
            )
            found.append(claim)
    return found


def _verb(conflict: Conflict) -> str:
    wanted = (conflict.kind, conflict.head)
    return min((m.verb for m in conflict.first.sentence.measures if (m.kind, m.head) == wanted), key=len)


def _missing(composer: _Composer, topic: Topic, section: Section) -> list[Claim]:
    ranked = []
    for name in sorted(topic.documents):
        result = count(recipe := {"figure": "missing_document", "name": name}, composer.source)
        ranked.append((-int(result["documents"]), name, recipe, result))
    found = []
    for _, name, recipe, result in sorted(ranked, key=lambda row: row[:2])[:MOST_MISSING]:
        parts = [
            index for index, part in _quotes(section) if name.casefold() in " ".join(part.content.casefold().split())
        ]
        referring = _listed(result["names"])
        verb = "refers" if result["documents"] == 1 else "refer"
        text = f"{referring} {verb} to “{name}”, which is not in the corpus."
        found.append(composer.claim("gap", text, section, parts, recipe={**recipe, "result": result}))
    return found


def _open(composer: _Composer, section: Section) -> list[Claim]:
    return [
        composer.claim("gap", f"{_name(part)} leaves a point open: “{_clip(part.content)}”", section, [index])
        for index, part in _quotes(section)[:MOST_OPEN]
    ]


def _without(composer: _Composer, topic: Topic, section: Section) -> list[Claim]:
    kind, head = topic.measure
    recipe = {"figure": "measure", "kind": kind, "head": head}
    result = count(recipe, composer.source)
    lacking = result["without"]
    if kind != "frequency" or not lacking or len(lacking) > FEW_WITHOUT * result["of"] or result["documents"] < 3:
        return []
    verb = "does" if len(lacking) == 1 else "do"
    text = (
        f"{len(lacking)} of {result['of']} documents {verb} not say {topic.name.replace(':', '')}: {_listed(lacking)}."
    )
    return [
        composer.claim(
            "gap", text, section, [index for index, _ in _quotes(section)], recipe={**recipe, "result": result}
        )
    ]


def _measure(composer: _Composer, topic: Topic, section: Section) -> list[Claim]:
    kind, head = topic.measure
    recipe = {"figure": "measure", "kind": kind, "head": head}
    result = count(recipe, composer.source)
    shown = [f"{label} in {times}" for label, times in result["values"][:4]]
    rest = sum(times for _, times in result["values"][4:])
    values = ", ".join([*shown, *([f"other values in {rest}"] if rest else [])])
    text = f"{result['documents']} of {result['of']} documents say {topic.name.replace(':', '')}: {values}."
    return [
        composer.claim(
            "statistic", text, section, [index for index, _ in _quotes(section)], recipe={**recipe, "result": result}
        )
    ]


def _coverage(composer: _Composer, section: Section) -> list[Claim]:
    recipe = {"figure": "coverage", "topic": section.topic}
    result = count(recipe, composer.source)
    verb = "speaks" if result["documents"] == 1 else "speak"
    text = f"{result['documents']} of {result['of']} documents {verb} to “{section.topic}”."
    return [
        composer.claim(
            "theme", text, section, [index for index, _ in _quotes(section)], recipe={**recipe, "result": result}
        )
    ]


def _requirements(composer: _Composer, section: Section) -> list[Claim]:
    """The first requirements of a section, condensed to who must do what by when."""
    found: list[Claim] = []
    speaking: set[str] = set()
    for index, part in _quotes(section):
        cited = part.citation
        if cited is None or cited.document_id in speaking or len(found) == REQUIREMENTS:
            continue
        known = [composer.extractions[each] for each in cited.extraction_ids if each in composer.extractions]
        duty = next((e for e in known if e.extraction_kind in ("obligation", "prohibition")), None)
        if duty is not None:
            text = f"{cited.document_name}: {_condensed(duty)}"
            found.append(composer.claim("requirement", text, section, [index], extraction_ids=(duty.extraction_id,)))
            speaking.add(cited.document_id)
    return found


def _condensed(duty: Extraction) -> str:
    """Actor, modality, action and deadline of a duty; the verbatim statement where it has no actor to name."""
    data = duty.tier1_data
    actor, modality, action = (str(data.get(each, "")).strip() for each in ("actor", "modality", "action"))
    if not actor or not action or len(duty.source_text) <= 160:
        return f"“{_clip(duty.source_text)}”"
    sentence = f"{actor} {modality} {action}"
    return f"{sentence[0].upper()}{sentence[1:]}".rstrip(" ,;:.") + "."


def _clip(text: str, most: int = 320) -> str:
    """``text`` on one line; cut at a word where it is long, which keeps it a verbatim prefix."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[:most].rsplit(" ", 1)[0] + " …"


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:SHORT_LIST])
    return shown if len(names) <= SHORT_LIST else f"{shown} and {len(names) - SHORT_LIST} more"
