"""What a summary says of itself: what was not read, what was too trivial to be told, and why a tier holds nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from coditect.knowledge.review.doubts import is_possible
from coditect.schemas import Claim, Section, Verdict
from coditect.store.view import View
from coditect.tiers.findings.conflicts.detection import why_none
from coditect.tiers.findings.standing import Standings
from coditect.tiers.shares.spoken import SpokenWords

__all__ = ["MOST_NAMES", "READ", "Told", "Unread", "empty_tiers", "named"]

MOST_NAMES = 10
"""Names of unread files that the summary's text spells out; all stand in its record."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What a generation does not know, or not as well as it was asked to.

    Attributes:
        files: that could not be read, by name.
        by_rules: documents that an agent failed on, by name.
        unanswered: questions about this summary that agents did not answer.
    """

    files: tuple[str, ...] = ()
    by_rules: tuple[str, ...] = ()
    unanswered: int = 0

    @property
    def sentences(self) -> list[str]:
        """For the summary's text."""
        said = ((self.files, "Not read"), (self.by_rules, "Read by rules alone, because an agent failed"))
        lines = [f"{what}: {named(names)}." for names, what in said if names]
        return [*lines, f"Agents left {self.unanswered} questions about it unanswered."] if self.unanswered else lines


READ = Unread()
"""Everything was read."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a summary tells beside its claims.

    Attributes:
        trivial: how many claims were too trivial to be told, by why.
        empty: why a tier holds nothing, by tier.
    """

    trivial: Mapping[str, int] = field(default_factory=dict)
    empty: Mapping[str, str] = field(default_factory=dict)

    @property
    def sentences(self) -> list[str]:
        """For the summary's text."""
        counted = "; ".join(f"{why} ({times})" for why, times in self.trivial.items())
        lines = [f"No {tier}: {why}." for tier, why in self.empty.items()]
        return [*lines, f"True, and not worth telling: {counted}."] if counted else lines


def named(names: Sequence[str]) -> str:
    """Names in a row; of many only the first few, and how many others there are."""
    shown = ", ".join(names[:MOST_NAMES])
    return f"{shown} and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else shown


def empty_tiers(
    view: View,
    sections: Sequence[Section],
    claims: Sequence[Claim],
    verdicts: Mapping[str, Verdict],
    standings: Standings,
    counted: tuple[int, int],
    words: SpokenWords,
    trivial: int = 0,
) -> dict[str, str]:
    """Why each tier that holds nothing does; and why there are no conflicts, where there are claims and none is one.

    Args:
        view: the draft.
        sections: Tier 3.
        claims: all that were proposed.
        verdicts: on each of them, by claim id.
        standings: which documents bind the same people.
        counted: how many requirements there are, and of how many documents.
        words: in which topics were looked for.
        trivial: claims that were not proposed because they say too little.
    Returns:
        A phrase by the name of the tier, from Tier 1 up; nothing for tiers that hold something.
    """
    found: dict[str, str] = {}
    if not view.manifest.counts.get("extractions"):
        found["extractions"] = "no sentence of the documents requires, permits, defines, refers to or states anything"
    if not view.manifest.counts.get("chunks"):
        found["chunks"] = "chunks select among extractions, and there are none"
    if not sections:
        found["sections"] = _no_sections(view, words)
    if not any(verdicts[claim.claim_id].published for claim in claims):
        possible = sum(is_possible(verdicts[claim.claim_id]) for claim in claims)
        found["claims"] = _no_claims(sections, len(claims) - possible, possible, trivial)
    elif not any(claim.claim_kind == "conflict" for claim in claims) and (why := why_none(*counted, standings)):
        found["conflicts"] = why
    return found


def _no_sections(view: View, words: SpokenWords) -> str:
    asked = view.manifest.settings.topics
    if not view.manifest.counts.get("chunks"):
        return "sections quote chunks, and there are none"
    why = f"no statement speaks to {named([f'“{topic}”' for topic in asked])}" if asked else words.why_none()
    return (
        f"{why}; and no measure is fixed in three documents, no two documents that bind the same people differ, and nothing is "
        "missing or open"
    )


def _no_claims(sections: Sequence[Section], refused: int, possible: int, trivial: int) -> str:
    if not sections:
        return "claims are drawn from the quotes of sections, and there are none"
    left = [f"{refused} were refused or dismissed"] if refused else []
    left += [f"{possible} are only possible, and wait for a person"] if possible else []
    left += [f"{trivial} are too trivial to be told"] if trivial else []
    return (
        "; ".join(left)
        or "no quote of a section requires anything by itself, and nothing can be counted over several documents"
    )
