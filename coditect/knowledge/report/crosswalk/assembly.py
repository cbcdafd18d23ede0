"""Puts a crosswalk together: for each part of each requirement what the documents say of it, gaps and orphans included."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coditect.errors import UsageError
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.query.filters import matching_documents
from coditect.knowledge.report.crosswalk.evidence import METHOD, Inquiry, PartEvidence
from coditect.knowledge.report.crosswalk.framework.parts import Framework, RequirementPart
from coditect.knowledge.report.crosswalk.framework.reading import read_framework
from coditect.knowledge.report.crosswalk.framework.tables import ColumnMap
from coditect.knowledge.report.crosswalk.speaking import is_binding
from coditect.knowledge.report.standing import superseded_documents
from coditect.knowledge.review.earlier import with_earlier
from coditect.knowledge.review.in_force import row_reviews
from coditect.knowledge.review.rows import decided_row, seen
from coditect.knowledge.review.since import with_uncompared
from coditect.models.port import Embedder
from coditect.schemas import Extraction
from coditect.schemas.crosswalk import (
    ComparedFile,
    Crosswalk,
    CrosswalkEvidence,
    CrosswalkLabel,
    CrosswalkRow,
    FamilyCoverage,
)
from coditect.store.store import Store
from coditect.store.view import View

__all__ = [
    "MOST_EVIDENCE",
    "FrameworkComparison",
    "best_first",
    "compare_with_framework",
    "coverage_of",
    "make_crosswalk",
    "orphans_of",
    "undecided_crosswalk",
    "with_decisions",
]

MOST_EVIDENCE = 5
"""Sentences that are shown with a part, at most; a contradiction always among them."""

_BEST: tuple[CrosswalkLabel, ...] = ("meets", "stricter", "looser", "partly", "contradicts", "mentions", "no evidence")


@dataclass(frozen=True, slots=True)
class FrameworkComparison:
    """Documents compared with a framework.

    Attributes:
        framework: its parts.
        framework_view: the generation that holds it.
        view: the generation of the documents.
        inquiry: that asked.
        documents: ids of those that were compared, by name.
        evidence: by number of the part, in the order of documents.
        superseded: ids of those that were not, since another edition took their place, by name.
    """

    framework: Framework
    framework_view: View
    view: View
    inquiry: Inquiry
    documents: tuple[str, ...]
    evidence: Mapping[int, list[CrosswalkEvidence]]
    superseded: tuple[str, ...] = ()


def compare_with_framework(
    framework_view: View,
    view: View,
    embedder: Embedder | None,
    *,
    frameworks: Sequence[str] = (),
    documents: Sequence[str] = (),
    columns: ColumnMap | None = None,
    superseded: bool = False,
    cache: Path | None = None,
    progress: Progress = silent,
) -> FrameworkComparison:
    """Compare documents with a framework.

    Args:
        framework_view: the generation that holds the framework.
        view: the generation of the documents; may be the same.
        embedder: ranks requirements by meaning; None leaves it out.
        frameworks: names of the framework's documents, or patterns; none: all of its corpus.
        documents: names of the documents that are compared, or patterns; none: all but the framework's own. Those that another
            edition took the place of are compared where one of the names is theirs in full.
        columns: of the framework's tables; None: guessed from their heads.
        superseded: whether documents that another edition took the place of are compared, too.
        cache: a folder where answers are kept.
        progress: told as documents are done.

    Raises:
        NotFound: no document is called so.
        UsageError: the framework's documents ask nothing, the columns of a table cannot be told, or nothing is left to compare.
    """
    framework = read_framework(framework_view, tuple(frameworks), columns)
    if not framework.parts:
        raise UsageError(
            "the framework holds no requirements",
            corpus_id=framework_view.corpus_id,
            hint="Name its document: --framework '*.json'; 'coditect knowledge documents' lists what there is. "
            "A table may need --columns; an OSCAL profile is made a catalogue by 'coditect knowledge resolve' first.",
        )
    own = framework.documents if framework_view.corpus_id == view.corpus_id else frozenset()
    wanted = (matching_documents(view, tuple(documents)) if documents else frozenset(view.documents)) - own
    former = frozenset() if superseded else (wanted & superseded_documents(view).keys()) - _by_name(view, documents)
    wanted -= former
    if not wanted:
        raise UsageError(
            "no documents are left to compare with the framework",
            corpus_id=view.corpus_id,
            hint="Name the framework's document with --framework, or its corpus with --framework-corpus.",
        )
    inquiry = Inquiry(framework, view, embedder, cache)
    order, left = (sorted(each, key=lambda own: (view.documents[own].name, own)) for each in (wanted, former))
    by_part: dict[int, list[CrosswalkEvidence]] = defaultdict(list)
    for number, document_id in enumerate(order, 1):
        for found in _decided(view, document_id, inquiry.of_document(document_id)):
            by_part[found.part].append(found.evidence)
        progress("compared", number, len(order))
    return FrameworkComparison(framework, framework_view, view, inquiry, tuple(order), by_part, tuple(left))


def _by_name(view: View, names: Sequence[str]) -> frozenset[str]:
    """Ids of the documents that a user names in full, and not by a pattern."""
    named = frozenset(names)
    return frozenset(each for each, version in view.documents.items() if {each, version.name} & named)


def make_crosswalk(compared: FrameworkComparison, today: str = "", read: Crosswalk | None = None) -> Crosswalk:
    """The crosswalk of a comparison: every part with the best of what speaks to it, gaps, orphans and decisions included.

    Args:
        compared: the comparison.
        today: the day by which accepted risks expire; "": none does.
        read: its crosswalk without decisions, where a model read it; None: rules alone decide.
    """
    view, beside = compared.view, compared.framework_view
    own = compared.framework.documents if beside.corpus_id == view.corpus_id else frozenset()
    others = view.documents.keys() - own - {*compared.documents, *compared.superseded}
    found = undecided_crosswalk(compared) if read is None else read
    if not others:
        return with_decisions(found, view.store, today)
    found = with_decisions(found, view.store, today, {view.documents[each].name for each in compared.documents})
    rows = with_uncompared(found.rows, view, beside, {view.documents[each].name for each in others})
    return found.model_copy(update={"rows": rows})


def with_decisions(
    found: Crosswalk, store: Store, today: str = "", compared: Collection[str] | None = None
) -> Crosswalk:
    """A crosswalk with what persons decided of its rows; it changes at any time, so it is never kept with the rows.

    Args:
        found: a crosswalk as the rules made it.
        store: where the decisions are.
        today: the day by which accepted risks expire; "": none does.
        compared: names of the documents that were compared; None: all.
    """
    decided = row_reviews(store, found.corpus_id, today)
    if not decided:
        return found
    rows = tuple(decided_row(row, decided.get(seen(found.framework_corpus, row).fingerprint)) for row in found.rows)
    rows = with_earlier(found.framework_corpus, rows, decided.values(), compared)
    return found.model_copy(update={"rows": rows, "coverage": coverage_of(rows)})


def undecided_crosswalk(compared: FrameworkComparison) -> Crosswalk:
    """The crosswalk as rules make it, whatever persons decided."""
    rows = tuple(_row(part, compared.evidence.get(number, [])) for number, part in enumerate(compared.framework.parts))
    return Crosswalk(
        framework_corpus=compared.framework_view.corpus_id,
        framework_generation=compared.framework_view.generation,
        corpus_id=compared.view.corpus_id,
        generation=compared.view.generation,
        method=METHOD,
        columns=tuple(compared.framework.columns),
        superseded=tuple(compared.view.documents[each].name for each in compared.superseded),
        framework_files=_files(compared.framework_view, compared.framework.documents),
        files=_files(compared.view, compared.documents),
        coverage=coverage_of(rows),
        rows=rows,
        orphans=orphans_of(compared, {}),
    )


def _files(view: View, documents: Collection[str]) -> tuple[ComparedFile, ...]:
    """The files of documents, by name."""
    versions = sorted((view.documents[each] for each in documents), key=lambda own: (own.name, own.document_id))
    return tuple(
        ComparedFile(name=each.name, media_type=each.media_type, raw_sha256=each.raw_sha256) for each in versions
    )


def orphans_of(compared: FrameworkComparison, read: Mapping[tuple[int, str], CrosswalkLabel]) -> tuple[str, ...]:
    """Ids of binding statements that answer no part.

    Args:
        compared: the comparison.
        read: the labels that a model gave, by number of the part and id of the statement; the others are those of the rules.
    """
    spoken = {
        each.item_id
        for number, found in compared.evidence.items()
        for each in found
        if read.get((number, each.item_id), each.label) not in ("mentions", "no evidence")
    }
    return tuple(
        item.extraction_id
        for document_id in compared.documents
        for item in compared.view.each_extraction(document_id)
        if is_binding(item) and item.extraction_id not in spoken
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


def best_first(each: CrosswalkEvidence) -> tuple[int, float, str, int, str]:
    """Orders what speaks to a part: by label, then by what is said and how probable it is that the document speaks to it."""
    weight = each.held + (each.document_probability or 0.0)
    return _BEST.index(each.label), -round(weight, 4), each.document, each.char_start, each.item_id


def _row(part: RequirementPart, evidence: list[CrosswalkEvidence]) -> CrosswalkRow:
    evidence = _once(sorted(evidence, key=best_first))
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


def _once(evidence: Sequence[CrosswalkEvidence]) -> list[CrosswalkEvidence]:
    """Evidence without sentences that a document has better evidence of already: a sentence may be several statements.

    What speaks against a part stays.
    """
    seen: set[tuple[str, str]] = set()
    kept = []
    for each in evidence:
        said = (each.document, each.text)
        if said not in seen or each.label in ("contradicts", "looser"):
            kept.append(each)
        seen.add(said)
    return kept


def coverage_of(rows: Sequence[CrosswalkRow]) -> tuple[FamilyCoverage, ...]:
    """How many parts of each family have which label."""
    counts: dict[str, Counter[CrosswalkLabel]] = defaultdict(Counter)
    for row in rows:
        counts[row.family][row.label] += 1
    return tuple(
        FamilyCoverage(family=family, parts=found.total(), labels=dict(sorted(found.items())))
        for family, found in counts.items()
    )
