"""The archive file: JSON lines, a header, the rows of one corpus table by table, and a trailer of sums (ADR 0014).

Every line is canonical JSON (UTF-8, sorted keys, no white space) and ends with a line feed, so that the same corpus has the
same bytes and any tool that reads JSON lines reads an archive.

Nothing here reads or writes a store. Reading an archive to its end proves it: the trailer is computed again from what was
read and compared byte for byte, so that a changed, missing, added or moved byte anywhere is noticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO

import orjson

from coditect.errors import Corrupt, UsageError
from coditect.knowledge.archive.lines import FIRST_TABLES, LINE_BYTES, TABLES, table_of
from coditect.schemas import canonical_json, sha256_hex
from coditect.schemas.archive import (
    ARCHIVE_FORMAT,
    ARCHIVE_VERSION,
    ARCHIVE_VERSIONS,
    ArchiveHeader,
    ArchiveTable,
    ArchiveTrailer,
)

__all__ = ["Archive", "Tally", "Tell", "header_line", "open_archive", "quiet", "trailer_line"]

Tell = Callable[[int, int], None]
"""(rows done, rows in all)."""

PROGRESS_ROWS = 1000
"""Rows after which progress is told."""

_HEADER = b'{"header":'
_TRAILER = b'{"trailer":'
_CUT_OFF = "The archive was cut off or changed on its way: copy it again, or take another backup."


def quiet(done: int, total: int) -> None:
    """Nobody wants to know how far it is."""


class Tally:
    """The sums of row lines, by table and of all. Lines must be added in the order of an archive.

    Args:
        tables: those that the archive may have lines of.

    Attributes:
        rows: number of lines by table.
        total: number of lines.
    """

    def __init__(self, tables: Sequence[str] = TABLES) -> None:
        self.rows = dict.fromkeys(tables, 0)
        self.total = 0
        self._bytes = dict.fromkeys(tables, 0)
        self._sha256 = {table: hashlib.sha256() for table in tables}
        self._all = hashlib.sha256()

    def add(self, table: str, line: bytes) -> None:
        """Add a line of a table."""
        self.rows[table] += 1
        self.total += 1
        self._bytes[table] += len(line)
        self._sha256[table].update(line)
        self._all.update(line)

    def copy(self) -> Tally:
        """The sums as they are now."""
        other = Tally(tuple(self.rows))
        other.rows, other.total, other._bytes = dict(self.rows), self.total, dict(self._bytes)
        other._sha256 = {table: each.copy() for table, each in self._sha256.items()}
        other._all = self._all.copy()
        return other

    @property
    def digest(self) -> str:
        """SHA-256 of all lines: the digest of the corpus."""
        return self._all.hexdigest()

    def trailer(self, header: bytes) -> ArchiveTrailer:
        """The trailer of an archive with this header line and these rows."""
        tables = {
            table: ArchiveTable(rows=self.rows[table], size_bytes=self._bytes[table], sha256=each.hexdigest())
            for table, each in self._sha256.items()
        }
        return ArchiveTrailer(
            header_sha256=sha256_hex(header),
            corpus_digest=self.digest,
            rows=self.total,
            size_bytes=sum(self._bytes.values()),
            tables=tables,
        )


def header_line(header: ArchiveHeader) -> bytes:
    """The first line."""
    return _HEADER + header.payload() + b"}\n"


def trailer_line(trailer: ArchiveTrailer) -> bytes:
    """The last line."""
    return _TRAILER + trailer.payload() + b"}\n"


class Archive:
    """An archive in a file. Holds one line at a time in memory.

    Args:
        file: seekable, at the beginning of the archive; must stay open.

    Attributes:
        header: its first line.

    Raises:
        UsageError: not an archive, or of a version that this code does not know.
        Corrupt: the first line is damaged.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._start = file.tell()
        self._first = file.readline(LINE_BYTES + 1)
        self.header = _parse_header(self._first)

    def rows(self, tell: Tell = quiet) -> Iterator[tuple[str, bytes]]:
        """(table, line) of every row, from the beginning. When it has ended, the archive is proven whole and unchanged.

        Args:
            tell: told how far it is.
        Raises:
            Corrupt: truncated, changed, reordered or continued; or changed since it was opened.
        """
        self._file.seek(self._start)
        if self._file.readline(LINE_BYTES + 1) != self._first:
            raise Corrupt("the archive changed while it was read", hint="Copy it to where nobody writes to it.")
        tally = Tally(FIRST_TABLES if self.header.version == 1 else TABLES)
        at = 0
        while not (line := self._line(tally)).startswith(_TRAILER):
            position = table_of(line, at)
            if position is None or TABLES[position] not in tally.rows:
                raise _damaged("a line of the archive has no table, or is out of order", tally)
            at = position
            tally.add(TABLES[at], line)
            if tally.total % PROGRESS_ROWS == 0:
                tell(tally.total, sum(self.header.rows.values()))
            yield TABLES[at], line
        stated = (self.header.rows, self.header.corpus_digest)
        if line != trailer_line(tally.trailer(self._first)) or stated != (tally.rows, tally.digest):
            raise _damaged("the archive does not have the sums that it states", tally)
        if self._file.read(1):
            raise _damaged("something follows the archive's last line", tally)
        tell(tally.total, tally.total)

    def _line(self, tally: Tally) -> bytes:
        line = self._file.readline(LINE_BYTES + 1)
        if len(line) > LINE_BYTES:
            raise _damaged("a line of the archive is too long", tally)
        if not line.endswith(b"\n"):
            raise _damaged("the archive ends before its last line", tally)
        return line


def open_archive(file: BinaryIO, tell: Tell = quiet) -> Archive:
    """Read a whole archive, and say that it is what was written. Arguments and errors as :class:`Archive` and its rows."""
    archive = Archive(file)
    for _ in archive.rows(tell):
        pass
    return archive


def _parse_header(line: bytes) -> ArchiveHeader:
    """The header in a first line; an unknown version is told from what is no archive at all."""
    try:
        found = orjson.loads(line)["header"]
        name, version = found["format"], found["version"]
    except (ValueError, KeyError, TypeError):
        name = version = None
    if name != ARCHIVE_FORMAT:
        raise UsageError("not an archive", hint="Give a file that 'coditect knowledge export' wrote, decompressed.")
    if version not in ARCHIVE_VERSIONS:
        raise UsageError(
            "unknown version of the archive format",
            version=version,
            known=ARCHIVE_VERSION,
            hint="Import it with the version of coditect that wrote it, or a newer one.",
        )
    try:
        header = ArchiveHeader.parse(canonical_json(found))
    except Corrupt as error:
        raise _damaged("the first line of the archive is damaged") from error
    if header_line(header) != line:
        raise _damaged("the first line of the archive is damaged")
    return header


def _damaged(message: str, before: Tally | None = None) -> Corrupt:
    """What is wrong with the line that follows those that were tallied."""
    return Corrupt(message, line=1 if before is None else before.total + 2, hint=_CUT_OFF)
