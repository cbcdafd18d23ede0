"""The interface of ADR-029: four tiers, filled step by step, as coroutines; and every use case of :class:`Knowledge` as one.

The command line builds whole corpora; a program (or an agent) that extracts by its own means stores what it found through this
class, tier by tier, and publishes it with :meth:`HierarchicalKnowledgeStore.build_corpus_summary`. Every promise of the tiers is
checked on the way in: nothing enters that is not verbatim, selected, cited, or validated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar

from pydantic import JsonValue

from coditect.errors import UsageError
from coditect.knowledge.archive.export import ExportReport
from coditect.knowledge.archive.importing import ImportReport
from coditect.knowledge.building.publication import Validator
from coditect.knowledge.building.stepwise import store_chunk, store_extraction, store_section
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.erasure.desk import ErasureEntry
from coditect.knowledge.erasure.execution import ErasureOutcome
from coditect.knowledge.erasure.outlook import RemovalOutlook
from coditect.knowledge.erasure.request import ErasureForecast
from coditect.knowledge.erasure.retention import RetentionForecast
from coditect.knowledge.ingest.intake import IngestReport
from coditect.knowledge.query.pages.desk import WIDTH_PX
from coditect.knowledge.report.audit.trail import AuditFilters
from coditect.knowledge.report.bundles.collection import BundleReport, BundleSubject
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.knowledge.service import Knowledge
from coditect.reports.model import AuditReport
from coditect.schemas import (
    AuditEntry,
    BuildSettings,
    CalibrationReport,
    CalibrationState,
    CalibrationSwitch,
    Claim,
    CorpusChanges,
    CorpusStatus,
    CorpusSummary,
    CrosswalkLabel,
    CrosswalkRow,
    Decision,
    DecisionStatus,
    DutyHistory,
    FeedEntry,
    Granularity,
    HoldRelease,
    IndexStatus,
    Item,
    KnowledgeTier,
    LegalHold,
    LogHead,
    PageRectangles,
    PendingReview,
    PersonSignature,
    QueryResult,
    RegisterRow,
    RelevanceMark,
    ReplayReport,
    Review,
    SearchOptions,
    SignerKey,
    Source,
    SweepReport,
    TextReport,
    ValidationReport,
    Verdict,
)
from coditect.schemas.query import TIER_NAMES, TierName
from coditect.transparency.notes import Signer
from coditect.verify.checker import Evidence

__all__ = ["HierarchicalKnowledgeStore", "ValidationAgent"]

T = TypeVar("T")


class ValidationAgent(Protocol):
    """Says whether claims are supported by their evidence, beside the checker."""

    async def validate_claims(
        self, claims: Sequence[Claim], evidence: Evidence, minimum_support: float
    ) -> list[Verdict]:
        """One verdict for each claim, in order. Raising stops the publication."""
        ...


class HierarchicalKnowledgeStore:
    """Multi-tier knowledge of one tenant, with hallucination prevention.

    Tier 1: raw extractions (immutable). Tier 2: chunk summaries (extractive only). Tier 3: section summaries (extractive, light
    synthesis). Tier 4: corpus summary (grounded and validated).

    Args:
        knowledge: the tenant's services, from :func:`coditect.compose.open_knowledge`.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    async def ingest(
        self, corpus_id: str, paths: Sequence[Path], *, name: str = "", sync: bool = False, follow_links: bool = False
    ) -> IngestReport:
        """Take files into a corpus. See :meth:`Knowledge.ingest`."""
        return await _threaded(
            lambda: self._knowledge.ingest(corpus_id, paths, name=name, sync=sync, follow_links=follow_links)
        )

    async def build(self, corpus_id: str, settings: BuildSettings | None = None) -> BuildReport:
        """Build all four tiers by the deterministic path. See :meth:`Knowledge.build`."""
        return await _threaded(lambda: self._knowledge.build(corpus_id, settings or BuildSettings()))

    async def store_extraction(
        self,
        corpus_id: str,
        document_id: str,
        extraction: Mapping[str, Any],
        source_text: str,
        char_offset: tuple[int, int],
        confidence: float,
    ) -> str:
        """Store a raw extraction (Tier 1). Immutable; the same again is a no-op.

        Args:
            corpus_id: an existing corpus.
            document_id: an ingested document of it.
            extraction: schema data, any JSON object; "kind" may name one of the extraction kinds.
            source_text: the verbatim quote.
            char_offset: its code points in the canonical text, half-open.
            confidence: 0..1.

        Returns:
            The extraction's id.

        Raises:
            NotFound: no such corpus or document.
            QuoteNotFound: the quote is not the document's text at the offsets.
            ImmutableViolation: a different record stands under its id.
        """
        return await _threaded(
            lambda: store_extraction(
                self._knowledge.store, corpus_id, document_id, extraction, source_text, char_offset, confidence
            )
        )

    async def build_chunk_summary(
        self, corpus_id: str, document_id: str, extraction_ids: Sequence[str], method: str = "textrank"
    ) -> str:
        """Summarise extractions of a document by selecting among them (Tier 2).

        Returns:
            The chunk's id.

        Raises:
            NotFound: an extraction is not there.
            UsageError: an unknown method, or no extractions.
            NotExtractive: the selection is not verbatim.
        """
        return await _threaded(
            lambda: store_chunk(self._knowledge.store, corpus_id, document_id, extraction_ids, method)
        )

    async def build_section_summary(
        self, corpus_id: str, topic: str, chunk_ids: Sequence[str], max_synthesis_ratio: float = 0.2
    ) -> str:
        """Write a section on a topic from chunk summaries (Tier 3).

        Returns:
            The section's id.

        Raises:
            NotFound: a chunk is not there.
            UsageError: no chunks, an empty topic, or a ratio outside 0..1.
            SynthesisRatioExceeded: the section does not pass its gate.
        """
        return await _threaded(
            lambda: store_section(self._knowledge.store, corpus_id, topic, chunk_ids, max_synthesis_ratio)
        )

    async def build_corpus_summary(
        self, corpus_id: str, section_ids: Sequence[str], validation_agent: ValidationAgent | None = None
    ) -> CorpusSummary:
        """Compose claims from sections, validate every one, and publish the result as the corpus' next generation (Tier 4).

        The end of every build: the checker judges each claim, the reviews in force are heeded, and the search replica follows.

        Args:
            corpus_id: the corpus that is published.
            section_ids: Tier 3 to draw on, at least one; with all that they rest on they become the generation.
            validation_agent: its opinion stands beside the checker's. Where they differ, the claim needs review; what the checker
                refuses stays refused. None: the checker alone.

        Raises:
            NotFound: a section is not there.
            UsageError: no sections, or one rests on a version of a document that is not in the intake any more.
            Unsupported: the validator failed; nothing was published.
            Conflict: another build finished first.
        """
        validator: Validator | None = None
        if validation_agent is not None:
            loop = asyncio.get_running_loop()

            def validator(claims: Sequence[Claim], evidence: Evidence, minimum: float) -> list[Verdict]:
                asked = validation_agent.validate_claims(claims, evidence, minimum)
                return asyncio.run_coroutine_threadsafe(_coroutine(asked), loop).result()

        def published() -> CorpusSummary:
            report = self._knowledge.publish(corpus_id, section_ids, validator)
            return self._knowledge.view(corpus_id, report.generation).summary

        return await _threaded(published)

    async def query(
        self,
        corpus_id: str,
        query: str,
        target_tier: KnowledgeTier | Granularity = KnowledgeTier.SECTION_SUMMARY,
        include_sources: bool = True,
        *,
        limit: int = 10,
        as_of: int | None = None,
        options: SearchOptions | None = None,
    ) -> QueryResult:
        """Answer a question at a tier, or of passages or propositions, with the chain of evidence. See :meth:`Knowledge.query`."""
        tier: Granularity = target_tier if isinstance(target_tier, str) else tier_name(target_tier)
        return await _threaded(
            lambda: self._knowledge.query(
                corpus_id,
                query,
                tier=tier,
                include_sources=include_sources,
                limit=limit,
                as_of=as_of,
                options=options,
            )
        )

    async def drill_down(
        self,
        item_id: str,
        current_tier: KnowledgeTier | None = None,
        *,
        corpus_id: str | None = None,
        as_of: int | None = None,
    ) -> list[Source]:
        """The items one tier below; none below Tier 1.

        Args:
            item_id: the id of an item of any tier.
            current_tier: the item's tier, if the caller wants it checked.
            corpus_id: look in this corpus only.
            as_of: a generation; None is the current one, or the newest that holds the item.

        Raises:
            NotFound: no such item.
            UsageError: the item is of another tier.
        """
        kinds = {"extraction": 1, "chunk": 2, "section": 3, "claim": 4, "summary": 4}
        actual = kinds.get(item_id.partition("_")[0])
        if current_tier is not None and actual is not None and actual != int(current_tier):
            raise UsageError("the item is of another tier", item_id=item_id, tier=actual, asked=int(current_tier))
        return await _threaded(lambda: self._knowledge.drill_down(item_id, corpus_id=corpus_id, as_of=as_of))

    async def item(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> Item:
        """An item of any kind as it is stored. See :meth:`Knowledge.item`."""
        return await _threaded(lambda: self._knowledge.item(item_id, corpus_id=corpus_id, as_of=as_of))

    async def chain(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> Source:
        """An item with its whole chain of evidence. See :meth:`Knowledge.chain`."""
        return await _threaded(lambda: self._knowledge.chain(item_id, corpus_id=corpus_id, as_of=as_of))

    async def rectangles(
        self, corpus_id: str, document: str, start: int, end: int, *, as_of: int | None = None
    ) -> list[PageRectangles]:
        """Where some words stand on the pages of a document. See :meth:`Knowledge.rectangles`."""
        return await _threaded(lambda: self._knowledge.rectangles(corpus_id, document, start, end, as_of=as_of))

    async def page_image(
        self, corpus_id: str, document: str, page: int, *, width_px: int = WIDTH_PX, as_of: int | None = None
    ) -> bytes:
        """A page of a PDF as PNG. See :meth:`Knowledge.page_image`."""
        return await _threaded(
            lambda: self._knowledge.page_image(corpus_id, document, page, width_px=width_px, as_of=as_of)
        )

    async def validate(
        self, corpus_id: str, *, citations: bool = True, synthesis_ratios: bool = True, as_of: int | None = None
    ) -> ValidationReport:
        """Check everything that a corpus promises. See :meth:`Knowledge.validate`."""
        return await _threaded(
            lambda: self._knowledge.validate(
                corpus_id, citations=citations, synthesis_ratios=synthesis_ratios, as_of=as_of
            )
        )

    async def verify(
        self,
        corpus_id: str,
        text: str | bytes,
        name: str = "",
        *,
        minimum_support: float | None = None,
        as_of: int | None = None,
    ) -> TextReport:
        """Check somebody else's text, sentence by sentence. See :meth:`Knowledge.verify`."""
        return await _threaded(
            lambda: self._knowledge.verify(corpus_id, text, name, minimum_support=minimum_support, as_of=as_of)
        )

    async def replay(self, corpus_id: str, *, as_of: int | None = None) -> ReplayReport:
        """Give every stored verdict of a generation again. See :meth:`Knowledge.replay`."""
        return await _threaded(lambda: self._knowledge.replay(corpus_id, as_of=as_of))

    async def pending_reviews(self, corpus_id: str, *, as_of: int | None = None) -> list[PendingReview]:
        """What is left to a person to decide. See :meth:`Knowledge.pending_reviews`."""
        return await _threaded(lambda: self._knowledge.pending_reviews(corpus_id, as_of=as_of))

    async def review(
        self,
        corpus_id: str,
        item_id: str,
        *,
        decision: Decision,
        by: str,
        meaning: str,
        changes: Mapping[str, JsonValue] | None = None,
        until: str | None = None,
        signer: Signer | None = None,
    ) -> Review:
        """Decide of a claim or an extraction. See :meth:`Knowledge.review`."""
        return await _threaded(
            lambda: self._knowledge.review(
                corpus_id,
                item_id,
                decision=decision,
                by=by,
                meaning=meaning,
                changes=changes,
                until=until,
                signer=signer,
            )
        )

    async def review_row(
        self,
        corpus_id: str,
        framework_corpus: str,
        row: CrosswalkRow,
        *,
        decision: Decision,
        by: str,
        meaning: str,
        label: CrosswalkLabel | None = None,
        until: str | None = None,
        signer: Signer | None = None,
    ) -> Review:
        """Decide of a row of a crosswalk. See :meth:`Knowledge.review_row`."""
        return await _threaded(
            lambda: self._knowledge.review_row(
                corpus_id,
                framework_corpus,
                row,
                decision=decision,
                by=by,
                meaning=meaning,
                label=label,
                until=until,
                signer=signer,
            )
        )

    async def owed_compactions(self) -> tuple[str, ...]:
        """What erasures still ask of the store's file. See :meth:`Knowledge.owed_compactions`."""
        return await _threaded(self._knowledge.owed_compactions)

    async def shown(
        self,
        corpus_id: str,
        item_id: str,
        *,
        decision: Decision,
        by: str,
        meaning: str,
        changes: Mapping[str, JsonValue] | None = None,
        until: str | None = None,
    ) -> str:
        """The text that a signature under such a decision would be bound to. See :meth:`Knowledge.shown`."""
        return await _threaded(
            lambda: self._knowledge.shown(
                corpus_id, item_id, decision=decision, by=by, meaning=meaning, changes=changes, until=until
            )
        )

    async def shown_review(self, corpus_id: str, review_id: str) -> str:
        """The text that a signature under a stored decision is bound to. See :meth:`Knowledge.shown_review`."""
        return await _threaded(lambda: self._knowledge.shown_review(corpus_id, review_id))

    async def approve(
        self, corpus_id: str, review_id: str, signer: Signer, *, meaning: str, shown_sha256: str | None = None
    ) -> Review:
        """Sign a decision as the second person. See :meth:`Knowledge.approve`."""
        return await _threaded(
            lambda: self._knowledge.approve(corpus_id, review_id, signer, meaning=meaning, shown_sha256=shown_sha256)
        )

    async def waits_for(self, review: Review) -> str:
        """What a decision waits for before it can be in force. See :meth:`Knowledge.waits_for`."""
        return await _threaded(lambda: self._knowledge.waits_for(review))

    async def sign(
        self, corpus_id: str, item_id: str, signer: Signer, *, meaning: str, as_of: int | None = None
    ) -> PersonSignature:
        """Sign an item with its whole chain of evidence. See :meth:`Knowledge.sign`."""
        return await _threaded(lambda: self._knowledge.sign(corpus_id, item_id, signer, meaning=meaning, as_of=as_of))

    async def sign_report(
        self, corpus_id: str, report: bytes, signer: Signer, *, meaning: str, as_of: int | None = None
    ) -> PersonSignature:
        """Sign a report's file and the build that it is of. See :meth:`Knowledge.sign_report`."""
        return await _threaded(
            lambda: self._knowledge.sign_report(corpus_id, report, signer, meaning=meaning, as_of=as_of)
        )

    async def signatures(self, corpus_id: str) -> list[tuple[PersonSignature, tuple[str, ...]]]:
        """Every signature of a corpus, and what is wrong with it. See :meth:`Knowledge.signatures`."""
        return await _threaded(lambda: self._knowledge.signatures(corpus_id))

    async def register_key(
        self, signer: Signer, *, person: str, role: str, replaces: str = "", former: Signer | None = None
    ) -> SignerKey:
        """Register a person's key. See :meth:`Knowledge.register_key`."""
        return await _threaded(
            lambda: self._knowledge.register_key(signer, person=person, role=role, replaces=replaces, former=former)
        )

    async def revoke_key(self, key: str, *, reason: str, at: str | None = None) -> SignerKey:
        """End a person's key. See :meth:`Knowledge.revoke_key`."""
        return await _threaded(lambda: self._knowledge.revoke_key(key, reason=reason, at=at))

    async def registered_keys(self) -> list[SignerKey]:
        """Everything that became of the tenant's persons' keys. See :meth:`Knowledge.registered_keys`."""
        return await _threaded(self._knowledge.registered_keys)

    async def audit(
        self, filters: AuditFilters | None = None, *, first: int = 0, last: int | None = None
    ) -> list[AuditEntry]:
        """The audit trail. See :meth:`Knowledge.audit`, which holds no more than an entry."""
        return await _threaded(lambda: list(self._knowledge.audit(filters, first=first, last=last)))

    async def decisions(self, corpus_id: str, *, as_of: int | None = None) -> list[DecisionStatus]:
        """Every decision that was ever signed, and how it stands. See :meth:`Knowledge.decisions`."""
        return await _threaded(lambda: self._knowledge.decisions(corpus_id, as_of=as_of))

    async def mark(self, corpus_id: str, query: str, item_id: str, *, relevant: bool, by: str) -> RelevanceMark:
        """Say whether an item answers a question. See :meth:`Knowledge.mark`."""
        return await _threaded(lambda: self._knowledge.mark(corpus_id, query, item_id, relevant=relevant, by=by))

    async def marks(self, corpus_id: str) -> list[RelevanceMark]:
        """The relevance marks in force. See :meth:`Knowledge.marks`."""
        return await _threaded(lambda: self._knowledge.marks(corpus_id))

    async def calibrate(self, corpus_id: str, *, seed: int = 0) -> CalibrationReport:
        """Fit on reviews and marks, and propose. See :meth:`Knowledge.calibrate`."""
        return await _threaded(lambda: self._knowledge.calibrate(corpus_id, seed=seed))

    async def switch_calibration(
        self, corpus_id: str, calibration_id: str, *, by: str, meaning: str
    ) -> CalibrationSwitch:
        """Put a calibration, or the shipped figures, in force. See :meth:`Knowledge.switch_calibration`."""
        return await _threaded(
            lambda: self._knowledge.switch_calibration(corpus_id, calibration_id, by=by, meaning=meaning)
        )

    async def calibrations(self, corpus_id: str) -> CalibrationState:
        """The proposals of a corpus, and who switched to which. See :meth:`Knowledge.calibrations`."""
        return await _threaded(lambda: self._knowledge.calibrations(corpus_id))

    async def report(
        self, corpus_id: str, *, as_of: int | None = None, validation: ValidationReport | None = None
    ) -> AuditReport:
        """The audit report of a generation. See :meth:`Knowledge.report`."""
        return await _threaded(lambda: self._knowledge.report(corpus_id, as_of=as_of, validation=validation))

    async def prove(
        self,
        corpus_id: str,
        subject: BundleSubject,
        item: str,
        file: BinaryIO,
        *,
        as_of: int | None = None,
        sources: bool = True,
        kept: bytes | None = None,
    ) -> BundleReport:
        """Write an evidence bundle. See :meth:`Knowledge.prove`."""
        return await _threaded(
            lambda: self._knowledge.prove(corpus_id, subject, item, file, as_of=as_of, sources=sources, kept=kept)
        )

    async def export(self, corpus_id: str, file: BinaryIO) -> ExportReport:
        """Write a corpus as one archive. See :meth:`Knowledge.export`."""
        return await _threaded(lambda: self._knowledge.export(corpus_id, file))

    async def import_archive(self, file: BinaryIO) -> ImportReport:
        """Read an archive into the store. See :meth:`Knowledge.import_archive`."""
        return await _threaded(lambda: self._knowledge.import_archive(file))

    async def check_rows(self) -> list[ValidationReport]:
        """Read every row of every corpus, and check it. See :meth:`Knowledge.check_rows`."""
        return await _threaded(self._knowledge.check_rows)

    async def sweep(self, corpus_id: str | None = None, *, apply: bool = False) -> SweepReport:
        """Find what nothing refers to, and remove it. See :meth:`Knowledge.sweep`."""
        return await _threaded(lambda: self._knowledge.sweep(corpus_id, apply=apply))

    async def forecast_erasure(
        self, corpus_id: str, documents: Sequence[str], *, reason: str, by: str
    ) -> ErasureForecast:
        """What an erasure would take. See :meth:`Knowledge.forecast_erasure`."""
        return await _threaded(lambda: self._knowledge.forecast_erasure(corpus_id, documents, reason=reason, by=by))

    async def erase(self, corpus_id: str, documents: Sequence[str], *, reason: str, by: str) -> ErasureOutcome:
        """Erase documents, and all that holds their words. See :meth:`Knowledge.erase`."""
        return await _threaded(lambda: self._knowledge.erase(corpus_id, documents, reason=reason, by=by))

    async def finish_erasures(self, corpus_id: str | None = None) -> list[ErasureOutcome]:
        """Carry out what was asked to be erased and is not done. See :meth:`Knowledge.finish_erasures`."""
        return await _threaded(lambda: self._knowledge.finish_erasures(corpus_id))

    async def erasures(self, corpus_id: str | None = None) -> list[ErasureEntry]:
        """Every erasure with its certificate. See :meth:`Knowledge.erasures`."""
        return await _threaded(lambda: self._knowledge.erasures(corpus_id))

    async def hold(
        self, corpus_id: str, documents: Sequence[str] = (), *, matter: str, reason: str, by: str
    ) -> LegalHold:
        """Order that documents be kept. See :meth:`Knowledge.hold`."""
        return await _threaded(lambda: self._knowledge.hold(corpus_id, documents, matter=matter, reason=reason, by=by))

    async def release(
        self, corpus_id: str, hold_id: str, *, reason: str, by: str
    ) -> tuple[HoldRelease, list[ErasureOutcome]]:
        """End a hold, and carry out what was asked meanwhile. See :meth:`Knowledge.release`."""
        return await _threaded(lambda: self._knowledge.release(corpus_id, hold_id, reason=reason, by=by))

    async def holds(self, corpus_id: str | None = None) -> list[LegalHold]:
        """The legal holds that are in force. See :meth:`Knowledge.holds`."""
        return await _threaded(lambda: self._knowledge.holds(corpus_id))

    async def forecast_retention(
        self, corpus_id: str, *, age: str | None = None, count: int | None = None
    ) -> RetentionForecast:
        """Which generations a policy would let go. See :meth:`Knowledge.forecast_retention`."""
        return await _threaded(lambda: self._knowledge.forecast_retention(corpus_id, age=age, count=count))

    async def removal_outlook(self, corpus_id: str) -> RemovalOutlook:
        """What goes next from a corpus, and what is on hold. See :meth:`Knowledge.removal_outlook`."""
        return await _threaded(lambda: self._knowledge.removal_outlook(corpus_id))

    async def retain(
        self, corpus_id: str, *, age: str | None = None, count: int | None = None
    ) -> tuple[int, SweepReport]:
        """Let old generations go, and remove what only they reached. See :meth:`Knowledge.retain`."""
        return await _threaded(lambda: self._knowledge.retain(corpus_id, age=age, count=count))

    async def indexes(self) -> list[IndexStatus]:
        """The indexes of the store and their states. See :meth:`Knowledge.indexes`."""
        return await _threaded(self._knowledge.indexes)

    async def build_index(self, name: str) -> bool:
        """Add an optional index, or go on with its building. See :meth:`Knowledge.build_index`."""
        return await _threaded(lambda: self._knowledge.build_index(name))

    async def drop_index(self, name: str) -> int:
        """Drop an optional index. See :meth:`Knowledge.drop_index`."""
        return await _threaded(lambda: self._knowledge.drop_index(name))

    async def checkpoint(self) -> str | None:
        """Sign what the log is now. See :meth:`Knowledge.checkpoint`."""
        return await _threaded(self._knowledge.checkpoint)

    async def log_head(self) -> LogHead:
        """How long the log is. See :meth:`Knowledge.log_head`."""
        return await _threaded(self._knowledge.log_head)

    async def log_entries(self, first: int = 0, last: int | None = None) -> list[tuple[int, bytes]]:
        """(index, entry) of entries of the log. See :meth:`Knowledge.log_entries`."""
        return await _threaded(lambda: list(self._knowledge.log_entries(first, last)))

    async def log_proof(self, index: int) -> str:
        """The proof that an entry is in the log. See :meth:`Knowledge.log_proof`."""
        return await _threaded(lambda: self._knowledge.log_proof(index))

    async def log_consistency(self, first: int, second: int) -> list[bytes]:
        """The proof that the log of one size is the beginning of that of another. See :meth:`Knowledge.log_consistency`."""
        return await _threaded(lambda: self._knowledge.log_consistency(first, second))

    async def log_witness(self, url: str, key: str, last_size: int = 0) -> str:
        """Have a witness cosign the newest checkpoint. See :meth:`Knowledge.log_witness`."""
        return await _threaded(lambda: self._knowledge.log_witness(url, key, last_size))

    async def log_timestamp(self, url: str, authority: bytes) -> str:
        """Have an authority stamp the newest checkpoint. See :meth:`Knowledge.log_timestamp`."""
        return await _threaded(lambda: self._knowledge.log_timestamp(url, authority))

    async def log_files(self) -> list[tuple[str, bytes]]:
        """(path, bytes) of the files that serve the log. See :meth:`Knowledge.log_files`."""
        return await _threaded(lambda: list(self._knowledge.log_files()))

    async def log_file(self, path: str) -> bytes:
        """A tile of the log, or a bundle of its entries. See :meth:`Knowledge.log_file`."""
        return await _threaded(lambda: self._knowledge.log_file(path))

    async def register(
        self,
        corpus_id: str,
        filters: RegisterFilters | None = None,
        *,
        as_of: int | None = None,
        today: str | None = None,
    ) -> list[RegisterRow]:
        """What the documents say, statement by statement. See :meth:`Knowledge.register`, which holds no more than a document."""
        return await _threaded(lambda: list(self._knowledge.register(corpus_id, filters, as_of=as_of, today=today)))

    async def changes(
        self,
        corpus_id: str,
        *,
        before: int | str | None = None,
        after: int | str | None = None,
        documents: Sequence[str] = (),
        today: str | None = None,
    ) -> CorpusChanges:
        """What differs between two states of a corpus, and what rests on it. See :meth:`Knowledge.changes`."""
        return await _threaded(
            lambda: self._knowledge.changes(corpus_id, before=before, after=after, documents=documents, today=today)
        )

    async def changes_between(
        self, corpus_id: str, old: str, new: str, *, as_of: int | None = None, today: str | None = None
    ) -> CorpusChanges:
        """What differs between two documents of one generation. See :meth:`Knowledge.changes_between`."""
        return await _threaded(lambda: self._knowledge.changes_between(corpus_id, old, new, as_of=as_of, today=today))

    async def duty_history(
        self,
        corpus_id: str,
        *,
        before: int | str | None = None,
        after: int | str | None = None,
        documents: Sequence[str] = (),
        editions: Sequence[str] = (),
    ) -> DutyHistory:
        """How many duties came, went or changed, from each state to the next. See :meth:`Knowledge.duty_history`."""
        return await _threaded(
            lambda: self._knowledge.duty_history(
                corpus_id, before=before, after=after, documents=documents, editions=editions
            )
        )

    async def feed(self, corpus_id: str, cursor: str = "") -> list[FeedEntry]:
        """What happened to a corpus, oldest first. See :meth:`Knowledge.feed`; whoever waits, waits in a thread of his own."""
        return await _threaded(lambda: list(self._knowledge.feed(corpus_id, cursor)))

    async def status(self, corpus_id: str | None = None) -> list[CorpusStatus]:
        """The state of one corpus, or of every corpus of the tenant. See :meth:`Knowledge.status`."""
        return await _threaded(lambda: self._knowledge.status(corpus_id))


def tier_name(tier: KnowledgeTier) -> TierName:
    """The name that the command line gives a tier."""
    return next(name for name, value in TIER_NAMES.items() if value == tier)


async def _coroutine(awaitable: Awaitable[T]) -> T:
    return await awaitable


async def _threaded(fn: Callable[[], T]) -> T:
    """The one bridge from coroutines to the synchronous core."""
    return await asyncio.to_thread(fn)
