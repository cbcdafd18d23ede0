"""Tiers 3 and 4 of a build: sections that are still right are used again, the summary is composed and validated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coditect.errors import CoditectError, Unsupported
from coditect.integrity.evidence import evidence_for, quoted_extractions
from coditect.knowledge.progress import Progress
from coditect.schemas import (
    Chunk,
    Claim,
    CorpusSummary,
    Derivation,
    Extraction,
    Section,
    Verdict,
    canonical_json,
    derivation_id_for,
    sha256_hex,
)
from coditect.store.live import LiveIndex
from coditect.store.view import View
from coditect.tiers.claims import CLAIMS_VERSION, compose_claims
from coditect.tiers.conflicts import CONFLICTS_VERSION, Conflict, find_conflicts
from coditect.tiers.registers import REGISTERS_VERSION, find_registers
from coditect.tiers.sections import SECTIONS_VERSION, Member, build_section
from coditect.tiers.topics import TOPICS_VERSION, Topic, find_topics, given_topics, speaks_to
from coditect.verify.checker import CHECKER, check

__all__ = ["UPPER_VERSIONS", "UpperTiers", "build_upper", "find_upper"]

UPPER_VERSIONS = {
    "topics": TOPICS_VERSION,
    "registers": REGISTERS_VERSION,
    "conflicts": CONFLICTS_VERSION,
    "sections": SECTIONS_VERSION,
    "claims": CLAIMS_VERSION,
    "checker": CHECKER,
}


@dataclass(slots=True)
class UpperTiers:
    """Tiers 3 and 4.

    Attributes:
        sections: Tier 3, in order.
        summary: Tier 4.
        derived: items made, by tier.
        reused: items that were there already, by tier.
    """

    sections: list[Section]
    summary: CorpusSummary
    derived: dict[str, int] = field(default_factory=lambda: {"sections": 0, "claims": 0})
    reused: dict[str, int] = field(default_factory=lambda: {"sections": 0, "claims": 0})


def find_upper(view: View) -> UpperTiers | None:
    """Tiers 3 and 4 of a draft, if exactly these documents were built with these settings before."""
    own_id = _summary_derivation(view)
    found = view.store.derivations(view.corpus_id, [own_id]).get(own_id)
    if found is None:
        return None
    summary_id, *section_ids = found.outputs
    summary = view.items(CorpusSummary, [summary_id])[0]
    upper = UpperTiers(view.items(Section, section_ids), summary)
    upper.reused = {"sections": len(section_ids), "claims": len(summary.claims) + len(summary.filtered)}
    return upper


def build_upper(view: View, progress: Progress) -> UpperTiers:
    """Compose, validate and store tiers 3 and 4 of a draft.

    Raises:
        Unsupported: the validator failed; nothing is published.
    """
    chunks = list(view.all_chunks())
    conflicts = find_conflicts(chunks)
    planned = _plan(view, chunks, conflicts)
    sections, upper_counts = _sections(view, planned, progress)
    draft = view.manifest.model_copy(update={"sections": tuple((s.derivation_id, s.section_id) for s in sections)})
    index = LiveIndex(View(view.store, draft, view.generation))
    pairs = [(topic, section) for (topic, _), section in zip(planned, sections, strict=True)]
    extractions = quoted_extractions(view, sections)
    summary_id = _summary_derivation(view)
    progress("composing claims", 0, 0)
    claims = compose_claims(view.corpus_id, summary_id, pairs, conflicts, extractions, index)
    verdicts = _validate(view, index, claims, sections, extractions)
    summary = _summary(view, summary_id, claims, verdicts, sections)
    new, _ = view.store.put_items([*claims, *verdicts.values(), summary])
    view.store.put_derivations(
        [
            Derivation(
                derivation_id=summary_id,
                corpus_id=view.corpus_id,
                stage="summary",
                inputs=_summary_inputs(view),
                method="deterministic",
                parameters=_parameters(view),
                code_version=_code(),
                outputs=(summary.summary_id, *(section.section_id for section in sections)),
            )
        ]
    )
    upper = UpperTiers(sections, summary, *upper_counts)
    upper.derived["claims"] = len(claims) if new else 0
    upper.reused["claims"] = 0 if new else len(claims)
    return upper


def _plan(view: View, chunks: Sequence[Chunk], conflicts: Sequence[Conflict]) -> list[tuple[Topic, list[Member]]]:
    """Topics and registers with the chunks that speak to each; those to which none speaks are left out."""
    settings = view.manifest.settings
    topics = given_topics(settings.topics) if settings.topics else find_topics(chunks, settings.max_topics)
    members: dict[int, list[Member]] = defaultdict(list)
    for chunk in chunks:
        for index, relevance in speaks_to(chunk, topics):
            members[index].append(Member(chunk, relevance))
    planned = [(topic, members[index]) for index, topic in enumerate(topics) if members[index]]
    for register in find_registers(chunks, view.documents, conflicts):
        speaking = [
            Member(chunk, 1.0)
            for chunk in chunks
            if (not register.documents or chunk.document_id in register.documents)
            and any(register.admits(chunk, sentence) for sentence in chunk.selected_sentences)
        ]
        if speaking:
            planned.append((register, speaking))
    return planned


def _sections(
    view: View, planned: Sequence[tuple[Topic, list[Member]]], progress: Progress
) -> tuple[list[Section], tuple[dict[str, int], dict[str, int]]]:
    names = {document_id: version.name for document_id, version in view.documents.items()}
    ratio = view.manifest.settings.max_synthesis_ratio
    wanted = [_section_step(view, topic, members, ratio) for topic, members in planned]
    known = view.store.derivations(view.corpus_id, [step.derivation_id for step in wanted])
    sections: list[Section] = []
    fresh: list[Section] = []
    steps: list[Derivation] = []
    for number, ((topic, members), step) in enumerate(zip(planned, wanted, strict=True), 1):
        done = known.get(step.derivation_id)
        if done is not None:
            sections += view.items(Section, done.outputs)
        else:
            section = build_section(view.corpus_id, step.derivation_id, topic, members, names, ratio)
            fresh.append(section)
            sections.append(section)
            steps.append(step.model_copy(update={"outputs": (section.section_id,)}))
        progress("sections", number, len(planned))
    view.store.put_items(fresh)
    view.store.put_derivations(steps)
    counts = {"sections": len(fresh), "claims": 0}, {"sections": len(sections) - len(fresh), "claims": 0}
    return sections, counts


def _section_step(view: View, topic: Topic, members: Sequence[Member], ratio: float) -> Derivation:
    """The derivation of a section without its output; its id covers the members, their relevance and the topic."""
    drawn = sorted((member.chunk.chunk_id, member.relevance) for member in members)
    parameters: dict[str, Any] = {
        "kind": topic.kind,
        "topic": topic.name,
        "terms": list(topic.stems),
        "measure": list(topic.measure),
        "documents": sorted(topic.documents),
        "disputed": sorted(map(list, topic.disputed)),
        "max_synthesis_ratio": ratio,
    }
    inputs = (f"chunks:{sha256_hex(canonical_json(drawn))}",)
    return Derivation(
        derivation_id=derivation_id_for(view.corpus_id, "section", inputs, "quotes", parameters, SECTIONS_VERSION),
        corpus_id=view.corpus_id,
        stage="section",
        inputs=inputs,
        method="quotes",
        parameters=parameters,
        code_version=SECTIONS_VERSION,
        outputs=(),
    )


def _validate(
    view: View,
    index: LiveIndex,
    claims: Sequence[Claim],
    sections: Sequence[Section],
    extractions: Mapping[str, Extraction],
) -> dict[str, Verdict]:
    evidence = evidence_for(index, sections, extractions)
    minimum = view.manifest.settings.minimum_support
    try:
        return {claim.claim_id: check(claim, evidence, minimum) for claim in claims}
    except (ValueError, KeyError, TypeError, ArithmeticError, CoditectError) as error:
        raise Unsupported(
            "the validator failed, so nothing was published",
            corpus_id=view.corpus_id,
            reason=repr(error),
            hint="The corpus still answers from its last generation.",
        ) from error


def _summary(
    view: View,
    derivation_id: str,
    claims: Sequence[Claim],
    verdicts: Mapping[str, Verdict],
    sections: Sequence[Section],
) -> CorpusSummary:
    published = [claim for claim in claims if verdicts[claim.claim_id].published]
    counts = view.manifest.counts
    lead = f"{counts['documents']} documents, {counts['extractions']:,} extractions, {len(sections)} sections."
    return CorpusSummary.create(
        corpus_id=view.corpus_id,
        derivation_id=derivation_id,
        summary_text="\n".join([lead, *(claim.text for claim in published)]),
        claims=tuple(claim.claim_id for claim in published),
        filtered=tuple(claim.claim_id for claim in claims if not verdicts[claim.claim_id].published),
        verdicts={claim_id: verdict.verdict_id for claim_id, verdict in sorted(verdicts.items())},
        source_sections=tuple(section.section_id for section in sections),
        minimum_support=view.manifest.settings.minimum_support,
    )


def _summary_inputs(view: View) -> tuple[str, ...]:
    return tuple(sorted(view.manifest.trees.values()))


def _parameters(view: View) -> dict[str, Any]:
    return view.manifest.settings.model_dump(mode="json")


def _code() -> str:
    return " ".join(UPPER_VERSIONS[name] for name in sorted(UPPER_VERSIONS))


def _summary_derivation(view: View) -> str:
    return derivation_id_for(
        view.corpus_id, "summary", _summary_inputs(view), "deterministic", _parameters(view), _code()
    )
