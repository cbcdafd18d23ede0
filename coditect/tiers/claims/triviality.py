"""What is true and not worth telling: such claims are counted, and not published.

Trivial are

* a *theme* of a single word, or beyond the few that most documents share: a list of them is the table of contents, which the
  sections are already; what a user asks for by name is told;
* a *statistic* on a verb that carries nothing ("include", "take"), since what the documents fix is then not one matter, and a grid
  likewise; and one on
  contracts alone, which agree on nothing and need not: a grid tells them where there is a usual value;
* an *absent* law, rulebook or standard that is referred to in passing, fewer than three times, or by contracts alone, which
  name the laws that they are made under; it stands in the list of references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from coditect.keyspace.terms import topic_key
from coditect.language.tables import read_table
from coditect.language.terms import stem
from coditect.schemas import Claim, Section
from coditect.tiers.findings.measures import canonical
from coditect.tiers.findings.standing import Standings

__all__ = ["FEWEST_REFERENCES", "MOST_THEMES", "without_trivial"]

MOST_THEMES = 3
"""Themes of a corpus that are told, those that most documents share."""

FEWEST_REFERENCES = 3
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
    themes = 0
    for claim in claims:
        reason = ""
        match claim.claim_kind, claim.recipe.get("figure"):
            case "theme", _ if topic_key(claim.topic) not in wanted:
                reason = _theme(claim, themes)
                themes += not reason
            case "grid", _ if claim.recipe.get("head") in _EMPTY:
                reason = _EMPTY_VERB
            case "statistic", _:
                reason = _statistic(claim, sections, standings)
            case "gap", "absent_document":
                reason = _absent(claim, sections, standings)
        if reason:
            why[reason] += 1
        else:
            kept.append(claim)
    return kept, dict(sorted(why.items()))


def _theme(claim: Claim, told: int) -> str:
    if len(claim.topic.split()) == 1:
        return "themes of a single word"
    return f"themes beyond the {MOST_THEMES} that most documents share" if told >= MOST_THEMES else ""


def _statistic(claim: Claim, sections: Mapping[str, Section], standings: Standings) -> str:
    if claim.recipe.get("head") in _EMPTY:
        return _EMPTY_VERB
    return "figures on contracts that agree on nothing" if _of_contracts(claim, sections, standings) else ""


def _absent(claim: Claim, sections: Mapping[str, Section], standings: Standings) -> str:
    if claim.recipe["result"]["references"] < FEWEST_REFERENCES:
        return "documents outside the corpus that are referred to less than three times"
    if _of_contracts(claim, sections, standings):
        return "documents outside the corpus that only contracts refer to"
    return ""


def _of_contracts(claim: Claim, sections: Mapping[str, Section], standings: Standings) -> bool:
    """Whether everything that a claim cites stands in contracts."""
    parts = [sections[each.section_id].content[each.part] for each in claim.citations]
    return all(part.citation is not None and standings.is_contract(part.citation.document_id) for part in parts)
