"""The search for what is left of erased words: in every row of the tenant, and in files of caches, spools and exports."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from coditect.errors import Corrupt
from coditect.keyspace import LAYOUT, POINTER, part_text, unseal
from coditect.knowledge.erasure.runs import RUN_WORDS, Numbers, WordRuns, any_in, texts_in
from coditect.schemas import ErasureScan
from coditect.store.acts.events import event_payload
from coditect.store.rows import row_name
from coditect.store.store import Store

__all__ = ["search_words"]

MOST_NAMED = 20
"""Places that are named."""

PAGE_PARTS = 32
"""Rows of a page: parts of blobs are long."""

READ_BYTES = 1 << 20
"""Of a file, at a time."""

_PACKED = frozenset((".zip", ".gz", ".xz", ".bz2", ".zst", ".7z", ".docx", ".xlsx", ".pdf", ".odt"))
_ESCAPE = re.compile(r"\\[nrt\"\\/bf]|\\u00[0-9a-fA-F]{2}|&[a-z]+;|&#\d+;")

Tell = Callable[[int], None]


def search_words(
    store: Store, corpus_id: str, key: bytes, runs: Numbers, places: Sequence[Path] = (), tell: Tell = lambda done: None
) -> ErasureScan:
    """Look for runs of words.

    Args:
        store: the tenant's store; every row is read that it has, of every corpus.
        corpus_id: the corpus that they were erased from.
        key: of the runs.
        runs: their numbers, sorted.
        places: files and folders that are looked through, too.
        tell: told how many rows were read.
    """
    search = _Search(store, corpus_id, WordRuns(key, RUN_WORDS), runs)
    search.rows(tell)
    for place in places:
        search.files(place)
    return ErasureScan(
        words=RUN_WORDS,
        runs=len(runs),
        rows=search.row_count,
        size_bytes=search.size_bytes,
        files=search.file_count,
        unread=tuple(search.unread[:MOST_NAMED]),
        elsewhere=tuple(sorted(search.elsewhere)),
        found=tuple(search.found[:MOST_NAMED]),
    )


class _Search:
    """One search. See :func:`search_words`."""

    def __init__(self, store: Store, corpus_id: str, words: WordRuns, runs: Numbers) -> None:
        self.store = store
        self.row_count = self.size_bytes = self.file_count = 0
        self.found: list[str] = []
        self.elsewhere: set[str] = set()
        self.unread: list[str] = []
        self._words = words
        self._runs = runs
        self._own = store.keys.own_part(corpus_id)
        self._blob = ("", "")  # (its key but the last element, the end of the part before)

    def rows(self, tell: Tell) -> None:
        """Every row of the tenant: the texts of its key, and of its value."""
        for page in self.store.pages(*self.store.keys.space, limit=PAGE_PARTS):
            for key, value in page:
                self.row_count += 1
                table = self.store.keys.table_of(key) or ""
                if table != "erasing":
                    self._row(table, key, value)
            tell(self.row_count)

    def _row(self, table: str, key: bytes, value: bytes) -> None:
        keys = self.store.keys
        try:
            place = keys.parts(table, key) if table else ()
        except Corrupt:
            place = ()
        texts = [part_text(each) for each in place]
        try:
            if table == "feed":
                corpus = part_text(place[0])
                texts.append(event_payload(keys, corpus, value).decode("utf-8", "replace"))
                self.size_bytes += len(value)
            elif table.startswith("log/") or not table:
                texts.append(value.decode("utf-8", "replace"))
                self.size_bytes += len(value)
            else:
                form, payload = unseal(keys.relative(key), value)
                self.size_bytes += len(key) + len(payload)
                texts += [] if form == POINTER else self._of_value(table, place, payload)
        except Corrupt:  # damaged rows are found by validation; their bytes are looked through as they are
            texts.append(value.decode("utf-8", "replace"))
        if any_in(self._words.of(texts), self._runs):
            position = LAYOUT[table].corpus_field if table else 0
            owner = place[position] if table and "corpus" in LAYOUT[table].fields and len(place) > position else None
            if owner is None or owner == self._own:
                self.found.append(row_name(keys, key))
            else:
                self.elsewhere.add(part_text(owner))

    def _of_value(self, table: str, place: Sequence[object], payload: bytes) -> Iterator[str]:
        if table == "blobs":  # a run may begin in one part and end in the next
            name, end = self._blob
            own = f"{place[0]}/{place[1]}"
            text = payload.decode("utf-8", "replace")
            text = end + text if own == name else text
            self._blob = own, self._words.last_words(text[-4000:])
            yield text
            if own != name and payload[:1] in (b"{", b"["):
                yield from texts_in(payload)
        else:
            yield from texts_in(payload)

    def files(self, place: Path) -> None:
        """A file, or every file below a folder."""
        if not place.exists():
            return
        for path in (
            [place]
            if place.is_file()
            else (Path(at) / name for at, _, names in os.walk(place) for name in sorted(names))
        ):
            try:
                self._file(path)
            except OSError:
                self.unread.append(str(path))

    def _file(self, path: Path) -> None:
        if path.suffix.lower() in _PACKED:
            self.unread.append(str(path))
            return
        self.file_count += 1
        end = ""
        with path.open("rb") as file:
            while data := file.read(READ_BYTES):
                text = end + _ESCAPE.sub(" ", data.decode("utf-8", "replace"))
                if any_in(self._words.of([text]), self._runs):
                    self.found.append(str(path))
                    return
                end = self._words.last_words(text[-4000:])
