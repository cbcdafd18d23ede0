"""Claims of the gaps that the reducer tells: their place in Tier 2, the registers of Tier 3 that quote them, and the claims."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from coditect.knowledge.model_roles.agency import Agency
from coditect.knowledge.model_roles.at_odds.named import Place, places_of_sides
from coditect.knowledge.model_roles.missing.whole import ReportedGap
from coditect.schemas import Claim, ClaimSource, Restatement, Section
from coditect.store.view import View
from coditect.tiers.claims.grounds import Grounds
from coditect.tiers.claims.rendering import render
from coditect.tiers.sections.topics import Topic

__all__ = ["PlacedGap", "gap_claims", "gap_registers", "placed_gaps"]

_REGISTER = "what may be missing"
_TELLING = frozenset(("gap", "standing"))


@dataclass(frozen=True, slots=True)
class PlacedGap:
    """Something that a model finds missing, shown by one sentence of Tier 2, or by two.

    Attributes:
        gap: what it says.
        places: of the sentence that shows it, and behind it of another one where there is one.
    """

    gap: ReportedGap
    places: tuple[Place, ...]


def placed_gaps(view: View, gaps: Sequence[ReportedGap]) -> list[PlacedGap]:
    """Gaps with the sentences of Tier 2 that hold their words; those that Tier 2 cannot hold are left out."""
    held = places_of_sides(view, [side for each in gaps for side in each.sides])
    found = []
    for each in gaps:
        places = tuple(place for side in each.sides if (place := held[side]) is not None)
        if held[each.sides[0]] is not None:
            found.append(PlacedGap(each, tuple(dict.fromkeys(places))))
    return found


def gap_registers(gaps: Sequence[PlacedGap], view: View) -> list[Topic]:
    """The registers of Tier 3 that quote what is missing, one for each document, by their names."""
    places: dict[str, set[Place]] = defaultdict(set)
    for each in gaps:
        places[each.places[0][0]].update(each.places)
    return [
        Topic(
            f"{view.documents[own].name}: {_REGISTER}",
            (),
            "missing",
            ("read", ""),
            frozenset(document_id for document_id, _ in told),
            disputed=frozenset(told),
        )
        for own, told in sorted(places.items(), key=lambda item: view.documents[item[0]].name)
    ]


def gap_claims(
    agency: Agency,
    derivation_id: str,
    sections: Sequence[Section],
    gaps: Sequence[PlacedGap],
    known: Sequence[Claim],
    grounds: Grounds,
) -> list[Claim]:
    """The claims that gaps make, but for what a claim of rules tells of the same sentence and words.

    Args:
        agency: whose reducer read the documents.
        derivation_id: the derivation that makes the claims.
        sections: Tier 3, with the registers of :func:`gap_registers`.
        gaps: what the reducer finds missing.
        known: the claims that there are.
        grounds: what claims are rendered from.
    """
    if not gaps:
        return []
    by_id = {each.section_id: each for each in sections}
    registers = [(each, _parts(each)) for each in sections if each.topic.endswith(_REGISTER)]
    told = [(claim.text.casefold(), _shown_at(by_id, claim)) for claim in known if claim.claim_kind in _TELLING]
    by = agency.version_of("reducer")
    claims: dict[str, Claim] = {}
    for each in gaps:
        first = each.places[0]
        if any(place == first and each.gap.words.casefold() in text for text, place in told):
            continue
        # A register holds so many quotes and no more: what it has no room for is told of nothing.
        register = next(((section, parts) for section, parts in registers if first in parts), None)
        if register is not None:
            claim = _claim(register, each, derivation_id, by, grounds)
            claims.setdefault(claim.text, claim)
    return list(claims.values())


def _claim(
    register: tuple[Section, Mapping[Place, int]], gap: PlacedGap, derivation_id: str, by: str, grounds: Grounds
) -> Claim:
    section, parts = register
    cited = [parts[place] for place in gap.places if place in parts]
    recipe = {"gap": "read", "kind": gap.gap.kind, "words": gap.gap.words, "about": gap.gap.about, "by": by}
    told: Restatement = render("gap", recipe, [section.content[part] for part in cited], grounds, section.topic)
    return Claim.create(
        corpus_id=section.corpus_id,
        derivation_id=derivation_id,
        claim_kind="gap",
        # What rules refuse has no sentence of its own: the checker says why, and the claim is kept with that.
        text=told.text or f"Something is missing at “{gap.gap.words}”.",
        topic=section.topic,
        citations=tuple(ClaimSource(section_id=section.section_id, part=part) for part in cited),
        extraction_ids=(),
        recipe=recipe,
    )


def _parts(section: Section) -> dict[Place, int]:
    """The index of each quote of a section by its place."""
    cited = ((index, part.citation) for index, part in enumerate(section.content))
    return {(each.document_id, each.char_start): index for index, each in cited if each is not None}


def _shown_at(sections: Mapping[str, Section], claim: Claim) -> Place | None:
    """The place of the first quote of a claim, which tells it; those behind it show more."""
    cited = next((sections[each.section_id].content[each.part].citation for each in claim.citations), None)
    return None if cited is None else (cited.document_id, cited.char_start)
