"""Tiers 3 and 4 of a build: sections that are still right are used again, the summary is composed and validated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.errors import CoditectError, Unsupported
from coditect.integrity.evidence import evidence_for, quoted_extractions
from coditect.knowledge.building.material import Material
from coditect.knowledge.building.remarks import READ, Told, Unread, empty_tiers, named
from coditect.knowledge.building.tier2 import KeptMember
from coditect.knowledge.model_roles.agency import Agency
from coditect.knowledge.model_roles.summary import judge_claims, propose_claims
from coditect.knowledge.progress import Progress
from coditect.knowledge.report.standing import phrases_of
from coditect.knowledge.review.in_force import UNREVIEWED, Reviews, review_parameters, settled
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import (
    Claim,
    CorpusSummary,
    Derivation,
    Section,
    Verdict,
    canonical_json,
    derivation_id_for,
    sha256_hex,
)
from coditect.store.calibrations import calibrations_of
from coditect.store.view import View, with_manifest
from coditect.tiers.claims.composition import CLAIMS_VERSION, compose_claims
from coditect.tiers.claims.grounds import Grounds
from coditect.tiers.claims.precision import PRECISION_VERSION
from coditect.tiers.claims.triviality import without_trivial
from coditect.tiers.claims.weight import ranked, weighed
from coditect.tiers.findings.conflicts.detection import CONFLICTS_VERSION, StatementConflict, conflicts_of
from coditect.tiers.findings.standing import Standings
from coditect.tiers.sections.composition import SECTIONS_VERSION, Drawn, SectionMember, build_section
from coditect.tiers.sections.registers import REGISTERS_VERSION, find_registers
from coditect.tiers.sections.topics import TOPICS_VERSION, Topic, given_topics
from coditect.tiers.shares.kept import Numbers
from coditect.tiers.shares.spoken import Speaker
from coditect.verify.checker import CHECKER_VERSION, Evidence, check
from coditect.verify.judges import dismissed

__all__ = ["UPPER_VERSIONS", "UpperTiers", "Validate", "build_upper", "find_upper"]

UPPER_VERSIONS = {
    "topics": TOPICS_VERSION,
    "registers": REGISTERS_VERSION,
    "conflicts": CONFLICTS_VERSION,
    "sections": SECTIONS_VERSION,
    "claims": CLAIMS_VERSION,
    "precision": PRECISION_VERSION,
    "checker": CHECKER_VERSION,
}


@dataclass(slots=True)
class UpperTiers:
    """Tiers 3 and 4.

    Attributes:
        sections: Tier 3, in order.
        summary: Tier 4.
        claims: those that are published, in the order of the summary.
        derived: items made, by tier.
        reused: items that were there already, by tier.
    """

    sections: list[Section]
    summary: CorpusSummary
    claims: list[Claim] = field(default_factory=list)
    derived: dict[str, int] = field(default_factory=lambda: {"sections": 0, "claims": 0})
    reused: dict[str, int] = field(default_factory=lambda: {"sections": 0, "claims": 0})


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


Validate = Callable[[Sequence[Claim], Mapping[str, Verdict], Evidence], dict[str, Verdict]]
"""Gives the checker's verdicts again, by claim id, with somebody else's opinions of the claims."""


def find_upper(
    view: View, reading: Unread = READ, given: Sequence[Section] | None = None, reviews: Reviews = UNREVIEWED
) -> UpperTiers | None:
    """Tiers 3 and 4 of a draft, if exactly these documents were built with these settings before, and every agent answered."""
    own_id = _summary_derivation(view, _parameters(view, reading, given, reviews))
    found = view.store.derivations(view.corpus_id, [own_id]).get(own_id)
    if found is None:
        return None
    summary_id, *section_ids = found.outputs
    summary = view.items(CorpusSummary, [summary_id])[0]
    upper = UpperTiers(view.items(Section, section_ids), summary, view.items(Claim, summary.claims))
    upper.reused = {"sections": len(section_ids), "claims": len(summary.claims) + len(summary.filtered)}
    return upper


def build_upper(
    view: View,
    progress: Progress,
    reading: Unread = READ,
    agency: Agency | None = None,
    given: Sequence[Section] | None = None,
    validate: Validate | None = None,
    reviews: Reviews = UNREVIEWED,
) -> UpperTiers:
    """Compose, validate and store tiers 3 and 4 of a draft.

    Args:
        view: the draft.
        progress: told as sections are done.
        reading: what was not read.
        agency: the roles that a language model plays; None: rules alone.
        given: Tier 3 that a program composed; None: sections are planned and composed here.
        validate: asked about every claim beside the checker; None: nobody is.
        reviews: of claims, in force, by fingerprint.
    Raises:
        Unsupported: the validator failed; nothing is published.
    """
    material = Material(view)
    standings = material.standings
    conflicts = conflicts_of(material.entries.picked, material.weights, standings, material.entries)
    material.entries.let_go()
    sections, pairs, counts = _tier3(view, _plan(material, conflicts), progress, given)
    draft = view.manifest.model_copy(update={"sections": tuple((s.derivation_id, s.section_id) for s in sections)})
    index = LiveIndex(with_manifest(view, draft), material.index.outward_references)
    parameters = _parameters(view, reading, given, reviews)
    summary_id = _summary_derivation(view, parameters)
    progress("composing claims", 0, 0)
    grounds = Grounds(index, quoted_extractions(view, sections), material)
    claims = compose_claims(view.corpus_id, summary_id, pairs, conflicts, grounds)
    # A section that a program stored was asked for by its name, as a topic is that a user gave.
    asked = [each.topic for each in given] if given is not None else view.manifest.settings.topics
    claims, trivial = without_trivial(claims, {each.section_id: each for each in sections}, standings, asked)
    if agency is not None:
        claims += propose_claims(agency, view.corpus_id, summary_id, sections, progress)
    claims = ranked(weighed(claims, {each.section_id: each for each in sections}, grounds))
    evidence = evidence_for(index, sections, grounds)
    verdicts, heard = _judged(view, claims, evidence, progress, agency, validate)
    if "unanswered" in heard:
        reading = replace(reading, unanswered=len(heard["unanswered"]))
    if heard:
        parameters = {**parameters, **heard}
        summary_id = _summary_derivation(view, parameters)
        claims, verdicts = _moved(claims, verdicts, summary_id)
    verdicts = settled(reviews, claims, verdicts, evidence)
    told = Told(
        trivial,
        empty_tiers(
            view,
            sections,
            claims,
            verdicts,
            standings,
            material.entries.counted,
            material.words,
            sum(trivial.values()),
        ),
    )
    summary = _summary(view, summary_id, claims, verdicts, sections, reading, told, standings)
    new, _ = view.store.put_items([*claims, *verdicts.values(), summary])
    view.store.put_derivations([_summary_step(view, parameters, summary, sections)])
    published = [claim for claim in claims if verdicts[claim.claim_id].published]
    upper = UpperTiers(sections, summary, published, *counts)
    upper.derived["claims"] = len(claims) if new else 0
    upper.reused["claims"] = 0 if new else len(claims)
    return upper


def _tier3(
    view: View,
    planned: Sequence[Planned],
    progress: Progress,
    given: Sequence[Section] | None,
) -> tuple[list[Section], list[tuple[Topic, Section]], tuple[dict[str, int], dict[str, int]]]:
    """Tier 3, its sections with their topics, and how many items were (derived, used again), by tier."""
    if given is not None:
        counts = {"sections": 0, "claims": 0}, {"sections": len(given), "claims": 0}
        return list(given), _topics_of(view, given, planned), counts
    sections, counts = _sections(view, planned, progress)
    pairs = [(each.topic, section) for each, section in zip(planned, sections, strict=True)]
    return sections, pairs, counts


def _judged(
    view: View,
    claims: Sequence[Claim],
    evidence: Evidence,
    progress: Progress,
    agency: Agency | None,
    validate: Validate | None,
) -> tuple[dict[str, Verdict], dict[str, Any]]:
    """The verdicts on claims, and what was said of them that is not known before they are composed, as parameters."""
    verdicts = _validate(view, claims, evidence)
    heard: dict[str, Any] = {}
    if validate is not None:
        verdicts = validate(claims, verdicts, evidence)
        heard["opinions"] = _opinions_sha256(claims, verdicts)
    if agency is not None:
        verdicts = judge_claims(agency, claims, verdicts, evidence, progress)
        if agency.unanswered:  # this summary is not what these agents would make of it: the next build asks them again
            heard["unanswered"] = sorted(agency.unanswered)
    return verdicts, heard


def _moved(
    claims: Sequence[Claim], verdicts: Mapping[str, Verdict], derivation_id: str
) -> tuple[list[Claim], dict[str, Verdict]]:
    """Claims and their verdicts as outputs of another derivation."""
    moved: list[Claim] = []
    again: dict[str, Verdict] = {}
    for claim in claims:
        fields = {name: getattr(claim, name) for name in Claim.model_fields if name != "claim_id"}
        other = Claim.create(**{**fields, "derivation_id": derivation_id})
        verdict = verdicts[claim.claim_id]
        said = {name: getattr(verdict, name) for name in Verdict.model_fields if name != "verdict_id"}
        moved.append(other)
        again[other.claim_id] = Verdict.create(**{**said, "claim_id": other.claim_id})
    return moved, again


def _opinions_sha256(claims: Sequence[Claim], verdicts: Mapping[str, Verdict]) -> str:
    """What a validator said of claims, in the identity of their summary."""
    said = [[each.model_dump(mode="json") for each in verdicts[claim.claim_id].opinions] for claim in claims]
    return sha256_hex(canonical_json(said))


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


def _plan(material: Material, conflicts: Sequence[StatementConflict]) -> list[Planned]:
    """Topics and registers with the chunks that speak to each; those to which none speaks are left out."""
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
    for register in registers:
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


def _validate(view: View, claims: Sequence[Claim], evidence: Evidence) -> dict[str, Verdict]:
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
    reading: Unread,
    told: Told,
    standings: Standings,
) -> CorpusSummary:
    published = [claim for claim in claims if verdicts[claim.claim_id].published]
    refused = tuple(each.claim_id for each in claims if dismissed(verdicts[each.claim_id].opinions))
    counts = view.manifest.counts
    lead = f"{counts['documents']} documents, {counts['extractions']:,} extractions, {len(sections)} sections."
    return CorpusSummary.create(
        corpus_id=view.corpus_id,
        derivation_id=derivation_id,
        summary_text="\n".join(
            [
                lead,
                *reading.sentences,
                *_by_dates(standings),
                *_dismissals(refused),
                *told.sentences,
                *(claim.text for claim in published),
            ]
        ),
        claims=tuple(claim.claim_id for claim in published),
        filtered=tuple(claim.claim_id for claim in claims if not verdicts[claim.claim_id].published),
        verdicts={claim_id: verdict.verdict_id for claim_id, verdict in sorted(verdicts.items())},
        source_sections=tuple(section.section_id for section in sections),
        minimum_support=view.manifest.settings.minimum_support,
        unread=reading.files,
        read_by_rules=reading.by_rules,
        dismissed=refused or None,
        trivial=told.trivial or None,
        empty=told.empty or None,
    )


def _dismissals(refused: Sequence[str]) -> list[str]:
    """For the summary's text: how many claims persons dismissed."""
    return [f"Claims dismissed by reviewers: {len(refused)}."] if refused else []


