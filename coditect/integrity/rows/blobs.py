"""Blobs: their parts against their checksums, the whole against the hash that is its name."""

from __future__ import annotations

import hashlib

from coditect.errors import Corrupt
from coditect.integrity.rows.reading import PAGE_PARTS, RowReader
from coditect.keyspace import unseal
from coditect.store.rows import row_name

__all__ = ["WholeBlobs"]


class WholeBlobs:
    """The blobs of a corpus that have the SHA-256 that names them. Those that do not are findings only if a record needs them.

    Args:
        rows: of the corpus.
    """

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows
        self._whole: set[str] = set()

    def read(self) -> None:
        """Parts in order, each against its checksum, the whole against the hash that is its name."""
        current, hasher = "", hashlib.sha256()
        for rows in self._rows.pages("blobs"):
            for key, value in rows:
                digest = str(self._rows.keys.parts("blobs", key)[1])
                if digest != current:
                    self._end(current, hasher)
                    current, hasher = digest, hashlib.sha256()
                try:
                    hasher.update(unseal(self._rows.keys.relative(key), value)[1])
                except Corrupt as error:
                    self._rows.say("bytes", row_name(self._rows.keys, key), error.message)
        self._end(current, hasher)

    def _end(self, digest: str, hasher: hashlib._Hash) -> None:
        if digest and hasher.hexdigest() == digest:
            self._whole.add(digest)

    def require(self, digest: str, name: str) -> None:
        """Say if a blob that a record names is not whole.

        Args:
            digest: its SHA-256.
            name: of the record's row, for people.
        """
        if digest not in self._whole:
            self._read_again(digest, name)

    def _read_again(self, digest: str, name: str) -> None:
        """Read what was not whole when the table was read: an ingest may have written it since."""
        begin, end = self._rows.keys.bounds("blobs", self._rows.corpus_id, digest)
        hasher = hashlib.sha256()
        count = 0
        try:
            for rows in self._rows.store.pages(begin, end, limit=PAGE_PARTS):
                for key, value in rows:
                    count += 1
                    hasher.update(unseal(self._rows.keys.relative(key), value)[1])
        except Corrupt:
            count = -1
        if count < 1 or hasher.hexdigest() != digest:
            message = "a part is not there" if count == 0 else "the bytes do not have the SHA-256 that names them"
            self._rows.say("hash", f"blobs/{self._rows.corpus_id}/{digest}", f"{message}, and {name} needs them")
