"""Tier 3 of a build: which sections there are, and those of them that are still right are used again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.knowledge.building.material import Material
from coditect.knowledge.building.tier2 import KeptMember
from coditect.knowledge.progress import Progress
from coditect.schemas import Derivation, Section, canonical_json, sha256_hex
from coditect.store.view import View
from coditect.tiers.findings.conflicts.opposed.told import StatementConflict
from coditect.tiers.sections.composition import SECTIONS_VERSION, Drawn, SectionMember, build_section
from coditect.tiers.sections.registers import find_registers
from coditect.tiers.sections.topics import Topic, given_topics
from coditect.tiers.shares.kept import Numbers
from coditect.tiers.shares.speakers import Speaker

__all__ = ["Planned", "build_tier3", "plan_sections"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A section that is to be composed, or was.

    Attributes:
        topic: what it is about.
        members: the chunks among which those are that it quotes.
        speaking: the ids of all chunks that speak to it, and of each how much, in the order of their ids.
        drawn: the same chunks as the section names them.
    """

    topic: Topic
    members: Sequence[SectionMember]
    speaking: list[tuple[str, float]]
    drawn: Drawn


def plan_sections(
    material: Material, conflicts: Sequence[StatementConflict], reported: Sequence[Topic] = ()
) -> list[Planned]:
    """Topics and registers with the chunks that speak to each; those to which none speaks are left out.

    Args:
        material: what the draft's documents say.
        conflicts: that rules tell.
        reported: registers of what a model finds at odds.
    """
    settings = material.view.manifest.settings
    words = material.words
    topics = given_topics(settings.topics) if settings.topics else words.topics(settings.max_topics)
    planned = [
        Planned(
            topic, _members(material, found.quoted), *_drawn(material, found.documents, found.numbers, found.relevance)
        )
        for topic, found in zip(topics, words.speakers(topics), strict=True)
        if len(found.documents)
    ]
    absent = material.absent.values()
    registers = find_registers(
        material.statements, material.index.documents, conflicts, material.standings, absent, material.missing
    )
    for register in (*registers, *reported):
        own = material.statements.speakers(register)
        if own:
            rows = zip(*((each.document, each.chunk, each.relevance) for each in own), strict=True)
            planned.append(Planned(register, _members(material, own), *_drawn(material, *map(np.array, rows))))
    return planned


def _members(material: Material, speakers: Sequence[Speaker]) -> list[KeptMember]:
    return [KeptMember(material.tier2, each) for each in speakers]


def _drawn(
    material: Material, documents: Numbers, numbers: Numbers, relevance: npt.NDArray[np.float64]
) -> tuple[list[tuple[str, float]], Drawn]:
    """(ids of chunks and their relevance, in the order of the ids; the same chunks as a section names them).

    Args:
        material: what the chunks are of.
        documents: the number of the document of each, in order.
        numbers: its own number there.
        relevance: 0..1.
    """
    shares = material.shares
    order = np.argsort(material.ranks[documents], kind="stable")
    places = zip(documents[order].tolist(), numbers[order].tolist(), strict=True)
    chunks = [shares[document].chunks[number] for document, number in places]
    speaking = sorted(zip(chunks, relevance[order].tolist(), strict=True))
    return speaking, Drawn(tuple(chunks), len(np.unique(documents)))


def build_tier3(
    view: View,
    planned: Sequence[Planned],
    progress: Progress,
    given: Sequence[Section] | None,
) -> tuple[list[Section], list[tuple[Topic, Section]], tuple[dict[str, int], dict[str, int]]]:
    """Tier 3, its sections with their topics, and how many items were (derived, used again), by tier.

    Args:
        view: the draft.
        planned: the sections that its documents give, in order.
        progress: told as sections are done.
        given: Tier 3 that a program composed; None: those that are planned.
    """
    if given is not None:
        counts = {"sections": 0, "claims": 0}, {"sections": len(given), "claims": 0}
        return list(given), _topics_of(view, given, planned), counts
    sections, counts = _sections(view, planned, progress)
    pairs = [(each.topic, section) for each, section in zip(planned, sections, strict=True)]
    return sections, pairs, counts


def _topics_of(view: View, given: Sequence[Section], planned: Sequence[Planned]) -> list[tuple[Topic, Section]]:
    """Sections that a program gives, with their topics.

    A register (of conflicts, measures or gaps) that another build made is heard where these documents give the same one; where
    they do not, what it counts does not hold for them, and it is quoted without a claim of its own.
    """
    ratio = view.manifest.settings.max_synthesis_ratio
    known = {_section_step(view, each, ratio).derivation_id: each.topic for each in planned}
    return [
        (known.get(section.derivation_id) or Topic(section.topic, section.topic_terms), section)
        for section in given
        if section.section_kind == "topic" or section.derivation_id in known
    ]


def _sections(
    view: View, planned: Sequence[Planned], progress: Progress
) -> tuple[list[Section], tuple[dict[str, int], dict[str, int]]]:
    names = {document_id: version.name for document_id, version in view.documents.items()}
    ratio = view.manifest.settings.max_synthesis_ratio
    wanted = [_section_step(view, each, ratio) for each in planned]
    known = view.store.derivations(view.corpus_id, [step.derivation_id for step in wanted])
    sections: list[Section] = []
    fresh: list[Section] = []
    steps: list[Derivation] = []
    for number, (each, step) in enumerate(zip(planned, wanted, strict=True), 1):
        done = known.get(step.derivation_id)
        if done is not None:
            sections += view.items(Section, done.outputs)
        else:
            section = build_section(
                view.corpus_id, step.derivation_id, each.topic, each.members, names, ratio, each.drawn
            )
            fresh.append(section)
            sections.append(section)
            steps.append(step.giving([section]))
        progress("sections", number, len(planned))
    view.store.put_items(fresh)
    view.store.put_derivations(steps)
    counts = {"sections": len(fresh), "claims": 0}, {"sections": len(sections) - len(fresh), "claims": 0}
    return sections, counts


def _section_step(view: View, planned: Planned, ratio: float) -> Derivation:
    """The derivation of a section without its output; its id covers the members, their relevance and the topic."""
    topic = planned.topic
    parameters: dict[str, Any] = {
        "kind": topic.kind,
        "topic": topic.name,
        "terms": list(topic.stems),
        "measure": list(topic.measure),
        "documents": sorted(topic.documents),
        "disputed": sorted(map(list, topic.disputed)),
        "max_synthesis_ratio": ratio,
    }
    inputs = (f"chunks:{sha256_hex(canonical_json(planned.speaking))}",)
    return Derivation.create(view.corpus_id, "section", inputs, "quotes", parameters, SECTIONS_VERSION)
