"""What the product makes of written claims: by kind, and the shares that an auditor asks for, beside a plain peer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from coditect.documents.readers import read_source
from coditect.knowledge.review.check_text import check_sentences, worst_label
from coditect.knowledge.review.grounds import TextGrounds
from coditect.language.terms import STOPWORDS
from coditect.schemas import CheckedSentence, TextEvidence
from coditect.tiers.extractions.document import read_document
from coditect_benchmarks.claims.records import WrittenClaim
from coditect_benchmarks.gold.scoring import wilson

__all__ = ["Judged", "Share", "as_json", "as_text", "headline", "judge_by_overlap", "judge_claims", "tables"]

MINIMUM_SUPPORT = 0.7
"""Probability from which a claim is supported: the one that builds use unless told."""

SETTLED = ("supported", "needs_review", "unsupported")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with what was said of it.

    Attributes:
        claim: as it was written.
        label: supported, needs_review, or unsupported for everything that refuses it.
        sentences: what the product said of each of its sentences; empty of a peer.
    """

    claim: WrittenClaim
    label: str
    sentences: tuple[CheckedSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """A share with Wilson's interval at 95 %.

    Attributes:
        name: what is counted, of what.
        count: how many.
        total: of how many.
        target: the share that it should not exceed.
    """

    name: str
    count: int
    total: int
    target: float

    @property
    def interval(self) -> tuple[float, float]:
        """The lowest and the highest share that these counts are compatible with; all of 0..1 where there are none."""
        return wilson(self.count, self.total) or (0.0, 1.0)


def judge_claims(claims: Sequence[WrittenClaim], minimum: float = MINIMUM_SUPPORT) -> list[Judged]:
    """Check each claim against its one passage, by the function that checks a text sentence by sentence."""
    return [_judged(claim, _found(claim), minimum) for claim in claims]


def _judged(claim: WrittenClaim, find: Callable[[str], TextGrounds], minimum: float) -> Judged:
    reading = read_document(read_source(claim.text.encode(), "claim.txt"))
    sentences = check_sentences(reading, find, minimum)
    return Judged(claim, _settled(worst_label(sentences)), sentences)


def _settled(label: str) -> str:
    return label if label in SETTLED else "unsupported"


def _found(claim: WrittenClaim) -> Callable[[str], TextGrounds]:
    """A search that always finds the passage."""
    passage = TextEvidence(
        item_id=claim.claim_id,
        document_id=claim.document,
        document_name=claim.document,
        version_id="",
        raw_sha256="",
        char_start=0,
        char_end=len(claim.evidence),
        text=claim.evidence,
    )
    return lambda _: TextGrounds((passage,))


def judge_by_overlap(claims: Sequence[WrittenClaim]) -> tuple[list[Judged], float]:
    """The plain peer: supported from a share of the claim's words on that is best on these very claims, which flatters it.

    Returns:
        Every claim, never in need of review, and the threshold.
    """
    shares = [_overlap(claim) for claim in claims]
    best = max(
        sorted({*shares, 1.1}),
        key=lambda least: sum((share >= least) == claim.is_true for share, claim in zip(shares, claims, strict=True)),
    )
    return [
        Judged(claim, "supported" if share >= best else "unsupported")
        for share, claim in zip(shares, claims, strict=True)
    ], best


def _overlap(claim: WrittenClaim) -> float:
    """The share of a claim's words, function words left out, that its passage has."""
    said, have = (
        {word for word in _WORD.findall(text.casefold()) if word not in STOPWORDS}
        for text in (claim.text, claim.evidence)
    )
    return len(said & have) / len(said) if said else 0.0


def headline(judged: Sequence[Judged]) -> tuple[Share, ...]:
    """The three shares that count, of all claims."""
    true, false = ([each for each in judged if each.claim.is_true is side] for side in (True, False))
    return (
        Share("false called supported", _count(false, "supported"), len(false), 0.02),
        Share("true called unsupported", _count(true, "unsupported"), len(true), 0.04),
        Share("needs review", _count(judged, "needs_review"), len(judged), 0.20),
    )


def _count(judged: Sequence[Judged], label: str) -> int:
    return sum(each.label == label for each in judged)


def tables(judged: Sequence[Judged]) -> Iterator[tuple[bool, str, Counter[str]]]:
    """For each kind, false ones first: whether it is true, its name, and how many claims got which label."""
    kinds = sorted({(each.claim.is_true, each.claim.kind) for each in judged})
    for is_true, kind in kinds:
        same = (each for each in judged if (each.claim.is_true, each.claim.kind) == (is_true, kind))
        yield is_true, kind, Counter(each.label for each in same)


def as_text(judged: Sequence[Judged], peer: Sequence[Judged], threshold: float) -> str:
    """The tables for people."""
    lines = [f"{'':6}{'kind':34}{'n':>5}{'supported':>11}{'review':>9}{'refused':>9}"]
    for is_true, kind, counts in tables(judged):
        shown = "".join(f"{counts[label]:>{width}}" for label, width in zip(SETTLED, (11, 9, 9), strict=True))
        lines.append(f"{'true' if is_true else 'false':6}{kind:34}{counts.total():>5}{shown}")
    for name, rows in (("product", judged), (f"words in common, from {threshold:.2f} on", peer)):
        lines += ["", name]
        for share in headline(rows):
            low, high = share.interval
            part = share.count / share.total if share.total else 0.0
            lines.append(
                f"  {share.name:26}{share.count:>4} of {share.total:<4} {part:6.1%} ({low:.1%} to {high:.1%})"
                f"  target at most {share.target:.0%}"
            )
    return "\n".join(lines)


def as_json(judged: Sequence[Judged], peer: Sequence[Judged]) -> dict[str, Any]:
    """The same as data."""
    return {
        "kinds": [
            {"true": is_true, "kind": kind, "n": counts.total(), **{label: counts[label] for label in SETTLED}}
            for is_true, kind, counts in tables(judged)
        ],
        "headline": {
            name: {share.name: [share.count, share.total, *share.interval] for share in headline(rows)}
            for name, rows in (("product", judged), ("overlap", peer))
        },
    }
