"""Tiers 3 and 4 of a build: sections that are still right are used again, the summary is composed and validated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from coditect.errors import CoditectError, Unsupported
from coditect.integrity.evidence import evidence_for, quoted_extractions
from coditect.knowledge.building.gathered.corpus import Gathered
from coditect.knowledge.building.identity import summary_id_for, summary_parameters, summary_step
from coditect.knowledge.building.material import Material
from coditect.knowledge.building.remarks import READ, Told, Unread, empty_tiers, named
from coditect.knowledge.building.sections import build_tier3, plan_sections
from coditect.knowledge.labour.handed import with_manifest
from coditect.knowledge.model_roles.missing.reported import NOTHING_PLACED, PlacedTellings
from coditect.knowledge.progress import Progress
from coditect.knowledge.report.standing import phrases_of
from coditect.knowledge.review.doubts import doubted, is_possible, likeliest
from coditect.knowledge.review.in_force import UNREVIEWED, Reviews, settled
from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import (
    Claim,
    CorpusSummary,
    Section,
    Verdict,
    canonical_json,
    sha256_hex,
)
from coditect.store.view import View
from coditect.tiers.claims.composition import compose_claims
from coditect.tiers.claims.grounds import Grounds
from coditect.tiers.claims.triviality import without_trivial
from coditect.tiers.claims.weight import ranked, weighed
from coditect.tiers.findings.standing import Standings
from coditect.verify.checker import Evidence, check
from coditect.verify.judges import dismissed
from coditect.verify.support.meaning import Meaning

if TYPE_CHECKING:
    from coditect.knowledge.model_roles.agency import Agency

__all__ = ["UpperTiers", "Validate", "build_upper", "find_upper"]


@dataclass(slots=True)
class UpperTiers:
    """Tiers 3 and 4.

    Attributes:
        sections: Tier 3, in order.
        summary: Tier 4.
        claims: those that are published, in the order of the summary.
        possible: conflicts and gaps that rules alone do not publish, in that order.
        derived: items made, by tier.
        reused: items that were there already, by tier.
    """

    sections: list[Section]
    summary: CorpusSummary
    claims: list[Claim] = field(default_factory=list)
    possible: list[Claim] = field(default_factory=list)
    derived: dict[str, int] = field(default_factory=lambda: {"sections": 0, "claims": 0})
    reused: dict[str, int] = field(default_factory=lambda: {"sections": 0, "claims": 0})


Validate = Callable[[Sequence[Claim], Mapping[str, Verdict], Evidence], dict[str, Verdict]]
"""Gives the checker's verdicts again, by claim id, with somebody else's opinions of the claims."""


def find_upper(
    view: View,
    reading: Unread = READ,
    given: Sequence[Section] | None = None,
    reviews: Reviews = UNREVIEWED,
    meaning: Meaning | None = None,
    placed: PlacedTellings = NOTHING_PLACED,
) -> UpperTiers | None:
    """Tiers 3 and 4 of a draft, if exactly these documents were built with these settings before, and every agent answered."""
    own_id = summary_id_for(view, summary_parameters(view, reading, given, reviews, _model(meaning), placed))
    found = view.store.derivations(view.corpus_id, [own_id]).get(own_id)
    if found is None:
        return None
    summary_id, *section_ids = found.outputs
    summary = view.items(CorpusSummary, [summary_id])[0]
    said = view.items(Verdict, [summary.verdicts[each] for each in summary.filtered])
    possible = [claim_id for claim_id, verdict in zip(summary.filtered, said, strict=True) if is_possible(verdict)]
    published, doubtful = view.items(Claim, summary.claims), likeliest(view.items(Claim, possible))
    upper = UpperTiers(view.items(Section, section_ids), summary, published, doubtful)
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
    meaning: Meaning | None = None,
    gathered: Gathered | None = None,
    placed: PlacedTellings = NOTHING_PLACED,
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
        meaning: an embedder with its weights, for claims in words of their own; None: only words are compared.
        gathered: what was gathered at the last build; keeps what this one read.
        placed: what the reducer tells of all statements.
    Raises:
        Unsupported: the validator failed; nothing is published.
    """
    material = Material(view, gathered)
    standings = material.standings
    conflicts = material.conflicts
    planned = plan_sections(material, conflicts, placed.registers(view))
    sections, topics, counts = build_tier3(view, planned, progress, given)
    material.keep()
    draft = view.manifest.model_copy(update={"sections": tuple((s.derivation_id, s.section_id) for s in sections)})
    index = LiveIndex(with_manifest(view, draft), material.index.outward_references)
    parameters = summary_parameters(view, reading, given, reviews, _model(meaning), placed)
    summary_id = summary_id_for(view, parameters)
    progress("composing claims", 0, 0)
    grounds = Grounds(index, quoted_extractions(view, sections), material)
    claims = compose_claims(view.corpus_id, summary_id, topics, conflicts, grounds)
    # A section that a program stored was asked for by its name, as a topic is that a user gave.
    asked = [each.topic for each in given] if given is not None else view.manifest.settings.topics
    claims, trivial = without_trivial(claims, {each.section_id: each for each in sections}, standings, asked)
    if agency is not None:
        from coditect.knowledge.model_roles.steps import further_claims

        claims = further_claims(agency, view.corpus_id, summary_id, sections, placed, claims, grounds, progress)
    claims = ranked(weighed(claims, {each.section_id: each for each in sections}, grounds))
    evidence = evidence_for(index, sections, grounds, lambda: meaning)
    verdicts, heard = _judged(view, claims, evidence, progress, agency, validate)
    if "unanswered" in heard:
        reading = replace(reading, unanswered=len(heard["unanswered"]))
    if heard:
        parameters = {**parameters, **heard}
        summary_id = summary_id_for(view, parameters)
        claims, verdicts = _moved(claims, verdicts, summary_id)
    verdicts = settled(reviews, claims, doubted(claims, verdicts), evidence)
    counted, hidden = (material.sums.requirements, material.sums.documents), sum(trivial.values())
    told = Told(trivial, empty_tiers(view, sections, claims, verdicts, standings, counted, material.words, hidden))
    summary = _summary(view, summary_id, claims, verdicts, sections, reading, told, standings)
    new, _ = view.store.put_items([*claims, *verdicts.values(), summary])
    view.store.put_derivations([summary_step(view, parameters, summary, sections)])
    published = [claim for claim in claims if verdicts[claim.claim_id].published]
    possible = likeliest(claim for claim in claims if is_possible(verdicts[claim.claim_id]))
    upper = UpperTiers(sections, summary, published, possible, *counts)
    upper.derived["claims"] = len(claims) if new else 0
    upper.reused["claims"] = 0 if new else len(claims)
    return upper


def _model(meaning: Meaning | None) -> str:
    """The weights that claims in words of their own are weighed with, and their embedder; "" for those of words alone."""
    return "" if meaning is None else f"{meaning.combiner.name}+{meaning.combiner.weights_sha256[:12]}"


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
        from coditect.knowledge.model_roles.steps import verdicts_heard

        verdicts = verdicts_heard(agency, view, claims, verdicts, evidence, progress)
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


def _by_dates(standings: Standings) -> list[str]:
    """For the summary's text: what the documents' dates say on the day that the build keeps."""
    told = phrases_of(standings)
    names = sorted((standings.documents[each].name, "; ".join(phrases)) for each, phrases in told.items())
    return [f"By their dates: {named([f'{name} ({phrases})' for name, phrases in names])}."] if names else []
