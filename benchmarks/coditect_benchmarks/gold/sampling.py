"""Draw units: stratified by what their words look like, spread over documents, the same for the same seed.

The cues of the strata are plain words of the trade; they decide what is drawn how often, never what a unit is.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from coditect_benchmarks.gold.records import Unit
from coditect_benchmarks.gold.segments import Line, Segment, find_segments, read_lines_of
from coditect_benchmarks.gold.sources import Document, Library, Plan, digest
from coditect_benchmarks.gold.surroundings import text_after, text_before, trace_path

__all__ = ["SHARES", "draw", "stratum_of"]

SHARES: dict[str, float] = {
    "list tail": 0.07,
    "list nested": 0.09,
    "list": 0.15,
    "exemption": 0.10,
    "definition": 0.10,
    "negative": 0.08,
    "should": 0.05,
    "will": 0.04,
    "may": 0.09,
    "must": 0.13,
    "reference": 0.03,
    "heading": 0.02,
    "plain": 0.05,
}
"""Share of each stratum among the units of a genre and split, as far as there are so many."""

_CUES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "exemption",
        re.compile(
            r"\bnothing (?:in|herein)|\b(?:not|nor) (?:be )?(?:required|obliged|obligated|apply|prevent|affect|relieve)|"
            r"\bneed not\b|\bexempt|"
            r"\bfree to\b|\bno (?:obligation|responsibility|liability|duty|requirement)|\bunless\b|\bexcept\b|\bother than\b|"
            r"\bnotwithstanding\b|\bno (?:person|party)\b|\bneither party\b|\bwithout prejudice\b",
            re.IGNORECASE,
        ),
    ),
    (
        "definition",
        re.compile(
            r"\bmeans?\b|\bhas the (?:same )?meaning|\bdefined\b|\brefers? to\b|\([“\"'][^)]{2,60}\)|^[^\t\n]{2,60}\tMeans|"
            r"\bknown as\b|^[A-Z][\w /-]{2,40}: [A-Z]",
        ),
    ),
    (
        "negative",
        re.compile(
            r"\b(?:must|shall|may|should|will|can) not\b|\bcannot\b|\bprohibit|\bunlawful|\brefrain", re.IGNORECASE
        ),
    ),
    ("should", re.compile(r"\bshould\b|\brecommend|\bexpect|\bencourage", re.IGNORECASE)),
    (
        "must",
        re.compile(
            r"\b(?:must|shall)\b|\brequired to\b|\boblig|\bduty\b|\bresponsible for\b|\b(?:is|are) to\b|\bagrees? to\b",
            re.IGNORECASE,
        ),
    ),
    ("may", re.compile(r"\b(?:may|might|can|could)\b|\bentitled\b|\bright to\b|\bpermi(?:t|ssi)", re.IGNORECASE)),
    ("will", re.compile(r"\bwill\b|’ll\b|'ll\b")),
    (
        "reference",
        re.compile(r"\b(?:see|section|rule|article|chapter|paragraph|part|appendix)s? (?:\d|[A-Z]\b)", re.IGNORECASE),
    ),
)


@dataclass(frozen=True, slots=True)
class _Candidate:
    id: str
    document: Document
    sha256: str
    segment: Segment
    stratum: str
    order: str
    words: str


def stratum_of(text: str, segment: Segment, line: Line) -> str:
    """Which stratum a candidate is drawn from."""
    if segment.depth:
        return "list tail" if segment.tail else "list nested" if segment.depth > 1 else "list"
    content = text[segment.start : segment.end]
    if line.kind == "heading":
        return "heading"
    return next((name for name, cue in _CUES if cue.search(content)), "plain")


def draw(plan: Plan, library: Library) -> tuple[list[Unit], list[Unit]]:
    """The sample and the examples.

    Args:
        plan: documents, quotas, and which units are examples.
        library: gives the texts.

    Returns:
        the units of the sample and those set aside as examples, each ordered by id: neither document nor split follow
        from the place.
    """
    pools: dict[tuple[str, str], list[_Candidate]] = defaultdict(list)
    for document in plan.documents:
        pools[document.genre, document.split] += _candidates(plan.seed, document, library)
    units: list[Unit] = []
    training: list[Unit] = []
    for (genre, split), pool in sorted(pools.items()):
        wanted = round(plan.quotas[genre] * (0.5 if split == "dev" else 0.25))
        chosen = _choose(pool, wanted)
        population, taken = Counter(c.stratum for c in pool), Counter(c.stratum for c in chosen)
        for candidate in chosen:
            unit = _unit(candidate, library, population[candidate.stratum] / taken[candidate.stratum])
            if unit.id in plan.training:
                training.append(unit.model_copy(update={"split": "training"}))
            else:
                units.append(unit)
    return sorted(units, key=lambda unit: unit.id), sorted(training, key=lambda unit: unit.id)


def _candidates(seed: str, document: Document, library: Library) -> list[_Candidate]:
    source = library.source(document.name)
    lines = read_lines_of(source)
    sha = digest(source.text)
    found = []
    for segment in find_segments(source.text, lines):
        stratum = stratum_of(source.text, segment, lines[segment.line])
        order = hashlib.sha256(f"{seed}|{document.name}|{segment.start}".encode()).hexdigest()
        name = hashlib.sha256(f"id|{order}".encode()).hexdigest()[:8]  # another hash: a low order is no low id
        words = " ".join(source.text[segment.start : segment.end].lower().split())
        found.append(_Candidate(name, document, sha, segment, stratum, order, words))
    return found


def _choose(pool: Sequence[_Candidate], wanted: int) -> list[_Candidate]:
    """As many as wanted: each stratum its share, rare ones first, no document more than its part, nothing twice."""
    documents = len({c.document.name for c in pool})
    cap = max(3, -(-2 * wanted // max(1, documents)))
    used: Counter[str] = Counter()
    seen: set[str] = set()
    chosen: list[_Candidate] = []

    def take(candidates: Sequence[_Candidate], count: int, limit: int) -> None:
        for candidate in sorted(candidates, key=lambda c: c.order):
            if count <= 0:
                return
            if candidate.words not in seen and used[candidate.document.name] < limit:
                seen.add(candidate.words)
                used[candidate.document.name] += 1
                chosen.append(candidate)
                count -= 1

    by_stratum: dict[str, list[_Candidate]] = defaultdict(list)
    for candidate in pool:
        by_stratum[candidate.stratum].append(candidate)
    for stratum in sorted(by_stratum, key=lambda s: len(by_stratum[s])):
        take(by_stratum[stratum], round(SHARES[stratum] * wanted), cap)
    worth = [c for c in pool if c.stratum not in ("heading", "plain")]
    for candidates, limit in ((worth, cap), (pool, cap), (worth, len(pool)), (pool, len(pool))):
        take(candidates, wanted - len(chosen), limit)
    # Rounding may give a unit too many; the order of the ids says which go.
    return sorted(chosen, key=lambda c: c.order)[:wanted]


def _unit(candidate: _Candidate, library: Library, weight: float) -> Unit:
    source = library.source(candidate.document.name)
    lines = read_lines_of(source)
    return Unit(
        id=candidate.id,
        document=candidate.document.name,
        sha256=candidate.sha256,
        genre=candidate.document.genre,
        family=candidate.document.family,
        split=candidate.document.split,
        stratum=candidate.stratum,
        weight=round(weight, 3),
        public=candidate.document.public,
        shape="group" if candidate.segment.depth else "sentence",
        span=(candidate.segment.start, candidate.segment.end),
        path=trace_path(lines, candidate.segment),
        before=text_before(source.text, lines, candidate.segment),
        after=text_after(source.text, lines, candidate.segment),
    )
