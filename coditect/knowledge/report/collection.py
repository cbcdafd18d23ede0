"""Collecting the audit report of one generation: every claim, quote and extraction with its place in the files.

Nothing is taken on trust here: each quote and extraction is compared with the document's text at its offsets while it is
collected, so that a report never prints a quotation that the file does not hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import coditect
from coditect.errors import UsageError
from coditect.knowledge.report.absent import absent_targets
from coditect.knowledge.report.changes.history import duty_points
from coditect.knowledge.report.passages import Passages, collect_passages
from coditect.knowledge.report.standing import standing_of
from coditect.knowledge.review.decisions import SignedDecisions
from coditect.knowledge.review.doubts import possible_in
from coditect.reports.claims import CLAIM_GROUPS
from coditect.reports.model import (
    AuditReport,
    ReportCitation,
    ReportClaim,
    ReportCounts,
    ReportDocument,
    ReportMethod,
    ReportPart,
    ReportSection,
)
from coditect.schemas import (
    Claim,
    Derivation,
    DocumentVersion,
    Failure,
    Generation,
    Intake,
    Section,
    ValidationReport,
    Verdict,
)
from coditect.store.generations import generations
from coditect.store.store import Store
from coditect.store.view import View, open_view

__all__ = ["MOST_GENERATIONS", "collect_report"]

MOST_GENERATIONS = 20
"""Generations whose duties are compared, the newest; ``coditect knowledge changes --over-time`` has all."""


def collect_report(
    store: Store,
    view: View,
    *,
    generated_at: str,
    validation: ValidationReport | None = None,
    today: str | None = None,
) -> AuditReport:
    """The audit report of a generation.

    Args:
        store: for what does not belong to the generation: the corpus' name, files that failed, other names of files.
        view: the generation.
        generated_at: now, RFC 3339, UTC; the only part of the report that two calls on one view may differ in.
        validation: what validation of the same generation found, if it ran.
        today: the day against which the documents' dates are held, YYYY-MM-DD; None for that of ``generated_at``.

    Raises:
        UsageError: the view is of a draft, or the validation of another build.
        QuoteNotFound: a quote or an extraction is not the document's text at its offsets.
        Corrupt: a stored record or text is missing or changed.
    """
    _require_of(view, validation)
    history = tuple(each for each in generations(store, view.corpus_id) if each.generation <= view.generation)
    own = _own_generation(view, history)
    passages = collect_passages(view)
    failures = tuple(
        sorted((record for _, record in store.scan("failures", Failure, view.corpus_id)), key=lambda f: f.name)
    )
    day = today or generated_at[:10]
    documents = _documents(store, view, day)
    sections = tuple(_section(number, section, passages) for number, section in enumerate(view.sections, 1))
    claims = _claims(view, view.summary.claims, passages)
    doubtful = [each.claim_id for each in possible_in(view)]
    possible = _claims(view, doubtful, passages)
    refused = _claims(view, [each for each in view.summary.filtered if each not in set(doubtful)], passages)
    return AuditReport(
        corpus_id=view.corpus_id,
        corpus_name=store.corpus(view.corpus_id).name,
        generation=view.generation,
        build_id=view.manifest.build_id,
        built_at=own.created_at,
        built_by=own.tool_version,
        generated_at=generated_at,
        today=day,
        generated_by=coditect.__version__,
        summary_id=view.summary.summary_id,
        counts=_counts(documents, sections, (len(claims), len(possible), len(refused)), failures),
        validation=validation,
        claims=claims,
        possible=possible,
        refused=refused,
        trivial=view.summary.trivial or {},
        empty=view.summary.empty or {},
        sections=sections,
        passages=passages.ordered,
        documents=documents,
        absent=absent_targets(view),
        decisions=tuple(SignedDecisions(store, view, generated_at[:10]).statuses()),
        duties=duty_points(history[-MOST_GENERATIONS:], lambda number: _opened(store, view, number)),
        failures=failures,
        method=_method(view, history),
    )


def _require_of(view: View, validation: ValidationReport | None) -> None:
    """Refuse the validation of another build."""
    if validation is not None and (validation.corpus_id, validation.build_id) != (
        view.corpus_id,
        view.manifest.build_id,
    ):
        raise UsageError(
            "the validation is of another build",
            build_id=view.manifest.build_id,
            validated=validation.build_id,
            hint="Validate the generation that the report is about.",
        )


def _method(view: View, history: tuple[Generation, ...]) -> ReportMethod:
    """How the generation was made: its settings, the versions of all rules, who checked, and what came before."""
    return ReportMethod(
        settings=view.manifest.settings.model_copy(update={"today": None}),
        dates_since=view.manifest.settings.today or "",
        code_versions=dict(sorted(view.manifest.code_versions.items())),
        checkers=tuple(sorted({verdict.checker for verdict in view.verdicts.values()})),
        history=history,
    )


def _opened(store: Store, view: View, generation: int) -> View:
    return view if generation == view.generation else open_view(store, view.corpus_id, generation)


def _own_generation(view: View, history: Sequence[Generation]) -> Generation:
    own = next((each for each in history if each.generation == view.generation), None)
    if own is None:
        raise UsageError(
            "a draft has no audit report",
            corpus_id=view.corpus_id,
            hint="Finish the build, then report on its generation.",
        )
    return own


def _section(number: int, section: Section, passages: Passages) -> ReportSection:
    parts = tuple(
        ReportPart(type=part.type, text=part.content, passage=passages.numbers.get((section.section_id, index)))
        for index, part in enumerate(section.content)
    )
    return ReportSection(
        number=number,
        section_id=section.section_id,
        kind=section.section_kind,
        topic=section.topic,
        document_count=section.document_count,
        quoted_document_count=section.quoted_document_count,
        chunk_count=len(section.source_chunks),
        synthesis_ratio=section.synthesized_content_ratio,
        max_synthesis_ratio=section.max_synthesis_ratio,
        parts=parts,
    )


def _claims(view: View, ids: Iterable[str], passages: Passages) -> tuple[ReportClaim, ...]:
    """Claims in the order of the summary, numbered in the order in which editions print them, group by group."""
    sections = {section.section_id: number for number, section in enumerate(view.sections, 1)}
    ordered = list(ids)
    printed = sorted(ordered, key=lambda each: _GROUPS.get(view.claims[each].claim_kind, len(_GROUPS)))
    numbers = {each: number for number, each in enumerate(printed, 1)}
    return tuple(_claim(numbers[each], view.claims[each], view.verdicts[each], sections, passages) for each in ordered)


_GROUPS = {kind: at for at, (kind, _, _) in enumerate(CLAIM_GROUPS)}


def _claim(number: int, claim: Claim, verdict: Verdict, sections: Mapping[str, int], passages: Passages) -> ReportClaim:
    citations = tuple(
        ReportCitation(
            section_id=cited.section_id,
            section=sections.get(cited.section_id),
            part=cited.part,
            passage=passages.numbers.get((cited.section_id, cited.part)),
        )
        for cited in claim.citations
    )
    return ReportClaim(
        number=number,
        claim_id=claim.claim_id,
        finding_id=claim.finding_id,
        rule=claim.rule,
        severity=claim.severity,
        verdict_id=verdict.verdict_id,
        kind=claim.claim_kind,
        text=claim.text,
        topic=claim.topic,
        published=verdict.published,
        label=verdict.label,
        support_score=verdict.support_score,
        confidence=verdict.confidence if claim.confidence is None else claim.confidence,
        reason=verdict.filter_reason,
        checker=verdict.checker,
        signals=verdict.signals,
        opinions=verdict.opinions,
        citations=citations,
        recipe=claim.recipe,
    )


def _documents(store: Store, view: View, today: str) -> tuple[ReportDocument, ...]:
    intake = {record.version_id: record for _, record in store.scan("intake", Intake, view.corpus_id)}
    chunks, standing = _chunk_counts(view), standing_of(view, today)
    ordered = sorted(view.documents.values(), key=lambda version: (version.name, version.document_id))
    return tuple(
        _document(number, version, view, intake.get(version.version_id), chunks[version.document_id], standing)
        for number, version in enumerate(ordered, 1)
    )


def _chunk_counts(view: View) -> dict[str, int]:
    """Chunks by document, from the derivations alone: their outputs need not be read to be counted."""
    wanted = [each for entry in view.entries.values() for each in entry.chunks]
    found: dict[str, Derivation] = view.store.derivations(view.corpus_id, wanted)
    return {
        document_id: sum(len(found[each].outputs) for each in entry.chunks if each in found)
        for document_id, entry in view.entries.items()
    }


def _document(
    number: int,
    version: DocumentVersion,
    view: View,
    intake: Intake | None,
    chunk_count: int,
    standing: Mapping[str, tuple[str, ...]],
) -> ReportDocument:
    kinds = Counter(extraction.extraction_kind for extraction in view.extractions(version.document_id))
    return ReportDocument(
        number=number,
        document_id=version.document_id,
        version_id=version.version_id,
        name=version.name,
        title=version.title,
        media_type=version.media_type,
        page_count=version.page_count,
        text_length=version.text_length,
        raw_bytes=version.raw_bytes,
        raw_sha256=version.raw_sha256,
        text_sha256=version.text_sha256,
        reader=version.reader,
        warnings=version.warnings,
        aliases=() if intake is None else intake.aliases,
        extractions={str(kind): kinds[kind] for kind in sorted(kinds)},
        chunk_count=chunk_count,
        profile=view.profiles.get(version.document_id),
        standing=standing.get(version.document_id, ()),
    )


def _counts(
    documents: Sequence[ReportDocument],
    sections: Sequence[ReportSection],
    claims: tuple[int, int, int],
    failures: Sequence[Failure],
) -> ReportCounts:
    kinds: Counter[str] = Counter()
    published, possible, refused = claims
    for document in documents:
        kinds.update(document.extractions)
    return ReportCounts(
        documents=len(documents),
        pages=sum(document.page_count for document in documents),
        characters=sum(document.text_length for document in documents),
        extractions=sum(kinds.values()),
        extractions_by_kind={kind: kinds[kind] for kind in sorted(kinds)},
        chunks=sum(document.chunk_count for document in documents),
        sections=len(sections),
        published=published,
        possible=possible,
        refused=refused,
        failures=len(failures),
    )
