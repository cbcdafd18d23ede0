"""Validation of a stored hierarchy: every promise of every tier, checked again from the bytes up.

Always: each row against its checksum, each item against its id, each blob against its hash, indexes against records in both
directions; each extraction and each selected sentence of the generation against the document's text at its offsets.
On request (all by default): citations of tiers 3 and 4 and the verdicts and figures of Tier 4, and the synthesis ratios.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from coditect.errors import (
    CoditectError,
    Conflict,
    Corrupt,
    NewerRecord,
    NotConfigured,
    NotFound,
    SynthesisRatioExceeded,
    Unavailable,
)
from coditect.integrity.evidence import evidence_of
from coditect.integrity.tables import check_tables
from coditect.schemas import Chunk, Corpus, Finding, ReadingLoss, Section, ValidationReport, sha256_hex
from coditect.schemas.calibration import FITTED
from coditect.store.generations import manifest_of
from coditect.store.store import Store
from coditect.store.view import View, gone_from, open_view
from coditect.tiers.claims.composition import CLAIMS_VERSION
from coditect.tiers.evidence import require_chunk, require_extraction, require_ratio, require_section
from coditect.tiers.findings.conflicts.detection import CONFLICTS_VERSION
from coditect.tiers.passages import check_passages
from coditect.verify.judges import recheck
from coditect.verify.support.meaning import FindMeaning, nothing_meant

__all__ = ["check_rows", "check_staged", "validate"]

SILENT = (Conflict, Unavailable)
"""What a store raises that does not answer: it says nothing of what is stored, and is no finding."""


def validate(
    store: Store,
    corpus_id: str,
    *,
    citations: bool = True,
    synthesis_ratios: bool = True,
    as_of: int | None = None,
    meaning: FindMeaning = nothing_meant,
    progress: Callable[[str, int, int], None] | None = None,
) -> ValidationReport:
    """Check a corpus.

    Args:
        store: where.
        corpus_id: what.
        citations: check citations, verdicts and figures.
        synthesis_ratios: check the ratio of every section against its gate.
        as_of: the generation whose tiers are checked; rows are checked for all generations.
        meaning: opens the configured embedder; verdicts that name another one are counted, and not given again.
        progress: told (stage, done, total) as rows and documents are read.
    Raises:
        NotFound: no such corpus, or it was never built.
    """
    begin = time.perf_counter()
    run = _Run(store, corpus_id, progress or (lambda stage, done, total: None), meaning)
    run.rows()
    generation, build_id = 0, ""
    try:
        view = open_view(store, corpus_id, as_of)
    except (Corrupt, NotFound, NewerRecord) as error:
        if not run.findings:  # nothing is wrong with the rows: there is no such corpus or generation
            raise
        run.say("completeness", f"generations/{corpus_id}", str(error))
    else:
        generation, build_id = view.generation, view.manifest.build_id
        if not any(
            finding.check == "newer" for finding in run.findings
        ):  # its tiers are compared by the release that knows them
            run.tiers(view, citations, synthesis_ratios)
    return run.report(generation, build_id, begin)


def check_rows(
    store: Store, corpus_id: str, *, progress: Callable[[str, int, int], None] | None = None
) -> ValidationReport:
    """Read every row of a corpus, of all generations, and check it for itself; the tiers are not compared with the text.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        progress: told (stage, done, total) as rows are read.
    """
    begin = time.perf_counter()
    run = _Run(store, corpus_id, progress or (lambda stage, done, total: None))
    run.rows()
    return run.report(0, "", begin)


def check_staged(
    store: Store, corpus: Corpus, *, progress: Callable[[str, int, int], None] | None = None
) -> tuple[Finding, ...]:
    """What is wrong with a corpus whose record is not stored yet: its rows, and the tiers of its current generation.

    That a key was revoked from before it signed is no damage: the signature counts for nothing there as here, and
    :func:`validate` says so.

    Args:
        store: the tenant's store.
        corpus: the record that is going to be stored.
        progress: told (stage, done, total) as rows and documents are read.
    """
    run = _Run(store, corpus.corpus_id, progress or (lambda stage, done, total: None))
    run.rows(ended_keys=False)
    own = f"corpus/{corpus.corpus_id}"
    run.findings = [finding for finding in run.findings if finding.record != own]
    if corpus.generation and not run.findings:
        try:
            run.tiers(View(store, manifest_of(store, corpus.corpus_id, corpus.build_id), corpus.generation), True, True)
        except (Corrupt, NotFound) as error:
            run.say("completeness", f"generations/{corpus.corpus_id}", str(error))
    return tuple(run.findings)


class _Place(NamedTuple):
    """What chunks are held against of an extraction; a long document has more of them than can be held whole."""

    char_offset_start: int
    char_offset_end: int


class _Run:
    """One validation: what was read, and what was found."""

    def __init__(
        self,
        store: Store,
        corpus_id: str,
        progress: Callable[[str, int, int], None],
        meaning: FindMeaning = nothing_meant,
    ) -> None:
        self.store = store
        self.corpus_id = corpus_id
        self.progress = progress
        self.meaning = meaning
        self.counts: Counter[str] = Counter()
        self.findings: list[Finding] = []
        self.losses: list[ReadingLoss] = []
        self.counted = {"extractions": 0, "chunks": 0, "passages": 0}

    def say(self, check_name: str, record: str, message: str) -> None:
        """Note something wrong."""
        self.findings.append(Finding.model_validate({"check": check_name, "record": record, "message": message}))

    def rows(self, *, ended_keys: bool = True) -> None:
        """Every row of the corpus."""
        pages: Counter[str] = Counter()

        def advance(table: str) -> None:
            pages[table] += 1
            self.progress(f"reading {table}", pages[table], 0)

        check_tables(self.store, self.corpus_id, self.counts, self.say, advance, ended_keys=ended_keys)

    def report(self, generation: int, build_id: str, begin: float) -> ValidationReport:
        """What was read and found since ``begin``, seconds of the process' clock."""
        return ValidationReport(
            clean=not self.findings,
            corpus_id=self.corpus_id,
            generation=generation,
            build_id=build_id,
            checked=dict(sorted(self.counts.items())),
            findings=tuple(self.findings),
            losses=tuple(self.losses),
            seconds=round(time.perf_counter() - begin, 3),
        )

    def tiers(self, view: View, citations: bool, synthesis_ratios: bool) -> None:
        """Every tier of a generation."""
        try:
            self.documents(view)
            self.sections(view, citations, synthesis_ratios)
            if citations:
                self.claims(view)
            self.totals(view)
        except Corrupt as error:
            self.say("completeness", f"generations/{self.corpus_id}/{view.generation}", str(error))

    def documents(self, view: View) -> None:
        """Tiers 0 to 2 of every document, against its text."""
        for done, document_id in enumerate(view.entries, 1):
            try:
                self._document(view, document_id)
            except SILENT:
                raise
            except CoditectError as error:
                self.say("completeness", f"documents/{self.corpus_id}/{document_id}", str(error))
            self.progress("comparing with the text", done, len(view.entries))

    def _document(self, view: View, document_id: str) -> None:
        version = view.document(document_id)
        self.losses += [ReadingLoss(name=version.name, message=message) for message in version.warnings]
        text = view.text_of(version)
        self.counts["characters"] += len(text)
        if len(text) != version.text_length:
            self.say("offsets", f"documents/{self.corpus_id}/{document_id}", "the text does not have its stated length")
        raw = self.store.get_blob(self.corpus_id, version.raw_sha256, version.raw_bytes)
        if sha256_hex(raw) != version.raw_sha256:
            self.say("hash", f"documents/{self.corpus_id}/{document_id}", "the file does not have its stated SHA-256")
        places: dict[str, _Place] = {}
        for extraction in view.each_extraction(document_id):
            places[extraction.extraction_id] = _Place(extraction.char_offset_start, extraction.char_offset_end)
            try:
                require_extraction(text, extraction)
            except CoditectError as error:
                self.say(
                    "offsets", f"extractions/{self.corpus_id}/{document_id}/{extraction.extraction_id}", str(error)
                )
        self.counted["extractions"] += len(places)
        passages = view.passages(document_id)
        self.counted["passages"] += len(passages)
        if passages:
            for message in check_passages(passages, text, version):
                self.say("offsets", f"passages/{self.corpus_id}/{document_id}", message)
        profile = view.profiles.get(document_id)
        for name, fact in () if profile is None else profile.facts:
            if fact.char_start is not None and text[fact.char_start : fact.char_end] != fact.quote:
                message = f"what its {name} rests on is not the document's text at its offsets"
                self.say("verbatim", f"profiles/{self.corpus_id}/{document_id}", message)
        for chunk in view.chunks(document_id):
            self.counted["chunks"] += 1
            self.counts["sentences"] += len(chunk.selected_sentences)
            try:
                require_chunk(text, chunk, places)
            except CoditectError as error:
                self.say("verbatim", f"chunks/{self.corpus_id}/{document_id}/{chunk.chunk_id}", str(error))

    def sections(self, view: View, citations: bool, synthesis_ratios: bool) -> None:
        """Tier 3: quotes against chunks, ratios against gates."""
        for section in view.sections:
            record = f"sections/{self.corpus_id}/{section.section_id}"
            if citations:
                self._attempt("citations", record, partial(_require_quotes, view, section))
            if synthesis_ratios:
                self._attempt("synthesis", record, partial(require_ratio, section))
                maximum = view.manifest.settings.max_synthesis_ratio
                if section.max_synthesis_ratio > maximum:
                    self.say("synthesis", record, f"its gate is wider than the build's ({maximum})")

    def _attempt(self, check_name: str, record: str, fn: Callable[[], None]) -> None:
        try:
            fn()
        except SynthesisRatioExceeded as error:
            if check_name == "synthesis":
                self.say("synthesis", record, str(error))
        except SILENT:
            raise
        except CoditectError as error:
            self.say(check_name, record, str(error))

    def claims(self, view: View) -> None:
        """Tier 4: every claim is checked again, figures counted again, and the verdict compared with the stored one."""
        if view.erased_entries:
            # Figures were counted over documents that are gone; what is left is bound by its hashes, and checked in the next build.
            self.counts["claims of generations with erased documents (not checked again)"] += len(view.claims)
            return
        evidence = evidence_of(view, self.meaning)
        todays = _made_by_todays_rules(view)
        published = frozenset(view.summary.claims)
        for claim_id, claim in view.claims.items():
            record = f"claims/{self.corpus_id}/{claim_id}"
            stored = view.verdicts.get(claim_id)
            if stored is None:
                self.say("citations", record, "a claim without a verdict")
                continue
            try:
                fresh = recheck(claim, evidence, view.summary.minimum_support, stored)
            except SILENT:
                raise
            except NotConfigured as error:
                self.counts[
                    f"claims judged with {error.context['model']}, which is not configured (not checked again)"
                ] += 1
                continue
            except CoditectError as error:
                self.say("figures", record, f"it cannot be checked again: {error}")
                continue
            figures = stored.weights_version.rpartition(" ")[2]
            if figures.startswith(FITTED) and figures not in evidence.fitted:
                self.say("completeness", record, f"the calibration of its verdict, {figures}, is not stored")
            same = ("checker", "weights_version", "weights_sha256")
            differs = not stored.says_the_same(fresh) and all(
                getattr(stored, each) == getattr(fresh, each) for each in same
            )
            if differs and not todays:
                self.counts["claims that rules of another release made, and today's would not (not a fault)"] += 1
            elif differs:
                self.say(
                    "figures",
                    record,
                    "checked again, the claim has another verdict: " + (fresh.filter_reason or "supported"),
                )
            if (claim_id in published) != stored.published:
                self.say("citations", record, "published against its verdict, or withheld in spite of it")
            if claim_id in published and not claim.citations:
                self.say("citations", record, "a published claim without a citation")

    def totals(self, view: View) -> None:
        """The counts of the manifest are the counts of the items."""
        if gone_from(view).documents:
            name = f"generations/{self.corpus_id}/{view.generation}"
            self.say("completeness", name, "an erasure was begun and is not done: any command that writes finishes it")
            return
        counted = {
            "documents": len(view.entries),
            **self.counted,
            "sections": len(view.sections),
            "claims": len(view.summary.claims),
            "filtered_claims": len(view.summary.filtered),
        }
        for name, erased in _erased_counts(view).items():
            counted[name] += erased
        stated = {name: view.manifest.counts.get(name, 0) for name in counted}
        if stated != counted:
            self.say(
                "completeness",
                f"manifests/{self.corpus_id}/{view.manifest.build_id}",
                f"counts {stated}, found {counted}",
            )


