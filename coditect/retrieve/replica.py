"""Search replicas: copies of what a generation says, arranged for search. The store is the truth; these may be deleted.

Every build has a folder of its own, complete from the moment that it has its name. A reader therefore never sees a replica
change under it, and two processes that make the same one at once do not disturb each other: the second finds it made. A
replica of a large corpus is made from the one of the build before: index files are linked, not copied, and only the
documents that differ between the two manifests are indexed again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from coditect.errors import Unavailable
from coditect.retrieve.lexical import LEXICAL, IndexedItem, LexicalIndex
from coditect.retrieve.port import Match
from coditect.schemas import Chunk, DocumentVersion, Extraction, TierName, tag_of
from coditect.store.generations import generations, manifest_of
from coditect.store.store import Store
from coditect.store.view import View

__all__ = ["Replicas"]

KEPT = 4
"""Replicas of a corpus that stay on disk, the newest by use."""

INCREMENTAL_FROM = 40
"""Documents from which a replica is made from the one before; smaller ones are made anew, which costs nothing."""

_ASKED_AS = {
    "conflict": "conflict contradiction inconsistency disagreement documents disagree exposure risk",
    "gap": "gap missing open point weakness exposure risk",
    "statistic": "statistic figure count how many documents",
    "theme": "theme topic coverage",
    "requirement": "requirement obligation duty must shall",
}
"""What a claim of each kind is asked for by, beside its own words."""

_PASSED_OVER = frozenset(("quantity", "cross_reference"))
"""Spans of a few characters: found by exact look-up and through their sentence, and noise in a ranking."""


class Replicas:
    """The replicas of one tenant; a :class:`~coditect.retrieve.port.Searcher`.

    Args:
        store: what they follow.
        folder: below it they lie.
    """

    def __init__(self, store: Store, folder: Path) -> None:
        # A hash: no tenant's name can lead out of the cache, or into another's folder, whatever it holds.
        named = f"{store.engine.url}\0{store.keys.tenant}".encode("utf-8", "surrogatepass")
        owner = hashlib.sha256(named).hexdigest()[:24]
        self.store = store
        self.folder = folder / "replicas" / owner
        self._open: dict[tuple[str, str], LexicalIndex] = {}

    def search(self, view: View, query: str, tier: TierName, limit: int) -> list[Match]:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        return self._index(view, tier).search(query, limit)

    def refresh(self, view: View) -> None:
        """See :class:`~coditect.retrieve.port.Searcher`."""
        self._index(view, "section")

    def _index(self, view: View, tier: TierName) -> LexicalIndex:
        key = (view.manifest.build_id, tier)
        if key not in self._open:
            try:
                folder = self._ready(view)
                self._open = {k: index for k, index in self._open.items() if k[0] == view.manifest.build_id}
                self._open[key] = LexicalIndex(folder / tier)
            except (OSError, ValueError) as error:  # ValueError: tantivy's, for files that are not an index
                raise Unavailable(
                    "the search replica cannot be written or read",
                    folder=str(self.folder),
                    reason=str(error),
                    hint="Give a writable folder with --cache, or delete it; replicas are made again from the store.",
                ) from error
        return self._open[key]

    def _corpus_folder(self, corpus_id: str) -> Path:
        return self.folder / tag_of(corpus_id)

    def _ready(self, view: View) -> Path:
        target = self._corpus_folder(view.corpus_id) / f"{view.manifest.build_id}.{LEXICAL.replace('/', '-')}"
        if target.is_dir():
            os.utime(target)
            return target
        target.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".making-", dir=target.parent))
        try:
            self._make(view, work)
            try:
                work.rename(target)
            except OSError:
                if not target.is_dir():  # else another process made the same one meanwhile
                    raise
        finally:
            shutil.rmtree(work, ignore_errors=True)
        self._prune(target)
        return target

    def _make(self, view: View, work: Path) -> None:
        base = self._base(view) if len(view.entries) >= INCREMENTAL_FROM else None
        changed = set(view.entries)
        gone: set[str] = set()
        if base is not None:
            folder, before = base
            changed = {d for d, entry in view.entries.items() if before.entries.get(d) != entry}
            gone = {d for d, entry in before.entries.items() if view.entries.get(d) != entry}
            for tier in ("extraction", "chunk"):
                _link(folder / tier, work / tier)
        LexicalIndex(work / "extraction").update(gone, self._extractions(view, changed))
        LexicalIndex(work / "chunk").update(gone, self._chunks(view, changed))
        LexicalIndex(work / "section").update((), self._sections(view))
        LexicalIndex(work / "corpus").update((), self._claims(view))

    def _base(self, view: View) -> tuple[Path, View] | None:
        """The replica of the newest earlier build that is still here, if few documents changed since."""
        folder = self._corpus_folder(view.corpus_id)
        for generation in reversed(generations(self.store, view.corpus_id)):
            candidate = folder / f"{generation.build_id}.{LEXICAL.replace('/', '-')}"
            if generation.build_id != view.manifest.build_id and candidate.is_dir():
                before = View(self.store, manifest_of(self.store, view.corpus_id, generation.build_id))
                different = sum(before.entries.get(d) != entry for d, entry in view.entries.items())
                return (candidate, before) if different * 4 < len(view.entries) else None
        return None

    def _prune(self, newest: Path) -> None:
        done = [p for p in newest.parent.iterdir() if p.is_dir() and not p.name.startswith(".") and p != newest]
        done.sort(key=lambda path: path.stat().st_mtime, reverse=True)
        for old in done[KEPT - 1 :]:
            shutil.rmtree(old, ignore_errors=True)

    def _extractions(self, view: View, documents: set[str]) -> Iterator[IndexedItem]:
        for document_id in sorted(documents):
            version = view.document(document_id)
            for item in view.extractions(document_id):
                if item.extraction_kind not in _PASSED_OVER:
                    yield _of_extraction(version, item)

    def _chunks(self, view: View, documents: set[str]) -> Iterator[IndexedItem]:
        for document_id in sorted(documents):
            version = view.document(document_id)
            text = view.text_of(version)
            for chunk in view.chunks(document_id):
                yield _of_chunk(version, chunk, text)

    def _sections(self, view: View) -> Iterator[IndexedItem]:
        for section in view.sections:
            quotes = " ".join(part.content for part in section.content if part.citation is not None)
            yield IndexedItem(section.section_id, "", "", section.topic, quotes)

    def _claims(self, view: View) -> Iterator[IndexedItem]:
        for claim_id in view.summary.claims:
            claim = view.claims[claim_id]
            yield IndexedItem(claim_id, "", claim.topic, _ASKED_AS.get(claim.claim_kind, ""), claim.text)


def _of_extraction(version: DocumentVersion, item: Extraction) -> IndexedItem:
    return IndexedItem(
        item.extraction_id, item.document_id, version.title or version.name, item.heading, item.source_text
    )


def _of_chunk(version: DocumentVersion, chunk: Chunk, text: str) -> IndexedItem:
    heading = " ".join((*chunk.parent_chain, chunk.heading, *chunk.headings))
    passage = text[chunk.char_offset_start : chunk.char_offset_end]
    return IndexedItem(chunk.chunk_id, chunk.document_id, version.title or version.name, heading, passage)


def _link(source: Path, target: Path) -> None:
    """A copy of an index: its segments never change and are linked, its own books are copied."""
    target.mkdir(parents=True)
    for file in source.iterdir():
        if file.name.endswith(".lock"):
            continue
        if file.name.endswith(".json"):
            shutil.copyfile(file, target / file.name)
        else:
            os.link(file, target / file.name)
