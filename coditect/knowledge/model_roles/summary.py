"""Models over the whole corpus: conflicts that the reducer reports, sentences of the synthesiser, and the validator's opinion.

What they propose are claims like those of rules: they cite Tier 3 quotes, the checker judges them, and, where there is one, a
validator that sees nothing but the claim and its quotes. Only what both find supported is published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.reducer import (
    ConflictNote,
    ReducerQuote,
    Reduction,
    conflicts_of,
    read_reduction,
    reducer_request,
)
from coditect.agents.roles.synthesiser import Drafts, read_drafts, synthesiser_request
from coditect.agents.roles.validator import EvidencePiece, Judgement, read_judgement, validator_request
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.at_odds.shown import REPORTED, ShownQuotes, pieces_of
from coditect.knowledge.model_roles.missing.reading import is_read
from coditect.knowledge.progress import Progress
from coditect.schemas import Claim, ClaimSource, EvidenceSpan, Opinion, Section, SectionPart, Verdict
from coditect.store.view import View
from coditect.tiers.claims.phrases import reported
from coditect.verify.checker import Evidence
from coditect.verify.judges import combine

__all__ = ["judge_claims", "propose_claims"]

QUOTES_AT_ONCE = 40
"""Quotes that the reducer compares in one request; those of a longer section are compared within such portions."""

CHARS_AT_ONCE = 60_000
"""Code points of quotes that the synthesiser is shown in one request."""

JUDGED = frozenset(("requirement", "synthesis"))
"""Kinds of claims that may be sentences of somebody's own: a validator is asked about each, and about conflicts that a model
reported. What rules made of a recipe it reads some at a time (:mod:`coditect.knowledge.model_roles.missing.reading`).
"""


def propose_claims(
    agency: Agency, corpus_id: str, derivation_id: str, sections: Sequence[Section], progress: Progress
) -> list[Claim]:
    """The claims that models make over sections, no two alike, in the order of the sections."""
    claims: dict[str, Claim] = {}
    if "reducer" in agency.roles:
        for claim in _conflicts(agency, corpus_id, derivation_id, sections, progress):
            claims.setdefault(claim.text, claim)
    if "synthesiser" in agency.roles:
        for claim in _syntheses(agency, corpus_id, derivation_id, sections, progress):
            claims.setdefault(claim.text, claim)
    return list(claims.values())


# the reducer


@dataclass(frozen=True, slots=True)
class _ComparedQuotes:
    """Quotes of one section that are compared with each other."""

    section: Section
    quotes: tuple[ReducerQuote, ...]


_SIDE_BY_SIDE = frozenset(("missing", "open"))
"""Registers whose quotes stand together since something of each is missing or open, and not since they are on one matter."""


def _conflicts(
    agency: Agency, corpus_id: str, derivation_id: str, sections: Sequence[Section], progress: Progress
) -> Iterator[Claim]:
    role = agency.roles["reducer"]
    partials: dict[str, list[Reduction | None]] = {}

    def compared() -> Iterator[_ComparedQuotes]:
        for section in sections:
            if section.section_kind in _SIDE_BY_SIDE:
                continue
            quotes = [
                ReducerQuote(str(index), part.citation.document_name, part.content)
                for index, part in enumerate(section.content)
                if part.citation is not None
            ]
            for at in range(0, len(quotes), QUOTES_AT_ONCE):
                some = tuple(quotes[at : at + QUOTES_AT_ONCE])
                if len({quote.document_name for quote in some}) > 1:
                    yield _ComparedQuotes(section, some)

    def take(outcome: Outcome[_ComparedQuotes, Reduction]) -> None:
        section = outcome.item.section
        partials.setdefault(section.section_id, []).append(outcome.value)
        if outcome.value is None:
            agency.unanswered.add(f"reducer: {section.topic}")
        else:
            agency.count_rejected("reducer", outcome.value.rejections)

    stage: Stage[_ComparedQuotes, Reduction] = Stage(
        "reducer",
        "reducer compares",
        compared,
        lambda item: reducer_request(role, item.section.topic, item.quotes),
        lambda item, answer: read_reduction(answer, item.quotes),
    )
    agency.run(stage, take, progress)
    by = agency.version_of("reducer")
    for section in sections:
        for note in conflicts_of(partials.get(section.section_id, ())):
            claim = _conflict(corpus_id, derivation_id, section, note, by)
            if claim is not None:
                yield claim


def _conflict(corpus_id: str, derivation_id: str, section: Section, note: ConflictNote, by: str) -> Claim | None:
    """A reported conflict as a sentence of quotes, one for each document; None where one document speaks alone."""
    sides: dict[str, tuple[int, SectionPart]] = {}
    for index in sorted(int(key) for key in note.between):
        part = section.content[index]
        if part.citation is not None:
            sides.setdefault(part.citation.document_name, (index, part))
    if len(sides) < 2:
        return None
    return Claim.create(
        corpus_id=corpus_id,
        derivation_id=derivation_id,
        claim_kind="conflict",
        text=reported(section.topic, {name: part.content for name, (_, part) in sides.items()}),
        topic=section.topic,
        citations=tuple(ClaimSource(section_id=section.section_id, part=index) for index, _ in sides.values()),
        extraction_ids=(),
        recipe={"conflict": "reported", "kind": note.kind, "about": note.about, "by": by},
    )


# the synthesiser


def _syntheses(
    agency: Agency, corpus_id: str, derivation_id: str, sections: Sequence[Section], progress: Progress
) -> Iterator[Claim]:
    role = agency.roles["synthesiser"]
    found: list[tuple[tuple[Section, ...], Drafts]] = []

    def take(outcome: Outcome[tuple[Section, ...], Drafts]) -> None:
        if outcome.value is None:
            agency.unanswered.update(f"synthesiser: {section.topic}" for section in outcome.item)
            return
        dropped = outcome.value.dropped_citations
        agency.rejected("synthesiser", {"citation of other words": dropped} if dropped else {})
        found.append((outcome.item, outcome.value))

    stage: Stage[tuple[Section, ...], Drafts] = Stage(
        "synthesiser",
        "synthesiser writes",
        lambda: _portions(sections),
        lambda some: synthesiser_request(role, some),
        lambda some, answer: read_drafts(answer, some),
    )
    agency.run(stage, take, progress)
    recipe = {"by": agency.version_of("synthesiser")}
    for some, drafts in found:
        for draft in drafts.sentences:
            cited = tuple(ClaimSource(section_id=some[at].section_id, part=part) for at, part in draft.citations)
            yield Claim.create(
                corpus_id=corpus_id,
                derivation_id=derivation_id,
                claim_kind="synthesis",
                text=draft.text,
                topic=some[draft.citations[0][0]].topic if draft.citations else "",
                citations=cited,
                extraction_ids=(),
                recipe=recipe,
            )


def _portions(sections: Sequence[Section]) -> Iterator[tuple[Section, ...]]:
    """Sections that are shown together; those without a quote are not."""
    some: list[Section] = []
    chars = 0
    for section in sections:
        own = sum(len(part.content) for part in section.content if part.citation is not None)
        if some and own and chars + own > CHARS_AT_ONCE:
            yield tuple(some)
            some, chars = [], 0
        if own:
            some.append(section)
            chars += own
    if some:
        yield tuple(some)


# the validator


@dataclass(frozen=True, slots=True)
class _JudgedClaim:
    """A claim that is judged, with the quotes that it cites."""

    claim: Claim
    pieces: tuple[EvidencePiece, ...]


def judge_claims(
    agency: Agency,
    view: View,
    claims: Sequence[Claim],
    verdicts: Mapping[str, Verdict],
    evidence: Evidence,
    progress: Progress,
) -> dict[str, Verdict]:
    """Verdicts after the validator was heard on every claim that the checker would not refuse anyway.

    Args:
        agency: asks the validator, where a model plays it.
        view: the draft.
        claims: all that are proposed.
        verdicts: so far, by claim id.
        evidence: what they rest on.
        progress: told of answers.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    heard = dict(verdicts)
    doubtful = [claim for claim in claims if verdicts[claim.claim_id].label != "unsupported" and _is_judged(claim)]
    if "validator" not in agency.roles:
        for claim in doubtful:
            if claim.claim_kind == "conflict":
                said = _opinion("reducer", str(claim.recipe["by"]), "no validator was asked whether they differ")
                heard[claim.claim_id] = combine(heard[claim.claim_id], said)
        return heard
    role = agency.roles["validator"]
    by = agency.version_of("validator")

    shown = ShownQuotes(view)

    def judged(claim: Claim) -> _JudgedClaim:
        return _JudgedClaim(claim, pieces_of(claim, evidence, shown))

    def take(outcome: Outcome[_JudgedClaim, Judgement]) -> None:
        claim, judgement = outcome.item.claim, outcome.value
        if judgement is None:
            agency.unanswered.add(f"validator: {claim.claim_id}")
            said = _opinion("validator", by, f"it did not answer: {outcome.error}")
        else:
            agency.rejected("validator", {judgement.downgraded: 1} if judgement.downgraded else {})
            said = _judgement(judgement, by)
        heard[claim.claim_id] = combine(heard[claim.claim_id], said)

    stage: Stage[_JudgedClaim, Judgement] = Stage(
        "validator",
        "validator judges",
        lambda: map(judged, doubtful),
        lambda item: validator_request(role, item.claim.text, item.pieces),
        lambda item, answer: read_judgement(answer, item.claim.text, item.pieces),
    )
    agency.run(stage, take, progress)
    return heard


def _is_judged(claim: Claim) -> bool:
    return (claim.claim_kind in JUDGED and not is_read(claim)) or claim.recipe.get("conflict") in REPORTED


def _opinion(who: str, version: str, reason: str) -> Opinion:
    return Opinion(judge="model", who=who, version=version, label="needs_review", reason=reason)


def _judgement(judgement: Judgement, version: str) -> Opinion:
    reason = judgement.reason
    if judgement.downgraded:
        reason = f"not taken as “{judgement.given.replace('_', ' ')}”: {judgement.downgraded}; {reason}"
    return Opinion(
        judge="model",
        who="validator",
        version=version,
        label=judgement.verdict,
        reason=reason,
        quotes=tuple(
            EvidenceSpan(quote=each.evidence, char_start=each.start, char_end=each.end) for each in judgement.quotes
        ),
    )
