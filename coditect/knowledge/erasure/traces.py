"""What tells that something speaks of the documents that are to be erased: runs of their words, their names, their tags in ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import numpy as np

from coditect.keyspace import part_text
from coditect.knowledge.erasure.runs import RUN_WORDS, SHORT_RUN_WORDS, Numbers, WordRuns, any_in, texts_in
from coditect.schemas import DocumentVersion
from coditect.schemas.record import TAG_DIGITS
from coditect.store.blobs import Row
from coditect.store.intake.staging import corpus_pages
from coditect.store.rows import payload_of
from coditect.store.store import Store

__all__ = ["OF_DOCUMENTS", "Traces"]

OF_DOCUMENTS = ("extractions", "chunks", "passages", "profiles")
"""Tables whose rows belong to the document in their key."""

_PACKED = (b"%PDF", b"PK")
"""How files begin in which no words are to be read."""

_SAID = frozenset(("claims", "verdicts", "summaries", "reviews", "answers"))
"""Tables of what somebody says: a document's name in it is reason enough to go."""

_LONGEST_WITHOUT_RUN = 60
"""Bytes of a record that cannot hold a run."""


class Traces:
    """The traces of some documents of a corpus, read from all its texts when this is made.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        documents: ids of the documents.
        key: random, 16 bytes; of the numbers of runs.

    Attributes:
        runs: numbers of the runs of words that stand in the documents and in no other one of the corpus; sorted.
        names: of the documents, every one that they had.
    """

    def __init__(self, store: Store, corpus_id: str, documents: set[str], key: bytes) -> None:
        self._store = store
        self._corpus_id = corpus_id
        self._tags = {each.partition("_")[2][:TAG_DIGITS] for each in documents}
        self._long = WordRuns(key, RUN_WORDS)
        self._short = WordRuns(key, SHORT_RUN_WORDS)
        self.names: set[str] = set()
        self.runs, self._short_runs = self._read(documents)
        any_name = "|".join(re.escape(each) for each in sorted(self.names, key=len, reverse=True))
        self._name = re.compile(rf"(?<![\w/.-])(?:{any_name})(?![\w/-])" if any_name else "(?!)")

    def _read(self, documents: set[str]) -> tuple[Numbers, Numbers]:
        """The runs of the documents, long and short, that no other document of the corpus has."""
        own = [np.empty(0, np.uint64)]
        short = [np.empty(0, np.uint64)]
        others: dict[str, int] = {}
        files: dict[str, int] = {}
        seen: set[str] = set()
        for _, version in self._store.scan("documents", DocumentVersion, self._corpus_id):
            if version.document_id not in documents:
                others[version.text_sha256] = version.text_bytes
                files[version.raw_sha256] = version.raw_bytes
                continue
            self.names.add(version.name)
            if version.text_sha256 not in seen:
                seen.add(version.text_sha256)
                text = self._text(version.text_sha256, version.text_bytes)
                own.append(self._long.of([text]))
                short.append(self._short.of([text]))
        runs, short_runs = np.unique(np.concatenate(own)), np.unique(np.concatenate(short))
        for digest, size in others.items():
            text = self._text(digest, size)
            runs = np.setdiff1d(runs, self._long.of([text]), assume_unique=True)
            short_runs = np.setdiff1d(short_runs, self._short.of([text]), assume_unique=True)
        for texts in chain(self._in_files(files), self._in_rows(documents)):
            runs = np.setdiff1d(runs, self._long.of(texts), assume_unique=True)
        return runs, short_runs

    def _in_files(self, files: dict[str, int]) -> Iterator[list[str]]:
        """The texts of the files of the other documents: with markup between them, words make runs that no document's text has."""
        for digest, size in files.items():
            data = self._store.get_blob(self._corpus_id, digest, size)
            if not data.startswith(_PACKED):
                yield [data.decode("utf-8", "replace")]
                yield list(texts_in(data))

    def _in_rows(self, documents: set[str]) -> Iterator[list[str]]:
        """The texts of what was derived of the other documents alone: what stands there is theirs."""
        keys = self._store.keys
        for table in OF_DOCUMENTS:
            for page in corpus_pages(self._store, self._corpus_id, table):
                for row in page:
                    place = keys.parts(table, row[0])
                    if part_text(place[1]) not in documents:
                        yield list(texts_in(payload_of(self._store.engine, keys, place, *row)))

    def _text(self, digest: str, size_bytes: int) -> str:
        return self._store.get_blob(self._corpus_id, digest, size_bytes).decode("utf-8", "replace")

    def own(self, item_id: str) -> bool:
        """Whether an item is one of the documents', which its id tells."""
        return item_id.partition("_")[2][:TAG_DIGITS] in self._tags

    def named_in(self, data: bytes) -> bool:
        """Whether the name of a document stands in stored bytes."""
        return any(self._name.search(each) for each in texts_in(data))

    def in_row(self, table: str, row: Row) -> bool:
        """Whether a record speaks of the documents: by a run of their words; of what somebody says, by their names, too."""
        keys = self._store.keys
        data = payload_of(self._store.engine, keys, keys.parts(table, row[0]), *row)
        if len(data) < _LONGEST_WITHOUT_RUN:
            return False
        texts = list(texts_in(data))
        if any_in(self._long.of(texts), self.runs):
            return True
        if table == "answers" and any(any_in(self._short.of([each]), self._short_runs) for each in texts):
            return True
        return table in _SAID and any(self._name.search(each) for each in texts)