def _summary_step(
    view: View, parameters: dict[str, Any], summary: CorpusSummary, sections: Sequence[Section]
) -> Derivation:
    """The derivation of a summary, with what it gave."""
    return Derivation(
        derivation_id=summary.derivation_id,
        corpus_id=view.corpus_id,
        stage="summary",
        inputs=_summary_inputs(view),
        method="deterministic",
        parameters=parameters,
        code_version=_code(),
        outputs=(),
    ).giving([summary, *sections])


def _by_dates(standings: Standings) -> list[str]:
    """For the summary's text: what the documents' dates say on the day that the build keeps."""
    told = phrases_of(standings)
    names = sorted((standings.documents[each].name, "; ".join(phrases)) for each, phrases in told.items())
    return [f"By their dates: {named([f'{name} ({phrases})' for name, phrases in names])}."] if names else []


def _summary_inputs(view: View) -> tuple[str, ...]:
    return tuple(sorted(view.manifest.trees.values()))


def _parameters(view: View, reading: Unread, given: Sequence[Section] | None, reviews: Reviews) -> dict[str, Any]:
    unread = {"unread": list(reading.files)} if reading.files else {}
    by_rules = {"read_by_rules": list(reading.by_rules)} if reading.by_rules else {}
    sections = {} if given is None else {"sections": [section.section_id for section in given]}
    calibration = calibrations_of(view.store, view.corpus_id).build_parameters
    settings = view.manifest.settings.model_dump(mode="json", exclude_none=True)
    return {**settings, **unread, **by_rules, **sections, **review_parameters(reviews), **calibration}


def _code() -> str:
    return " ".join(UPPER_VERSIONS[name] for name in sorted(UPPER_VERSIONS))


def _summary_derivation(view: View, parameters: dict[str, Any]) -> str:
    return derivation_id_for(view.corpus_id, "summary", _summary_inputs(view), "deterministic", parameters, _code())
