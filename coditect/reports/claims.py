"""A claim in the audit report: under which heading it stands, what its checks mean, and its chain of evidence.

How its figure was made stands in :mod:`coditect.reports.figures`. The templates ``claims.html.j2`` and ``chains.html.j2`` show
what is put together here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from coditect.reports.figures import Figure, figure_of
from coditect.reports.model import AuditReport, ReportClaim, ReportPassage
from coditect.reports.wording import counted
from coditect.schemas import doubt_in
from coditect.tiers.claims.phrases import listed

__all__ = [
    "CLAIM_GROUPS",
    "HOW_TO_READ",
    "HOW_TO_SETTLE",
    "MOST_QUOTES",
    "WHAT_IS_POSSIBLE",
    "Chain",
    "Link",
    "chains_of",
    "check_meaning",
    "doubt_told",
    "groups_of",
    "possible_counted",
    "refusal_of",
]

CLAIM_GROUPS: tuple[tuple[str, str, str], ...] = (
    ("conflict", "Documents that disagree", "Documents of the corpus fix different things for the same matter."),
    (
        "stricter",
        "Stricter than another",
        "A document asks for more than another one; whoever keeps the stricter keeps both.",
    ),
    ("standing", "Documents by their dates", "Superseded, expired, not yet in force, or past their review."),
    ("gap", "Gaps", "Something is referred to, expected or announced, and is not there."),
    ("statistic", "Statistics", "Figures counted over all documents; each can be counted again."),
    ("grid", "Contracts side by side", "What each contract fixes, and which of them deviate from what most do."),
    ("theme", "Themes", "What the documents speak to, and how many of them do."),
    (
        "synthesis",
        "What a language model concludes",
        "In other words than the quotes; each passed every check and judge.",
    ),
    ("requirement", "Requirements", "What single documents ask, condensed from the statements that they cite."),
)
"""(claim kind, heading, what it means), in the order of the report."""

_CHECKS = {
    "cited": "Every citation leads to a quote",
    "recounted": "The figure, counted again from the indexes, is the same",
    "verbatim": "Words in quotation marks stand in a cited quote",
    "numbers": "Every number stands in the evidence",
    "attributed": "The claim names the document that it speaks of",
    "contained": "Every word of substance stands in the evidence",
    "qualified": "No condition or exception is left out",
    "negation": "No negation is dropped or added",
    "modality": "The claim is no stronger than its source",
    "differing": "The cited quotes fix or ask for different things",
    "worded": "The sentence is the one that its evidence gives, word for word",
    "readable": "It can be checked",
    "support": "The evidence says it",
    "rewrite": "It may be its evidence in other words",
    "sources_disagree": "No document of the corpus denies what another one says",
    "missing": "What is said to be missing, open or overdue is so in the evidence",
}

_DIFFERENCES = {
    "number": "numbers",
    "unit": "units",
    "date": "dates",
    "duration": "periods",
    "percentage": "percentages",
    "currency": "amounts",
    "reference": "references",
    "entity": "names",
    "negation": "negations",
    "modality": "binding words",
    "quantifier": "scope",
    "condition": "conditions and exceptions",
    "comparative": "comparisons",
    "role": "roles",
    "substitution": "choice of words",
}

WHAT_IS_POSSIBLE = "Rules suspect them; what rules suspect of these kinds is too rarely right to be published."
"""Why possible findings are not published."""

HOW_TO_SETTLE = (
    "A person who accepts one publishes it with the next build; so does a language model that reads it and agrees."
)
"""How a possible finding is settled, for those who read pages."""

HOW_TO_READ = (
    f"{WHAT_IS_POSSIBLE} One that a person accepts is published with the next build (coditect knowledge review --claim ID "
    "--decision supported), and so is one that a model reads and agrees with (build --llm claude --agents reducer,validator)."
)
"""The same, for those who type commands."""

MOST_QUOTES = 6
"""Quotes shown in the evidence chain of one claim; the JSON report has all."""


def check_meaning(name: str) -> str:
    """What a check of a verdict looked for, in plain words."""
    if name.startswith("contradiction_"):
        return f"Nothing contradicts it in its {_DIFFERENCES.get(name.removeprefix('contradiction_'), 'words')}"
    return _CHECKS.get(name, name.replace("_", " ").capitalize())


@dataclass(frozen=True, slots=True)
class Link:
    """A quote in a claim's chain of evidence.

    Attributes:
        section: the number of the section that holds the quote.
        part: the index of the quote in the section's parts.
        passage: the passage of a document that the quote leads to.
        first: whether the passage is shown here; else it is linked.
        shown_under: number of the claim under which the passage is shown.
    """

    section: int
    part: int
    passage: ReportPassage
    first: bool
    shown_under: int


@dataclass(frozen=True, slots=True)
class Chain:
    """The evidence of a claim.

    Attributes:
        claim: the claim that rests on it.
        figure: how its number was counted, if it has one.
        links: the quotes that are shown.
        more: quotes that are cited but not shown.
    """

    claim: ReportClaim
    figure: Figure | None
    links: tuple[Link, ...]
    more: int


def groups_of(claims: Sequence[ReportClaim]) -> list[tuple[str, str, str, list[ReportClaim]]]:
    """(kind, heading, meaning, claims) of every kind that has claims."""
    grouped = [
        (kind, heading, meaning, [claim for claim in claims if claim.kind == kind])
        for kind, heading, meaning in CLAIM_GROUPS
    ]
    return [group for group in grouped if group[3]]


def chains_of(report: AuditReport, claims: Sequence[ReportClaim]) -> list[Chain]:
    """The evidence of some claims, each passage shown once, under the first of them that rests on it."""
    passages = {passage.number: passage for passage in report.passages}
    shown: dict[int, int] = {}
    chains = []
    for claim in claims:
        cited = [(each.section, each.part, each.passage) for each in claim.citations]
        leading = [
            (section, part, passage) for section, part, passage in cited if section is not None and passage is not None
        ]
        links = []
        for section, part, passage in leading[:MOST_QUOTES]:
            first = passage not in shown
            under = shown.setdefault(passage, claim.number)
            links.append(Link(section, part, passages[passage], first, under))
        chains.append(Chain(claim, figure_of(claim.recipe), tuple(links), len(leading) - len(links)))
    return chains


def refusal_of(claim: ReportClaim) -> str:
    """Why a claim was refused: that a person dismissed it, what its failed checks found, or else the reason as stored."""
    if any(opinion.decision == "dismiss" for opinion in claim.opinions):
        return claim.reason
    found = [signal.detail or check_meaning(signal.name) for signal in claim.signals if not signal.passed]
    return "; ".join(found) or claim.reason or "its support is below the minimum"


def possible_counted(kinds: Sequence[str]) -> str:
    """How many there are, and of which kinds: "3 possible findings: 2 conflicts and 1 gap"; "" for none."""
    names = (
        ("conflict", "conflict", "conflicts"),
        ("stricter", "stricter rule", "stricter rules"),
        ("gap", "gap", "gaps"),
    )
    told = [counted(kinds.count(kind), one, many) for kind, one, many in names if kind in kinds]
    return f"{counted(len(kinds), 'possible finding', 'possible findings')}: {listed(told)}" if kinds else ""


def doubt_told(claim: ReportClaim) -> str:
    """Why a claim of the report is only possible; "" for all others."""
    return doubt_in(claim.label, claim.opinions)
