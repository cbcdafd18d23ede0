"""The audit report as one HTML file that needs nothing else: no script, style, font or image from anywhere.

The same report gives the same bytes. Everything that comes from documents is escaped by the template engine; the page's own
content security policy forbids every connection, and every script but the one that filters claims.
"""

from __future__ import annotations

import base64
import hashlib
import shlex
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from jinja2 import Environment
from markupsafe import Markup

from coditect.reports.claims import (
    HOW_TO_READ,
    chains_of,
    check_meaning,
    doubt_told,
    groups_of,
    possible_counted,
    refusal_of,
)
from coditect.reports.editions.decided import decisions_told, signed_as
from coditect.reports.model import AuditReport, ReportPassage, ReportSection
from coditect.reports.pages import page_environment
from coditect.reports.plots import DUTY_NAMES, duty_bars, severity_bars
from coditect.reports.wording import EXTRACTION_NAMES, MEDIA_NAMES, SECTION_NAMES, counted, readable_data
from coditect.tiers.claims.alike import alike, document_of

__all__ = ["render_html"]

MOST_GENERATIONS = 20
"""Generations in the history, newest last; the JSON report has all."""


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
    script = "".join(environment.get_template(name).render() for name in ("report.js", "proof.js"))
    corpus = shlex.quote(report.corpus_id)
    return environment.get_template(
        "report.html.j2"
    ).render(
        report=report,
        bars=severity_bars(report.claims),
        duty_bars=duty_bars(report.duties),
        duty_names=DUTY_NAMES,
        groups=groups_of(report.claims),
        refused=chains_of(report, report.refused),
        possible=chains_of(report, report.possible),
        possible_count=possible_counted([each.kind for each in report.possible]),
        how_to_read=HOW_TO_READ,
        chains=chains_of(report, report.claims),
        passages={passage.number: passage for passage in report.passages},
        used_by=_used_by(report),
        script=Markup(script),  # noqa: S704 - ours, and named by its hash
        proof_data=Markup(_script_json(report)),  # noqa: S704 - escaped for where it stands
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        history=report.method.history[-MOST_GENERATIONS:],
        corpus_argument=corpus,
    )


def _script_json(report: AuditReport) -> str:
    """The proof as JSON inside an element of the page: nothing in it ends the element or begins another."""
    proof = "null" if report.proof is None else report.proof.model_dump_json()
    return proof.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@cache
def _environment() -> Environment:
    environment = page_environment(
        {
            "alike": alike,
            "check_meaning": check_meaning,
            "decisions_told": decisions_told,
            "document_of": document_of,
            "doubt": doubt_told,
            "kinds": _kinds,
            "percent": _percent,
            "readable": readable_data,
            "refusal": refusal_of,
            "segments": segments,
            "signed_as": signed_as,
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


def _when(time: str) -> str:
    """An RFC 3339 time for readers: "2026-11-20 23:02:54 UTC"."""
    return time.replace("T", " ").replace("+00:00", "Z").replace("Z", " UTC")
