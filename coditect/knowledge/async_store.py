"""The interface of ADR-029: four tiers, filled step by step, as coroutines; and every use case of :class:`Knowledge` as one.

The command line builds whole corpora; a program (or an agent) that extracts by its own means stores what it found through this
class, tier by tier, and publishes it with :meth:`HierarchicalKnowledgeStore.build_corpus_summary`. Every promise of the tiers is
checked on the way in: nothing enters that is not verbatim, selected, cited, or validated.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from coditect.errors import UsageError
from coditect.knowledge.building.publication import Validator
from coditect.knowledge.building.stepwise import store_chunk, store_extraction, store_section
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.service import Knowledge
from coditect.schemas import (
    BuildSettings,
    Claim,
    CorpusSummary,
    Granularity,
    KnowledgeTier,
    QueryResult,
    SearchOptions,
    Source,
    Verdict,
)
from coditect.schemas.query import TIER_NAMES, TierName
from coditect.verify.checker import Evidence

__all__ = ["HierarchicalKnowledgeStore", "ValidationAgent"]

P = ParamSpec("P")
T = TypeVar("T")


class ValidationAgent(Protocol):
    """Says whether claims are supported by their evidence, beside the checker."""

    async def validate_claims(
        self, claims: Sequence[Claim], evidence: Evidence, minimum_support: float
    ) -> list[Verdict]:
        """One verdict for each claim, in order. Raising stops the publication."""
        ...


def _awaited(
    use_case: Callable[Concatenate[Knowledge, P], T],
) -> Callable[Concatenate[HierarchicalKnowledgeStore, P], Coroutine[Any, Any, T]]:
    """A use case as a coroutine, with the parameters that it has: there is no second signature that could fall behind."""

    @wraps(use_case)
    async def awaited(self: HierarchicalKnowledgeStore, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await _threaded(lambda: use_case(self._knowledge, *args, **kwargs))

    awaited.__doc__ = _told(use_case)
    return awaited


def _listed(
    use_case: Callable[Concatenate[Knowledge, P], Iterator[T]],
) -> Callable[Concatenate[HierarchicalKnowledgeStore, P], Coroutine[Any, Any, list[T]]]:
    """A use case that gives one thing after another, as a coroutine that gives all of them."""

    @wraps(use_case)
    async def listed(self: HierarchicalKnowledgeStore, /, *args: P.args, **kwargs: P.kwargs) -> list[T]:
        return await _threaded(lambda: list(use_case(self._knowledge, *args, **kwargs)))

    given = inspect.signature(use_case)
    annotation = str(given.return_annotation).replace("Iterator[", "list[", 1)
    listed.__annotations__ = {**use_case.__annotations__, "return": annotation}
    vars(listed)["__signature__"] = given.replace(return_annotation=annotation)
    listed.__doc__ = _told(use_case)
    return listed


def _told(use_case: Callable[..., Any]) -> str:
    """What a use case does, and where the rest of it is told."""
    first = str(use_case.__doc__).splitlines()[0].partition(". ")[0].removesuffix(".")
    return f"{first}. As :meth:`Knowledge.{use_case.__name__}`."


class HierarchicalKnowledgeStore:
    """Multi-tier knowledge of one tenant, with hallucination prevention.

    Tier 1: raw extractions (immutable). Tier 2: chunk summaries (extractive only). Tier 3: section summaries (extractive, light
    synthesis). Tier 4: corpus summary (grounded and validated).

    A use case of :class:`Knowledge` takes here what it takes there, and runs in a thread; what listens to its progress is called
    in that thread. What is read there one by one is a list here: whoever cannot hold it reads it in a thread of his own.

    Args:
        knowledge: the tenant's services, from :func:`coditect.compose.open_knowledge`.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    ingest = _awaited(Knowledge.ingest)

    async def build(
        self, corpus_id: str, settings: BuildSettings | None = None, *, progress: Progress = silent
    ) -> BuildReport:
        """Build all four tiers by the deterministic path; None: as settings are by default. As :meth:`Knowledge.build`."""
        return await _threaded(lambda: self._knowledge.build(corpus_id, settings or BuildSettings(), progress=progress))

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

    item = _awaited(Knowledge.item)
    chain = _awaited(Knowledge.chain)
    rectangles = _awaited(Knowledge.rectangles)
    page_image = _awaited(Knowledge.page_image)
    validate = _awaited(Knowledge.validate)
    verify = _awaited(Knowledge.verify)
    replay = _awaited(Knowledge.replay)
    replay_report = _awaited(Knowledge.replay_report)
    unweighed_model = _awaited(Knowledge.unweighed_model)
    pending_reviews = _awaited(Knowledge.pending_reviews)
    review = _awaited(Knowledge.review)
    review_row = _awaited(Knowledge.review_row)
    owed_compactions = _awaited(Knowledge.owed_compactions)
    shown = _awaited(Knowledge.shown)
    shown_review = _awaited(Knowledge.shown_review)
    approve = _awaited(Knowledge.approve)
    waits_for = _awaited(Knowledge.waits_for)
    sign = _awaited(Knowledge.sign)
    sign_report = _awaited(Knowledge.sign_report)
    signatures = _awaited(Knowledge.signatures)
    register_key = _awaited(Knowledge.register_key)
    revoke_key = _awaited(Knowledge.revoke_key)
    registered_keys = _awaited(Knowledge.registered_keys)
    audit = _listed(Knowledge.audit)
    decisions = _awaited(Knowledge.decisions)
    mark = _awaited(Knowledge.mark)
    marks = _awaited(Knowledge.marks)
    calibrate = _awaited(Knowledge.calibrate)
    switch_calibration = _awaited(Knowledge.switch_calibration)
    calibrations = _awaited(Knowledge.calibrations)
    report = _awaited(Knowledge.report)
    prove = _awaited(Knowledge.prove)
    export = _awaited(Knowledge.export)
    import_archive = _awaited(Knowledge.import_archive)
    check_rows = _awaited(Knowledge.check_rows)
    sweep = _awaited(Knowledge.sweep)
    forecast_erasure = _awaited(Knowledge.forecast_erasure)
    erase = _awaited(Knowledge.erase)
    finish_erasures = _awaited(Knowledge.finish_erasures)
    erasures = _awaited(Knowledge.erasures)
    hold = _awaited(Knowledge.hold)
    release = _awaited(Knowledge.release)
    holds = _awaited(Knowledge.holds)
    forecast_retention = _awaited(Knowledge.forecast_retention)
    removal_outlook = _awaited(Knowledge.removal_outlook)
    retain = _awaited(Knowledge.retain)
    indexes = _awaited(Knowledge.indexes)
    quota_report = _awaited(Knowledge.quota_report)
    build_index = _awaited(Knowledge.build_index)
    drop_index = _awaited(Knowledge.drop_index)
    checkpoint = _awaited(Knowledge.checkpoint)
    log_head = _awaited(Knowledge.log_head)
    log_entries = _listed(Knowledge.log_entries)
    log_proof = _awaited(Knowledge.log_proof)
    log_consistency = _awaited(Knowledge.log_consistency)
    log_witness = _awaited(Knowledge.log_witness)
    log_timestamp = _awaited(Knowledge.log_timestamp)
    log_files = _listed(Knowledge.log_files)
    log_file = _awaited(Knowledge.log_file)
    register = _listed(Knowledge.register)

    agreements = _listed(Knowledge.agreements)
    conflicts = _awaited(Knowledge.conflicts)
    waivers = _listed(Knowledge.waivers)
    changes = _awaited(Knowledge.changes)
    changes_between = _awaited(Knowledge.changes_between)
    duty_history = _awaited(Knowledge.duty_history)
    feed = _listed(Knowledge.feed)
    status = _awaited(Knowledge.status)
    answer_questions = _awaited(Knowledge.answer_questions)
    conflict_page = _awaited(Knowledge.conflict_page)
    crosswalk = _awaited(Knowledge.crosswalk)
    documents = _awaited(Knowledge.documents)
    drill_down_from = _awaited(Knowledge.drill_down_from)
    grid = _awaited(Knowledge.grid)
    questionnaire = _awaited(Knowledge.questionnaire)
    references = _awaited(Knowledge.references)


def tier_name(tier: KnowledgeTier) -> TierName:
    """The name that the command line gives a tier."""
    return next(name for name, value in TIER_NAMES.items() if value == tier)


async def _coroutine(awaitable: Awaitable[T]) -> T:
    return await awaitable


async def _threaded(fn: Callable[[], T]) -> T:
    """The one bridge from coroutines to the synchronous core."""
    return await asyncio.to_thread(fn)
