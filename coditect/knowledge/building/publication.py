"""The publication of sections that a program stored: a draft of what they rest on, and from there on the end of every build.

Only how Tiers 1 to 3 come about differs from a build that derives them: :func:`coditect.knowledge.building.pipeline.complete`
composes, checks, settles and publishes what the draft holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from coditect.errors import CoditectError, Unsupported, UsageError
from coditect.knowledge.building.identity import UPPER_VERSIONS
from coditect.knowledge.building.pipeline import complete
from coditect.knowledge.building.stepwise import (
    STORED_VERSION,
    require_present,
    stored_chunks,
    stored_extractions,
    stored_version,
)
from coditect.knowledge.building.summary import Validate
from coditect.knowledge.derivation.corpus import draft_manifest
from coditect.knowledge.derivation.profiles import PROFILES_VERSION, held_today, profile_documents
from coditect.knowledge.derivation.report import BuildReport
from coditect.knowledge.model_roles.agency import SUMMARY_ROLES, Agency
from coditect.knowledge.progress import Clock, Progress, silent
from coditect.schemas import BuildSettings, Chunk, Claim, Opinion, Section, TreeEntry, Verdict, VerdictLabel
from coditect.store.store import Store
from coditect.store.view import View
from coditect.store.work import REGISTRAR, Registrar, registered
from coditect.verify.checker import Evidence
from coditect.verify.judges import combine
from coditect.verify.support.meaning import FindMeaning, nothing_meant

__all__ = ["Validator", "publish"]

Validator = Callable[[Sequence[Claim], Evidence, float], list[Verdict]]
"""(claims, evidence, minimum support) to one verdict for each claim, in order."""


def publish(
    store: Store,
    corpus_id: str,
    section_ids: Sequence[str],
    validator: Validator | None,
    clock: Clock,
    *,
    progress: Progress = silent,
    agency: Agency | None = None,
    registrar: Registrar = REGISTRAR,
    meaning: FindMeaning = nothing_meant,
) -> BuildReport:
    """Make sections, and what they rest on, the corpus' next generation, with a summary as every build composes it.

    Args:
        store: the tenant's store.
        corpus_id: the corpus that is published.
        section_ids: Tier 3 to draw on, at least one.
        validator: gives an opinion beside the checker on every claim that this does not refuse; None: nobody does.
        clock: gives the time of the generation record.
        progress: told what is being done.
        agency: the roles that a language model plays; those of the summary are asked. None: rules alone.
        registrar: registers the publication, so that no sweep takes what it counts on.
        meaning: opens the configured embedder with the checker's weights for it.
    Raises:
        NotFound: no such corpus, or an item is not there.
        UsageError: no sections, or one rests on a version of a document that is not in the intake any more.
        Unsupported: the validator failed; nothing was published.
        Conflict: another build finished first.
    """
    corpus = store.corpus(corpus_id)
    if not section_ids:
        raise UsageError("a corpus summary needs sections", corpus_id=corpus_id)
    with registered(store, corpus_id, "publication", registrar) as mine:
        own = mine.for_bulk("build")
        wanted = list(dict.fromkeys(section_ids))
        places = [(corpus_id, each) for each in wanted]
        sections = require_present(own.get_many("sections", Section, places), wanted)
        settings = BuildSettings(
            max_synthesis_ratio=max(section.max_synthesis_ratio for section in sections),
            agents=None if agency is None else agency.settings_for(SUMMARY_ROLES),
        )
        entries = _entries(own, corpus_id, sections)
        versions = {"items": STORED_VERSION, "profiles": PROFILES_VERSION, **UPPER_VERSIONS}
        view = held_today(View(own, draft_manifest(own, corpus_id, entries, settings, versions).manifest), clock)
        report = BuildReport(corpus_id)
        report.reused |= {tier: view.manifest.counts[tier] for tier in ("extractions", "chunks", "passages")}
        return complete(
            view,
            corpus,
            report,
            clock=clock,
            progress=progress,
            agency=agency,
            given=sections,
            meaning=meaning,
            validate=None if validator is None else _opinions(validator, corpus_id, settings.minimum_support),
        )


def _opinions(validator: Validator, corpus_id: str, minimum_support: float) -> Validate:
    """Has a program's validator heard beside the checker: agreement decides, and what the checker refuses stays refused."""

    def heard(claims: Sequence[Claim], verdicts: Mapping[str, Verdict], evidence: Evidence) -> dict[str, Verdict]:
        try:
            said = validator(claims, evidence, minimum_support)
        except (ValueError, KeyError, TypeError, ArithmeticError, RuntimeError, OSError, CoditectError) as error:
            raise Unsupported(
                "the validator failed, so nothing was published", corpus_id=corpus_id, reason=repr(error)
            ) from error
        if [verdict.claim_id for verdict in said] != [claim.claim_id for claim in claims]:
            raise Unsupported(
                "the validator did not answer for every claim, so nothing was published", corpus_id=corpus_id
            )
        joined = dict(verdicts)
        for verdict in said:
            own = joined[verdict.claim_id]
            if own.label != "unsupported" and verdict != own:  # the checker itself adds nothing
                joined[verdict.claim_id] = combine(own, _opinion(verdict, minimum_support))
        return joined

    return heard


def _opinion(verdict: Verdict, minimum_support: float) -> Opinion:
    """A validator's verdict as an opinion; support that it would not publish itself is a doubt."""
    label: VerdictLabel = verdict.label
    if label == "supported" and not (verdict.published and verdict.support_score >= minimum_support):
        label = "needs_review"
    found = [signal.detail or signal.name for signal in verdict.signals if not signal.passed]
    return Opinion(
        judge="model",
        who=verdict.checker or "validation agent",
        version=verdict.weights_version,
        label=label,
        reason=verdict.filter_reason or "; ".join(found),
        probability=verdict.support_score,
    )


def _entries(store: Store, corpus_id: str, sections: Sequence[Section]) -> list[TreeEntry]:
    """The documents that sections rest on, with the derivations of what is drawn on."""
    chunk_ids = list(dict.fromkeys(each for section in sections for each in section.source_chunks))
    by_document: dict[str, list[Chunk]] = defaultdict(list)
    for chunk in stored_chunks(store, corpus_id, chunk_ids):
        by_document[chunk.document_id].append(chunk)
    entries, versions = [], {}
    for document_id in sorted(by_document):
        version = stored_version(store, corpus_id, document_id)
        versions[document_id] = version
        own = sorted(by_document[document_id], key=lambda chunk: (chunk.char_offset_start, chunk.chunk_id))
        if any(chunk.version_id != version.version_id for chunk in own):
            raise UsageError(
                "a section rests on an earlier version of a document",
                corpus_id=corpus_id,
                document=version.name,
                hint="Store its extractions again from the version that the corpus takes in now.",
            )
        ids = list(dict.fromkeys(each for chunk in own for each in chunk.source_extractions))
        items = stored_extractions(store, corpus_id, document_id, ids)
        entries.append(
            TreeEntry(
                document_id=document_id,
                version_id=version.version_id,
                extractions=tuple(dict.fromkeys(e.derivation_id for e in items)),
                chunks=tuple(dict.fromkeys(chunk.derivation_id for chunk in own)),
            )
        )
    return profile_documents(store, corpus_id, entries, versions)
