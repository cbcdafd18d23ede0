"""What a generation's published claims let through, and whether their citations lead to their words."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from coditect.integrity.evidence import evidence_of
from coditect.store.view import View
from coditect.verify.checker import check
from coditect_benchmarks.tier4.planted import plant

__all__ = ["Result", "measure"]

SEED = 6


@dataclass(slots=True)
class Result:
    """Counts of one corpus."""

    claims: int = 0
    filtered: int = 0
    citations: int = 0
    true_citations: int = 0
    edits: Counter[tuple[str, str]] = field(default_factory=Counter)
    published: Counter[tuple[str, str]] = field(default_factory=Counter)
    review: int = 0
    claims_hit: int = 0
    seconds: float = 0.0
    missed: list[str] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """For JSON."""
        edits, published = sum(self.edits.values()), sum(self.published.values())
        return {
            "claims": self.claims,
            "claims_filtered": self.filtered,
            "citations": self.citations,
            "citation_accuracy": self.true_citations / max(self.citations, 1),
            "edits": edits,
            "edits_published": published,
            "edits_held_for_review": self.review,
            "hallucination_rate": published / max(edits, 1),
            "claims_with_a_published_edit": self.claims_hit,
            "checks_per_s": round(edits / self.seconds, 1) if self.seconds else 0.0,
            "by_kind": {
                f"{kind} / {edit}": [self.published[kind, edit], number]
                for (kind, edit), number in sorted(self.edits.items())
            },
        }


def measure(view: View) -> Result:
    """Edit and check every published claim of a generation, and follow its citations."""
    evidence = evidence_of(view)
    minimum = view.summary.minimum_support
    result = Result(filtered=len(view.summary.filtered))
    texts: dict[str, str] = {}
    for claim_id in view.summary.claims:
        claim = view.claims[claim_id]
        result.claims += 1
        for source in claim.citations:
            part = view.section_by_id[source.section_id].content[source.part]
            result.citations += 1
            if part.citation is not None:
                where = part.citation
                text = texts.setdefault(where.document_id, view.text(where.document_id))
                result.true_citations += text[where.char_start : where.char_end] == part.content
        hit = False
        for planted in plant(claim, SEED):
            begin = time.perf_counter()
            verdict = check(planted.claim, evidence, minimum)
            result.seconds += time.perf_counter() - begin
            key = claim.claim_kind, planted.kind
            result.edits[key] += 1
            result.review += verdict.label == "needs_review"
            if verdict.published:
                hit = True
                result.published[key] += 1
                result.missed.append(f"{planted.kind}: {claim.text}\n      -> {planted.claim.text}")
        result.claims_hit += hit
    return result
