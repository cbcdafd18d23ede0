"""What the reducer reads of conflicts: claims of the pairs that it finds at odds, and its word on those that rules would publish.

A conflict of rules that it denies needs review, with its reason: of 62 that rules published of houses that they did not know five
were real (ADR 113). One that it confirms stays what it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.at_odds.pairs import (
    DENIALS,
    AskedStatement,
    SetReading,
    SetReadings,
    pairs_request,
    pairs_role,
    read_pairs,
)
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.at_odds.named import PlacedPair
from coditect.knowledge.model_roles.at_odds.pairs import SETS_AT_ONCE
from coditect.knowledge.model_roles.at_odds.sentences import ReportedSide
from coditect.knowledge.model_roles.at_odds.shown import REPORTED, ShownQuotes, parts_of
from coditect.knowledge.progress import Progress
from coditect.schemas import Claim, ClaimSource, EvidenceSpan, Opinion, Section, SectionPart, Verdict, VerdictLabel
from coditect.store.view import View
from coditect.tiers.claims.grounds import Grounds
from coditect.tiers.claims.phrases import at_odds, listed
from coditect.tiers.claims.rendering import render
from coditect.tiers.sections.topics import Topic
from coditect.verify.checker import Evidence
from coditect.verify.judges import combine

__all__ = ["is_of_rules", "pair_claims", "read_conflicts", "registers_of", "told_once"]

Place = tuple[str, int]
"""(document id, first code point of a sentence of Tier 2)."""


def registers_of(pairs: Sequence[PlacedPair], view: View) -> list[Topic]:
    """The registers of Tier 3 that quote what was found at odds, one for each two documents, by their names."""
    places: dict[tuple[str, str], set[Place]] = defaultdict(set)
    for each in pairs:
        first, second = (document_id for document_id, _ in each.places)
        places[first, second].update(each.places)
    names = {each: view.documents[each].name for both in places for each in both}
    return [
        Topic(
            f"{listed(sorted({names[first], names[second]}))}: statements that may be at odds",
            (),
            "conflict",
            ("read", ""),
            frozenset((first, second)),
            disputed=frozenset(own),
        )
        for (first, second), own in sorted(places.items(), key=lambda item: tuple(names[each] for each in item[0]))
    ]


def pair_claims(
    agency: Agency,
    derivation_id: str,
    sections: Sequence[Section],
    pairs: Sequence[PlacedPair],
    known: Sequence[Claim],
    grounds: Grounds,
) -> list[Claim]:
    """The claims that pairs make, but for what a claim of a conflict quotes on both sides already.

    Args:
        agency: whose reducer read the pairs.
        derivation_id: the derivation that makes the claims.
        sections: Tier 3, with the registers of :func:`registers_of`.
        pairs: what the reducer finds at odds.
        known: the claims that there are.
        grounds: what claims are rendered from.
    """
    if not pairs:
        return []
    by_id = {each.section_id: each for each in sections}
    told = [_quoted(by_id, claim) for claim in known if claim.claim_kind == "conflict"]
    registers = [(each, _parts(each)) for each in sections if each.section_kind == "conflict"]
    by = agency.version_of("reducer")
    claims: dict[frozenset[Place], Claim] = {}
    for each in pairs:
        both = frozenset(each.places)
        if both in claims or any(own >= both for own in told):
            continue
        # A register holds so many quotes and no more: what it has no room for is told of nothing.
        for section, parts in registers:
            if both <= parts.keys():
                quotes = [parts[place] for place in each.places]
                words = [
                    _words(section.content[part], side) for part, side in zip(quotes, each.pair.sides, strict=True)
                ]
                what = {"kind": each.pair.kind, "about": each.pair.about, "words": words}
                claims[both] = _claim(section, quotes, derivation_id, {"conflict": "read", **what, "by": by}, grounds)
                break
    return list(claims.values())


def told_once(claims: Sequence[Claim], sections: Sequence[Section]) -> list[Claim]:
    """Claims without the conflicts that a model reported of quotes which an earlier conflict has: topics share sentences.

    Args:
        claims: those of rules first, then those of sentences that were read for conflicts.
        sections: Tier 3, which they cite.
    """
    by_id = {each.section_id: each for each in sections}
    told: list[frozenset[Place]] = []
    kept = []
    for claim in claims:
        if claim.claim_kind == "conflict":
            own = _quoted(by_id, claim)
            if claim.recipe.get("conflict") == "reported" and any(each >= own for each in told):
                continue
            told.append(own)
        kept.append(claim)
    return kept


def _words(part: SectionPart, side: ReportedSide) -> str:
    """The words of a quote that a model names; where it holds a part of them, that part."""
    assert part.citation is not None  # noqa: S101 - _parts lets nothing else through
    start = part.citation.char_start
    return part.content[max(0, side.start - start) : max(0, side.end - start)]


def _claim(
    section: Section, parts: Sequence[int], derivation_id: str, recipe: dict[str, Any], grounds: Grounds
) -> Claim:
    quotes = [section.content[part] for part in parts]
    told = render("conflict", recipe, quotes, grounds, section.topic)
    sides = [(each.citation.document_name, each.content) for each in quotes if each.citation is not None]
    return Claim.create(
        corpus_id=section.corpus_id,
        derivation_id=derivation_id,
        claim_kind="conflict",
        # What rules refuse, the checker says why, and the claim is kept with that.
        text=told.text or at_odds(sides),
        topic=section.topic,
        citations=tuple(ClaimSource(section_id=section.section_id, part=part) for part in parts),
        extraction_ids=(),
        recipe=recipe,
    )


def _parts(section: Section) -> dict[Place, int]:
    """The index of each quote of a section by its place."""
    cited = ((index, part.citation) for index, part in enumerate(section.content))
    return {(each.document_id, each.char_start): index for index, each in cited if each is not None}


def _quoted(sections: Mapping[str, Section], claim: Claim) -> frozenset[Place]:
    """The places that a claim quotes."""
    parts = [sections[each.section_id].content[each.part].citation for each in claim.citations]
    return frozenset((each.document_id, each.char_start) for each in parts if each is not None)


# conflicts of rules


@dataclass(frozen=True, slots=True)
class _ReadClaim:
    """A conflict of rules, with its quotes as the reducer is shown them."""

    claim: Claim
    statements: tuple[AskedStatement, ...]


_Claims = tuple[_ReadClaim, ...]


def read_conflicts(
    agency: Agency,
    view: View,
    claims: Sequence[Claim],
    verdicts: Mapping[str, Verdict],
    evidence: Evidence,
    progress: Progress,
) -> dict[str, Verdict]:
    """Verdicts after the reducer read every conflict that rules would publish; the same where no model plays it.

    Args:
        agency: asks the reducer.
        view: the draft.
        claims: all that are proposed.
        verdicts: of the checker, by claim id.
        evidence: what they rest on.
        progress: told of answers.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    heard = dict(verdicts)
    if "reducer" not in agency.roles:
        return heard
    shown = ShownQuotes(view)
    told = [
        _ReadClaim(claim, tuple(map(shown.statement, parts_of(claim, evidence))))
        for claim in claims
        if is_of_rules(claim) and verdicts[claim.claim_id].label == "supported"
    ]
    portions = [tuple(told[at : at + SETS_AT_ONCE]) for at in range(0, len(told), SETS_AT_ONCE)]
    role, by = pairs_role(agency.roles["reducer"]), agency.version_of("reducer")

    def take(outcome: Outcome[_Claims, SetReadings]) -> None:
        readings: Sequence[SetReading | None] = [None] * len(outcome.item)
        failed = ""
        if outcome.value is None:
            agency.unanswered.update(f"reducer: {each.claim.claim_id}" for each in outcome.item)
            failed = f"it did not answer: {outcome.error}"
        else:
            agency.count_rejected("reducer", outcome.value.rejections)
            readings = outcome.value.readings
        for each, reading in zip(outcome.item, readings, strict=True):
            heard[each.claim.claim_id] = combine(heard[each.claim.claim_id], _opinion(reading, by, failed))

    stage: Stage[_Claims, SetReadings] = Stage(
        "reducer",
        "reducer reads conflicts",
        lambda: portions,
        lambda some: pairs_request(role, [each.statements for each in some]),
        lambda some, answer: read_pairs(answer, [each.statements for each in some]),
    )
    agency.run(stage, take, progress)
    return heard


def is_of_rules(claim: Claim) -> bool:
    """Whether a claim is a conflict that rules found, and no model."""
    return claim.claim_kind == "conflict" and claim.recipe.get("conflict") not in REPORTED


def _opinion(reading: SetReading | None, version: str, failed: str) -> Opinion:
    """What the reducer says of a conflict, as an opinion beside the checker's."""
    spans: tuple[EvidenceSpan, ...] = ()
    label: VerdictLabel = "needs_review"
    if reading is None:
        reason = failed or "what it said of them could not be taken"
    elif reading.why is not None:
        reason = f"not at odds: {DENIALS[reading.why]}"
    else:
        label, reason = "supported", f"at odds on: {reading.about}"
        spans = tuple(EvidenceSpan(quote=n, char_start=a, char_end=b) for n, (a, b) in enumerate(reading.words))
    return Opinion(judge="model", who="reducer", version=version, label=label, reason=reason, quotes=spans)