def _made_by_todays_rules(view: View) -> bool:
    """Whether the claims of a generation were made by the rules that check them again.

    What a claim tells (who is at odds with whom, what is missing) is found again when it is checked. Rules of another release may
    find something else, and the record is none the worse for that: the step that made it names them.
    """
    step = view.store.derivations(view.corpus_id, [view.manifest.summary_derivation]).get(
        view.manifest.summary_derivation
    )
    return step is None or {CONFLICTS_VERSION, CLAIMS_VERSION} <= set(step.code_version.split())


def _erased_counts(view: View) -> Counter[str]:
    """What a generation held of what was erased since, by what is counted."""
    gone, found = gone_from(view), Counter[str]()
    for entry in view.erased_entries.values():
        found["documents"] += 1
        for each in entry.steps:
            if (step := gone.steps.get(each)) is not None and step.stage in ("extractions", "chunks", "passages"):
                found[step.stage] += step.outputs
    found["sections"] = len(view.manifest.sections) - len(view.sections)
    left = gone.summaries.get(view.manifest.summary_id)
    if left is not None:
        # Those of the erasure that took the summary, and those of later ones.
        found["claims"] = left.erased_claims + len(left.claims) - len(view.summary.claims)
        found["filtered_claims"] = left.erased_filtered + len(left.filtered) - len(view.summary.filtered)
    return found


def _require_quotes(view: View, section: Section) -> None:
    require_section(section, _cited(view, section))


def _cited(view: View, section: Section) -> dict[str, Chunk]:
    cited = {p.citation.chunk_id: p.citation.document_id for p in section.content if p.citation is not None}
    return {chunk.chunk_id: chunk for chunk in view.items(Chunk, list(cited), list(cited.values()))}
