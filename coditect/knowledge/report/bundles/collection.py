"""Collects what a bundle holds: from its subject down to files, and up to the entries of the log.

Records go in as the bytes that are stored, since these are what ids are hashes of. Of a step only what the bundle needs goes in
whole; of its other outputs their hashes do, so that its commitment can be computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Literal

import coditect
from coditect.errors import Corrupt, NotFound, UsageError
from coditect.integrity.signing.checking import SignatureCheck
from coditect.knowledge.report.bundles.container import FORMAT, BundleWriter
from coditect.knowledge.report.bundles.logged import LoggedEntry, SignedLog
from coditect.knowledge.report.bundles.stored import stored_payloads
from coditect.schemas import Derivation, DocumentVersion, PersonSignature, SectionPart, sha256_hex
from coditect.schemas.record import TAG_DIGITS, canonical_json
from coditect.store.item_ids import CLASS_OF, kind_of
from coditect.store.store import Store
from coditect.store.view import ERASED_TEXT, View
from coditect.transparency.checkpoints import Checkpoint

__all__ = ["BundleReport", "BundleSubject", "write_bundle"]

BundleSubject = Literal["claim", "section", "document", "report"]
"""What a bundle can be evidence of."""


@dataclass(frozen=True, slots=True)
class BundleReport:
    """What went into a bundle.

    Attributes:
        subject: of what it is evidence.
        item_id: of which: a claim, a section, a version of a document, or a build.
        documents: names of the documents, in order.
        members: of the container.
        log_size: entries of the log under the checkpoint.
        unlogged: names of documents of whose intake the log has no entry.
        not_valid: of each signature in it that is not valid who signed, and why; a verifier cannot know of a revoked key.
    """

    subject: BundleSubject
    item_id: str
    documents: tuple[str, ...]
    members: int
    log_size: int
    unlogged: tuple[str, ...]
    not_valid: tuple[str, ...] = ()


def write_bundle(
    view: View,
    log: SignedLog,
    subject: BundleSubject,
    item: str,
    file: BinaryIO,
    *,
    sources: bool = True,
    kept: Checkpoint | None = None,
) -> BundleReport:
    """Write a bundle; the same store and checkpoint give the same bytes.

    Args:
        view: the generation.
        log: as its newest checkpoint signs it.
        subject: of what it is to be evidence.
        item: id of the claim or section; id or name of the document; of a report nothing.
        file: open for writing bytes.
        sources: put the bytes of the files in; their texts are there in any case, since offsets refer to them.
        kept: a checkpoint that somebody kept: the proof that the log continues it goes in.

    Raises:
        NotFound: no such item in this generation, no checkpoint covers the generation, or it held documents that were erased.
        UsageError: the generation was built by release 0.1.0, which commits to nothing.
    """
    with BundleWriter(file) as writer:
        return _Collection(view, log, writer, sources).write(subject, item, kept)


@dataclass
class _Collection:
    """One bundle as it is written."""

    view: View
    log: SignedLog
    writer: BundleWriter
    sources: bool
    versions: dict[str, DocumentVersion] = field(default_factory=dict)
    reviews: set[str] = field(default_factory=set)
    told: dict[int, None] = field(default_factory=dict)
    """Entries of the log that are in it, in order; their proofs are made at once."""
    not_valid: list[str] = field(default_factory=list)

    @property
    def store(self) -> Store:
        """Where everything is read from."""
        return self.view.store

    def write(self, subject: BundleSubject, item: str, kept: Checkpoint | None) -> BundleReport:
        """Write everything, the index last.

        Args:
            subject: what is proven.
            item: its id; of a document its name, too.
            kept: a checkpoint that the reader has; None: none.

        Raises:
            NotFound: no such item.
            UsageError: release 0.1.0 built the generation.
            InvalidProof: the log does not continue the checkpoint.
        """
        manifest = self.view.manifest
        if not manifest.derivations_sha256:
            raise UsageError(
                "release 0.1.0 built this generation, and it commits to nothing", hint="Build the corpus again."
            )
        self._items("manifests", [manifest.build_id])
        if subject != "document":
            self._commitments("manifest", manifest.steps)
        item_id = self._subject(subject, item)
        entries, unlogged = self._entries()
        for number, proof in zip(self.told, self.log.proofs(list(self.told)), strict=True):
            self.writer.add(f"log/{number}.tlog-proof", proof.encode())
        if kept is not None and kept.size != self.log.checkpoint.size:
            self.writer.add(f"log/consistency-{kept.size}", self.log.consistency(kept).encode())
        for number, token in enumerate(self.log.timestamps(), 1):
            self.writer.add(f"timestamps/{number}.tsr", token)
        index = {
            "format": FORMAT,
            "release": coditect.__version__,
            "subject": {"kind": subject, "id": item_id},
            "corpus_id": self.view.corpus_id,
            "generation": self.view.generation,
            "sources": self.sources,
            "entries": entries,
        }
        self.writer.add("bundle.json", canonical_json(index))
        names = tuple(sorted(each.name for each in self.versions.values()))
        size = self.log.checkpoint.size
        return BundleReport(subject, item_id, names, len(self.writer), size, unlogged, tuple(self.not_valid))

    def _subject(self, subject: BundleSubject, item: str) -> str:
        match subject:
            case "claim":
                found = self.view.claim_by_finding.get(item)
                claim_id = item if found is None else found.claim_id
                self._claims([claim_id])
                return claim_id
            case "section":
                self._sections({item: None})
                return item
            case "document":
                return self._whole_document(item)
            case "report":
                self._sections({section.section_id: None for section in self.view.sections})
                self._claims([*self.view.summary.claims, *self.view.summary.filtered])
                return self.view.manifest.build_id

    # tiers 4 and 3

    def _claims(self, claim_ids: Sequence[str]) -> None:
        summary = self.view.summary
        for each in claim_ids:
            if each not in summary.verdicts:
                raise NotFound("unknown claim", claim_id=each, generation=self.view.generation)
        if summary.summary_text == ERASED_TEXT:  # whose stored words may still be here
            raise self._erased()
        self._items("summaries", [summary.summary_id])
        self._step(self.view.manifest.summary_derivation, "")
        self._items("claims", claim_ids)
        self._items("verdicts", [summary.verdicts[each] for each in claim_ids])
        cited: dict[str, set[int] | None] = {}
        for each in claim_ids:
            claim = self.view.claims[each]
            for source in claim.citations:
                parts = cited.setdefault(source.section_id, set())
                if parts is not None:
                    parts.add(source.part)
            self._extractions(claim.extraction_ids)
            opinions = self.view.verdicts[each].opinions
            self.reviews.update(opinion.review_id for opinion in opinions if opinion.review_id)
        self._sections(cited)

    def _sections(self, wanted: dict[str, set[int] | None]) -> None:
        """Sections, with what some of their parts cite, or all."""
        steps = {section: step for step, section in self.view.manifest.sections}
        for section_id, parts in wanted.items():
            section = self.view.section_by_id.get(section_id)
            if section is None:
                raise NotFound("unknown section", section_id=section_id, generation=self.view.generation)
            self._items("sections", [section_id])
            self._step(steps[section_id], "")
            for number, part in enumerate(section.content):
                if parts is None or number in parts:
                    self._quote(part)

    def _quote(self, part: SectionPart) -> None:
        if (cited := part.citation) is not None:
            self._document(cited.document_id)
            self._items("chunks", [cited.chunk_id], cited.document_id)
            self._items("extractions", cited.extraction_ids, cited.document_id)

    # tiers 2 to 0

    def _extractions(self, ids: Iterable[str]) -> None:
        by_tag = {each.partition("_")[2][:TAG_DIGITS]: each for each in self.view.entries}
        for each in ids:
            document_id = by_tag[each.partition("_")[2][:TAG_DIGITS]]
            self._document(document_id)
            self._items("extractions", [each], document_id)

    def _document(self, document_id: str) -> DocumentVersion:
        """A document's version, text, file, its entry in the tree, and the steps of tiers 1 and 2."""
        version = self.view.document(document_id)
        if version.version_id in self.versions:
            return version
        self.versions[version.version_id] = version
        self._items("documents", [version.version_id], document_id)
        self.writer.add(f"texts/{version.text_sha256}", self._blob(version.text_sha256, version.text_bytes))
        if self.sources:
            self.writer.add(f"files/{version.raw_sha256}", self._blob(version.raw_sha256, version.raw_bytes))
        entry = self.view.entries[document_id]
        shard = document_id.partition("_")[2][:2]
        self._items("trees", [self.view.manifest.trees[shard]])
        self._commitments(document_id, entry.steps)
        for step in (*entry.extractions, *entry.chunks):
            self._step(step, document_id)
        return version

    def _whole_document(self, name: str) -> str:
        """A document by its name or id, with all of its tiers 1 and 2."""
        found = [
            each for each in self.view.documents.values() if name in (each.name, each.document_id, each.version_id)
        ]
        if not found:
            raise NotFound("unknown document", document=name, generation=self.view.generation)
        version = self._document(found[0].document_id)
        entry = self.view.entries[version.document_id]
        for table, steps in (("extractions", entry.extractions), ("chunks", entry.chunks)):
            for step in self._derivations(steps):
                self._items(table, step.outputs, version.document_id)
        return version.version_id

    def _blob(self, digest: str, size_bytes: int) -> bytes:
        return self.store.get_blob(self.view.corpus_id, digest, size_bytes)

    # records

    def _items(self, table: str, ids: Sequence[str], document_id: str = "") -> None:
        fresh = [each for each in dict.fromkeys(ids) if f"items/{each}" not in self.writer]
        for each, payload in zip(fresh, self._payloads(table, fresh, document_id), strict=True):
            self.writer.add(f"items/{each}", payload)

    def _payloads(self, table: str, ids: Sequence[str], document_id: str = "") -> Iterator[bytes]:
        """The stored bytes of records, in order."""
        corpus_id = self.view.corpus_id
        places = [(corpus_id, document_id, each) if document_id else (corpus_id, each) for each in ids]
        return stored_payloads(self.store, table, places)

    def _erased(self) -> NotFound:
        return NotFound(
            "this generation held documents that were erased since, and no evidence can be made of it as a whole",
            generation=self.view.generation,
            erased=len(self.view.erased_entries),
            hint="Build the corpus again, and prove the new generation.",
        )

    def _derivations(self, ids: Sequence[str]) -> list[Derivation]:
        found = self.store.derivations(self.view.corpus_id, list(ids))
        if missing := [each for each in ids if each not in found]:
            if self.view.erased_entries:
                raise self._erased()
            raise Corrupt("a step that the manifest reaches is missing", derivation_id=missing[0])
        return [found[each] for each in ids]

    def _commitments(self, owner: str, steps: Sequence[str]) -> None:
        lines = "".join(each.commitment.hex() + "\n" for each in self._derivations(steps))
        self.writer.add(f"commitments/{owner}", lines.encode())

    def _step(self, step_id: str, document_id: str) -> None:
        """A step, and SHA-256 of each of its outputs."""
        if f"steps/{step_id}" in self.writer:
            return
        step = self._derivations([step_id])[0]
        if not step.outputs_sha256:
            raise UsageError(
                "release 0.1.0 finished a step of this, and it does not commit to what came out",
                derivation_id=step_id,
                hint="Ingest the files into a new corpus, and build that.",
            )
        self.writer.add(f"steps/{step_id}", next(self._payloads("derivations", [step.derivation_id])))
        hashed: dict[str, str] = {}
        for kind in dict.fromkeys(map(kind_of, step.outputs)):
            ids = [each for each in step.outputs if kind_of(each) == kind]
            payloads = self._payloads(CLASS_OF[kind][0], ids, document_id)
            hashed |= {each: sha256_hex(payload) for each, payload in zip(ids, payloads, strict=True)}
        self.writer.add(f"outputs/{step_id}", canonical_json(hashed))

    # the log

    def _entries(self) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The entries that tell of all this, as {what: index}, and names of documents that the log does not tell of."""
        build_id, corpus_id = self.view.manifest.build_id, self.view.corpus_id
        signed = [each for _, each in self.store.scan("signatures", PersonSignature, corpus_id)]
        subjects = [build_id, *self.versions, *self.reviews, *(each.signature_id for each in signed)]
        found = self.log.entries_of(corpus_id, subjects)
        generation = self._generation()
        self.writer.add("records/generation", generation)
        digest = sha256_hex(generation)
        built = [each for each in found[build_id] if each.body.get("sha256") == digest]
        if not built:
            raise NotFound(
                "no signed checkpoint of the log holds this generation",
                generation=self.view.generation,
                hint="Run 'coditect log checkpoint' with the log's key; what was built before the log began has to be built again.",
            )
        documents = {each: self._intake(each, found[each], built[0].index) for each in sorted(self.versions)}
        reviews = {each: self._of_review(each, found[each]) for each in sorted(self.reviews)}
        self._entry(built[0])
        told = {each: index for each, index in documents.items() if index is not None}
        unlogged = tuple(sorted(self.versions[each].name for each, index in documents.items() if index is None))
        signatures = {
            each.signature_id: self._of_signature(each, found[each.signature_id]) for each in self._signed(signed)
        }
        entries = {"generation": built[0].index, "documents": told, "reviews": reviews, "signatures": signatures}
        return entries, unlogged

    def _generation(self) -> bytes:
        return next(stored_payloads(self.store, "generations", [(self.view.corpus_id, self.view.generation)]))

    def _intake(self, version_id: str, entries: Sequence[LoggedEntry], generation: int) -> int | None:
        """The entry of a version's intake before the generation, with the record where that is still as it was then."""
        before = [each for each in entries if each.body.get("kind") == "document" and each.index < generation]
        if not before:
            return None
        version = self.versions[version_id]
        record = next(self._payloads("intake", [version.document_id]))
        same = [each for each in before if each.body.get("sha256") == sha256_hex(record)]
        if same:
            self.writer.add(f"records/{version_id}", record)
        chosen = (same or before)[0]
        self._entry(chosen)
        return chosen.index

    def _of_review(self, review_id: str, entries: Sequence[LoggedEntry]) -> int:
        self._items("reviews", [review_id])
        if not entries:
            raise NotFound("the log has no entry of a decision", review_id=review_id)
        self._entry(entries[0])
        return entries[0].index

    def _signed(self, signatures: Sequence[PersonSignature]) -> list[PersonSignature]:
        """Those of some signatures of people whose record is in the bundle."""
        return sorted(
            (each for each in signatures if f"items/{each.subject}" in self.writer), key=lambda s: s.signature_id
        )

    def _of_signature(self, signature: PersonSignature, entries: Sequence[LoggedEntry]) -> int:
        self._items("signatures", [signature.signature_id])
        problems = "; ".join(SignatureCheck(self.store, self.view.corpus_id).signature(signature))
        if problems:
            self.not_valid.append(f"{signature.by}, {signature.at} ({signature.signature_id}): {problems}")
        if not entries:
            raise NotFound("the log has no entry of a signature", signature_id=signature.signature_id)
        self._entry(entries[0])
        return entries[0].index

    def _entry(self, entry: LoggedEntry) -> None:
        self.writer.add(f"log/{entry.index}.entry", entry.data)
        self.told[entry.index] = None
