"""What is true and not worth telling: such claims are counted, and not published.

Trivial are

* a *theme* that nobody asked for: a list of them is the table of contents, which the sections are already;
* a *statistic* on anything but what documents fix for themselves: documents review accounts, vendors and policies, and what they
  fix for one verb is not one matter (read blind, no such figure was right);
* a *grid* of a measure that most of the contracts do not fix, or of a verb that carries nothing ("include", "take");
* an *absent* law, rulebook or standard that is referred to in passing, fewer than ten times, or by the house's own documents or
  contracts alone, which name the laws that they are made under; it stands in the list of references;
* a *heading* that seems to have nothing below it: an item of a list, or one whose text is a list (read, none of 14 was so);
* what laws, rules and standards of others leave *open*, or a section of theirs that seems not to be there: the blank is one of a
  form, and the section as often another document's (read, none of them was right and of use).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from coditect.keyspace.terms import topic_key
from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.schemas import Claim, Section
from coditect.tiers.findings.measures import SELF, canonical
from coditect.tiers.findings.standing import Standings

__all__ = ["FEWEST_REFERENCES", "without_trivial"]

FEWEST_REFERENCES = 10
"""References to an absent document from which on it is told."""

_ACTS = read_table("acts")
_EMPTY = frozenset(canonical(stem(word)) for entry in ("light_verbs", "empty_verbs") for word in _ACTS.words(entry))


_EMPTY_VERB = "figures on verbs that say nothing of the matter"


def without_trivial(
    claims: Iterable[Claim], sections: Mapping[str, Section], standings: Standings, asked: Collection[str] = ()
) -> tuple[list[Claim], dict[str, int]]:
    """Claims that are worth telling, in their order, and how many others there were, by why they are not.

    Args:
        claims: the themes among them with those first that most documents share.
        sections: Tier 3, by id.
        standings: what the documents are.
        asked: topics that the user gave.
    """
    wanted = {topic_key(topic) for topic in asked}
    kept: list[Claim] = []
    why: Counter[str] = Counter()
    for claim in claims:
        reason = ""
        match claim.claim_kind, claim.recipe.get("figure"):
            case "theme", _ if topic_key(claim.topic) not in wanted:
                reason = "themes that nobody asked for"
            case "grid", _:
                reason = _grid(claim)
            case "statistic", _:
                reason = _statistic(claim, sections, standings)
            case "gap", "absent_document":
                reason = _absent(claim, sections, standings)
            case "gap", None if claim.recipe.get("gap") == "section":
                reason = "headings that seem to have nothing below them"
            case "gap", "missing_place" if _of_outside(claim, sections, standings):
                reason = "sections that are missing by what papers of others refer to"
            case "gap", None if claim.recipe.get("gap") == "open" and _of_outside(claim, sections, standings):
                reason = "open points in papers of others"
        if reason:
            why[reason] += 1
        else:
            kept.append(claim)
    return kept, dict(sorted(why.items()))


def _grid(claim: Claim) -> str:
    result = claim.recipe["result"]
    if claim.recipe.get("head") in _EMPTY:
        return _EMPTY_VERB
    return "grids of what most contracts do not fix" if 2 * result["contracts"] < result["of"] else ""


def _statistic(claim: Claim, sections: Mapping[str, Section], standings: Standings) -> str:
    if claim.recipe.get("head") in _EMPTY:
        return _EMPTY_VERB
    if claim.recipe.get("head") != SELF:
        return "figures that put different matters together"
    return "figures on contracts that agree on nothing" if _of_contracts(claim, sections, standings) else ""


def _absent(claim: Claim, sections: Mapping[str, Section], standings: Standings) -> str:
    if claim.recipe["result"]["references"] < FEWEST_REFERENCES:
        return "documents outside the corpus that are referred to less than ten times"
    if _of_contracts(claim, sections, standings):
        return "documents outside the corpus that only contracts refer to"
    if not _of_outside(claim, sections, standings, every=False):
        return "laws and standards that only the house's own documents refer to"
    return ""


def _of_contracts(claim: Claim, sections: Mapping[str, Section], standings: Standings) -> bool:
    """Whether everything that a claim cites stands in contracts."""
    return all(map(standings.is_contract, _documents(claim, sections)))


def _of_outside(claim: Claim, sections: Mapping[str, Section], standings: Standings, *, every: bool = True) -> bool:
    """Whether everything that a claim cites, or something of it, stands in papers of others."""
    outside = map(standings.is_outside, _documents(claim, sections))
    return all(outside) if every else any(outside)


def _documents(claim: Claim, sections: Mapping[str, Section]) -> list[str]:
    """The ids of the documents that a claim cites."""
    parts = (sections[each.section_id].content[each.part] for each in claim.citations)
    return [part.citation.document_id for part in parts if part.citation is not None]
