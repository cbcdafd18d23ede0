"""The steps of a build that a model takes part in, together: a build by rules alone loads none of what they need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coditect.knowledge.derivation.decisions import overrule_mapped
from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.run import BuildRun
from coditect.knowledge.model_roles.agency import ROLE_NAMES, Agency
from coditect.knowledge.model_roles.at_odds.conflicts import pair_claims, read_conflicts, told_once
from coditect.knowledge.model_roles.at_odds.named import name_sentences
from coditect.knowledge.model_roles.at_odds.reading import report_at_odds
from coditect.knowledge.model_roles.contextualiser import situate_passages
from coditect.knowledge.model_roles.mapper import map_documents
from coditect.knowledge.model_roles.missing.reading import read_published
from coditect.knowledge.model_roles.missing.reported import PlacedTellings, ToldOfAll
from coditect.knowledge.model_roles.missing.told import gap_claims
from coditect.knowledge.model_roles.missing.whole import report_gaps
from coditect.knowledge.model_roles.reader import read_provisions
from coditect.knowledge.model_roles.selector import plan_selection, select_sentences
from coditect.knowledge.model_roles.summary import judge_claims, propose_claims
from coditect.knowledge.progress import Progress
from coditect.models.port import Embedder
from coditect.schemas import AgentSettings, Claim, Section, Verdict
from coditect.store.view import View
from coditect.tiers.claims.grounds import Grounds
from coditect.verify.checker import Evidence

__all__ = [
    "further_claims",
    "name_sentences",
    "played",
    "read_documents",
    "situate_passages",
    "told_of_all",
    "verdicts_heard",
]


def read_documents(agency: Agency, run: BuildRun, documents: Sequence[DocumentPlan]) -> None:
    """Ask what documents say, before they are derived."""
    map_documents(agency, run, documents)
    overrule_mapped(run, documents)
    plan_selection(agency, documents)
    read_provisions(agency, run, documents)
    select_sentences(agency, run, documents)


def told_of_all(agency: Agency, view: View, embedder: Embedder | None, progress: Progress) -> ToldOfAll:
    """What the reducer tells of a draft; without an embedder nothing of conflicts."""
    pairs = () if embedder is None else tuple(report_at_odds(agency, view, embedder, progress))
    return ToldOfAll(pairs, tuple(report_gaps(agency, view, progress)))


def played(agency: Agency) -> AgentSettings:
    """Who plays which role, as the settings of a build name it."""
    return agency.settings_for(ROLE_NAMES)


def further_claims(
    agency: Agency,
    corpus_id: str,
    summary_id: str,
    sections: Sequence[Section],
    placed: PlacedTellings,
    claims: Sequence[Claim],
    grounds: Grounds,
    progress: Progress,
) -> list[Claim]:
    """The claims of rules with those that a model proposes, each thing told once.

    Args:
        agency: the roles that a language model plays.
        corpus_id: the corpus.
        summary_id: the derivation of the summary.
        sections: Tier 3.
        placed: what the reducer tells of all statements.
        claims: those of rules.
        grounds: what they rest on.
        progress: told as sections are done.
    """
    every = list(claims)
    proposed = propose_claims(agency, corpus_id, summary_id, sections, progress)
    every += pair_claims(agency, summary_id, sections, placed.pairs, every, grounds)
    every += gap_claims(agency, summary_id, sections, placed.gaps, every, grounds)
    return told_once([*every, *proposed], sections)


def verdicts_heard(
    agency: Agency,
    view: View,
    claims: Sequence[Claim],
    verdicts: Mapping[str, Verdict],
    evidence: Evidence,
    progress: Progress,
) -> dict[str, Verdict]:
    """The verdicts of the checker with what the validator says of each claim."""
    heard = read_conflicts(agency, view, claims, verdicts, evidence, progress)
    heard = judge_claims(agency, view, claims, heard, evidence, progress)
    return read_published(agency, view, claims, heard, evidence, progress)
