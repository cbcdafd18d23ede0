"""The audit report as one HTML file that needs nothing else: no script, style, font or image from anywhere.

The same report gives the same bytes. Everything that comes from documents is escaped by the template engine; the page's own
content security policy forbids every connection, and every script but the one that filters claims.
"""

from __future__ import annotations

import base64
import hashlib
import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from jinja2 import Environment

from coditect.reports.model import AuditReport, ReportClaim, ReportPassage, ReportSection
from coditect.reports.pages import page_environment
from coditect.reports.wording import (
    CLAIM_GROUPS,
    EXTRACTION_NAMES,
    MEDIA_NAMES,
    SECTION_NAMES,
    Figure,
    check_meaning,
    counted,
    figure_of,
    readable_data,
)

__all__ = ["MOST_QUOTES", "render_html"]

MOST_QUOTES = 6
"""Quotes shown in the evidence chain of one claim; the JSON report has all."""

MOST_GENERATIONS = 20
"""Generations in the history, newest last; the JSON report has all."""


@dataclass(frozen=True, slots=True)
class Link:
    """A quote in a claim's chain of evidence.

    Attributes:
        section: number of the section.
        part: index of the quote in it.
        passage: what it leads to.
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
        claim: what rests on it.
        figure: how its number was counted, if it has one.
        links: the quotes that are shown.
        more: quotes that are cited but not shown.
    """

    claim: ReportClaim
    figure: Figure | None
    links: tuple[Link, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a quote; ``depth`` is the number of extractions inside the quote that cover it."""

    text: str
    depth: int


def render_html(report: AuditReport) -> str:
    """The whole document.

    Args:
        report: from :func:`coditect.knowledge.report.collection.collect_report`, or read back from its JSON.

    Returns:
        HTML5 as text, to be written as UTF-8.
    """
    environment = _environment()
    script = environment.get_template("report.js").render()
    corpus = shlex.quote(report.corpus_id)
    return environment.get_template("report.html.j2").render(
        report=report,
        groups=_groups(report.claims),
        refused=_chains(report, report.refused),
        chains=_chains(report, report.claims),
        passages={passage.number: passage for passage in report.passages},
        used_by=_used_by(report),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        history=report.method.history[-MOST_GENERATIONS:],
        corpus_argument=corpus,
    )


@cache
def _environment() -> Environment:
    environment = page_environment(
        {
            "check_meaning": check_meaning,
            "kinds": _kinds,
            "percent": _percent,
            "readable": readable_data,
            "refusal": _refusal,
            "segments": segments,
            "thousands": lambda number: f"{number:,}",
            "when": _when,
        }
    )
    environment.globals |= {
        "counted": counted,
        "extraction_names": EXTRACTION_NAMES,
        "media_names": MEDIA_NAMES,
        "section_names": SECTION_NAMES,
    }
    return environment


def _groups(claims: Sequence[ReportClaim]) -> list[tuple[str, str, str, list[ReportClaim]]]:
    """(kind, heading, meaning, claims) of every kind that has claims."""
    grouped = [
        (kind, heading, meaning, [claim for claim in claims if claim.kind == kind])
        for kind, heading, meaning in CLAIM_GROUPS
    ]
    return [group for group in grouped if group[3]]


def _chains(report: AuditReport, claims: Sequence[ReportClaim]) -> list[Chain]:
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


def _used_by(report: AuditReport) -> dict[tuple[int, int], list[int]]:
    """Numbers of the published claims that cite each quote, by (section, part)."""
    used: dict[tuple[int, int], list[int]] = defaultdict(list)
    for claim in report.claims:
        for cited in claim.citations:
            if cited.section is not None and claim.number not in used[cited.section, cited.part]:
                used[cited.section, cited.part].append(claim.number)
    return dict(used)


def segments(passage: ReportPassage) -> list[Segment]:
    """The quote cut where the extractions inside it begin and end; joined, the segments are the quote."""
    start, end = passage.place.char_start, passage.place.char_end
    spans = [(max(start, e.char_start), min(end, e.char_end)) for e in passage.extractions]
    inner = [span for span in spans if span[0] < span[1] and span != (start, end)]
    edges = sorted({start, end, *(edge for span in inner for edge in span)})
    return [
        Segment(passage.text[left - start : right - start], sum(a <= left and right <= b for a, b in inner))
        for left, right in pairwise(edges)
    ]


def _kinds(counts: dict[str, int]) -> Iterator[str]:
    """Counts in words, in the order of the kinds' names: "12 obligations", …."""
    for kind, (one, many) in EXTRACTION_NAMES.items():
        if counts.get(kind):
            yield counted(counts[kind], one, many)


def _percent(section: ReportSection) -> str:
    """The synthetic share of a section."""
    return f"{100 * section.synthesis_ratio:.1f}"


def _refusal(claim: ReportClaim) -> str:
    """Why a claim was refused: what its failed checks found, else the reason as stored."""
    found = [signal.detail or check_meaning(signal.name) for signal in claim.signals if not signal.passed]
    return "; ".join(found) or claim.reason or "its support is below the minimum"


def _when(time: str) -> str:
    """An RFC 3339 time for readers: "2026-11-20 23:02:54 UTC"."""
    return time.replace("T", " ").replace("+00:00", "Z").replace("Z", " UTC")
