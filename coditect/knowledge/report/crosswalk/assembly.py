"""Puts a crosswalk together: for each part of each requirement what the documents say of it, gaps and orphans included."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.report.crosswalk.evidence import METHOD, Inquiry, PartEvidence
from coditect.knowledge.report.crosswalk.framework.parts import Framework, RequirementPart
from coditect.knowledge.report.crosswalk.framework.reading import read_framework
from coditect.knowledge.report.crosswalk.framework.tables import Columns
from coditect.models.port import Embedder
from coditect.schemas import Extraction
from coditect.schemas.crosswalk import Crosswalk, CrosswalkEvidence, CrosswalkLabel, CrosswalkRow, FamilyCoverage
from coditect.store.view import View

__all__ = ["MOST_EVIDENCE", "make_crosswalk"]

MOST_EVIDENCE = 5
"""Sentences that are shown with a part, at most; a contradiction always among them."""

_BEST: tuple[CrosswalkLabel, ...] = ("meets", "stricter", "looser", "partly", "contradicts", "mentions")
_BINDING = frozenset(("obligation", "prohibition"))


def make_crosswalk(
    framework_view: View,
    view: View,
    embedder: Embedder | None,
    *,
    frameworks: Sequence[str] = (),
    documents: Sequence[str] = (),
    columns: Columns | None = None,
    cache: Path | None = None,
    progress: Progress = silent,
) -> Crosswalk:
    """Make a crosswalk.

    Args:
        framework_view: the generation that holds the framework.
        view: the generation of the documents; may be the same.
        embedder: ranks requirements by meaning; None leaves it out.
        frameworks: names of the framework's documents, or patterns; none: all of its corpus.
        documents: names of the documents that are compared; none: all but the framework's own.
        columns: of the framework's tables.
        cache: a folder where answers are kept.
        progress: told as documents are done.

    Raises:
        NotFound: no document is called so.
        UsageError: the framework's documents ask nothing, or nothing is left to compare with them.
    """
    from coditect.errors import UsageError
    from coditect.knowledge.query.filters import matching_documents

    framework = read_framework(framework_view, tuple(frameworks), columns)
    if not framework.parts:
        raise UsageError(
            "the framework holds no requirements",
            corpus_id=framework_view.corpus_id,
            hint="Name its document: --framework '*.json'; 'coditect knowledge documents' lists what there is.",
        )
    own = framework.documents if framework_view.corpus_id == view.corpus_id else frozenset()
    wanted = (matching_documents(view, tuple(documents)) if documents else frozenset(view.documents)) - own
    if not wanted:
        raise UsageError(
            "no documents are left to compare with the framework",
            corpus_id=view.corpus_id,
            hint="Name the framework's document with --framework, or its corpus with --framework-corpus.",
        )
    inquiry = Inquiry(framework, view, embedder, cache)
    order = sorted(wanted, key=lambda each: (view.documents[each].name, each))
    by_part: dict[int, list[CrosswalkEvidence]] = defaultdict(list)
    spoken: set[str] = set()
    for number, document_id in enumerate(order, 1):
        for found in _decided(view, document_id, inquiry.of_document(document_id)):
            by_part[found.part].append(found.evidence)
            if found.evidence.label != "mentions":
                spoken.add(found.evidence.item_id)
        progress("compared", number, len(order))
    rows = tuple(_row(part, by_part.get(number, [])) for number, part in enumerate(framework.parts))
    return Crosswalk(
        framework_corpus=framework_view.corpus_id,
        framework_generation=framework_view.generation,
        corpus_id=view.corpus_id,
        generation=view.generation,
        method=METHOD,
        coverage=_coverage(framework, rows),
        rows=rows,
        orphans=tuple(
            item.extraction_id
            for document_id in order
            for item in view.each_extraction(document_id)
            if item.extraction_kind in _BINDING and item.extraction_id not in spoken
        ),
    )


def _decided(view: View, document_id: str, found: list[PartEvidence]) -> list[PartEvidence]:
    """The same with who decided of the statements by name; this changes without the text, so it is never kept."""
    ids = sorted({each.evidence.item_id for each in found})
    items = view.items(Extraction, ids, [document_id] * len(ids)) if ids else []
    by_whom = {each.extraction_id: each.decided.by for each in items if each.decided is not None}
    return [
        PartEvidence(each.part, each.evidence.model_copy(update={"reviewed_by": by_whom[each.evidence.item_id]}))
        if each.evidence.item_id in by_whom
        else each
        for each in found
    ]


def _row(part: RequirementPart, evidence: list[CrosswalkEvidence]) -> CrosswalkRow:
    evidence.sort(key=lambda e: (_BEST.index(e.label), -e.held, e.document, e.char_start, e.item_id))
    label: CrosswalkLabel = evidence[0].label if evidence else "no evidence"
    shown = evidence[:MOST_EVIDENCE]
    against = [each for each in evidence[MOST_EVIDENCE:] if each.label in ("contradicts", "looser")]
    return CrosswalkRow(
        requirement_id=part.requirement_id,
        part_id=part.part_id,
        family=part.family,
        title=part.title,
        document=part.document,
        text=part.text,
        char_start=part.start,
        char_end=part.end,
        open_parameters=part.wording.parameters,
        label=label,
        evidence=(*shown, *against[:1]),
    )


def _coverage(framework: Framework, rows: Sequence[CrosswalkRow]) -> tuple[FamilyCoverage, ...]:
    counts: dict[str, Counter[CrosswalkLabel]] = {part.family: Counter() for part in framework.parts}
    for row in rows:
        counts[row.family][row.label] += 1
    return tuple(
        FamilyCoverage(family=family, parts=found.total(), labels=dict(sorted(found.items())))
        for family, found in counts.items()
    )
