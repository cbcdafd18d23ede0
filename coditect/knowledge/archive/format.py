"""The archive file: JSON lines, a header, the rows of one corpus table by table, and a trailer of sums (ADR 0014).

Every line is canonical JSON (UTF-8, sorted keys, no white space) and ends with a line feed, so that the same corpus has the
same bytes and any tool that reads JSON lines reads an archive.

Nothing here reads or writes a store. Reading an archive to its end proves it: the trailer is computed again from what was
read and compared byte for byte, so that a changed, missing, added or moved byte anywhere is noticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

import orjson

from coditect.errors import Corrupt, UsageError
from coditect.knowledge.archive.lines import LINE_BYTES, TABLES, table_of
from coditect.schemas import canonical_json, sha256_hex
from coditect.schemas.archive import ARCHIVE_FORMAT, ARCHIVE_VERSION, ArchiveHeader, ArchiveTable, ArchiveTrailer

__all__ = ["Archive", "ArchiveReader", "Tally", "header_line", "open_archive", "trailer_line"]

Tell = Callable[[int, int], None]
"""(rows done, rows in all)."""

_HEADER = b'{"header":'
_TRAILER = b'{"trailer":'
_PROGRESS_ROWS = 1000
_CUT_OFF = "The archive was cut off or changed on its way: copy it again, or take another backup."


class _Sum:
    __slots__ = ("rows", "sha256", "size_bytes")

    def __init__(self) -> None:
        self.rows = 0
        self.size_bytes = 0
        self.sha256 = hashlib.sha256()

    def add(self, count: int, joined: bytes) -> None:
        self.rows += count
        self.size_bytes += len(joined)
        self.sha256.update(joined)

    def copy(self) -> _Sum:
        other = _Sum()
        other.rows, other.size_bytes, other.sha256 = self.rows, self.size_bytes, self.sha256.copy()
        return other

    def table(self) -> ArchiveTable:
        return ArchiveTable(rows=self.rows, size_bytes=self.size_bytes, sha256=self.sha256.hexdigest())


class Tally:
    """The sums of row lines, by table and of all. Lines must be added in the order of an archive."""

    def __init__(self) -> None:
        self._all = _Sum()
        self._tables = {table: _Sum() for table in TABLES}

    def add(self, table: str, lines: bytes, count: int = 1) -> None:
        """Add ``count`` lines of a table, joined."""
        self._all.add(count, lines)
        self._tables[table].add(count, lines)

    def copy(self) -> Tally:
        """The sums of now, to return to."""
        other = Tally()
        other.restore(self)
        return other

    def restore(self, earlier: Tally) -> None:
        """Return to the sums that ``earlier`` has."""
        self._all = earlier._all.copy()
        self._tables = {table: each.copy() for table, each in earlier._tables.items()}

    @property
    def digest(self) -> str:
        """SHA-256 of all lines: the digest of the corpus."""
        return self._all.sha256.hexdigest()

    @property
    def rows(self) -> dict[str, int]:
        """Number of lines by table."""
        return {table: each.rows for table, each in self._tables.items()}

    @property
    def total(self) -> int:
        """Number of lines."""
        return self._all.rows

    def trailer(self, header: bytes) -> ArchiveTrailer:
        """The trailer of an archive with this header line and these rows."""
        return ArchiveTrailer(
            header_sha256=sha256_hex(header),
            corpus_digest=self.digest,
            rows=self._all.rows,
            size_bytes=self._all.size_bytes,
            tables={table: each.table() for table, each in self._tables.items()},
        )


def header_line(header: ArchiveHeader) -> bytes:
    """The first line."""
    return _HEADER + header.payload() + b"}\n"


def trailer_line(trailer: ArchiveTrailer) -> bytes:
    """The last line."""
    return _TRAILER + trailer.payload() + b"}\n"


class ArchiveReader:
    """Reads an archive from its first line to its last.

    Args:
        file: at the beginning of the archive; never sought in.

    Attributes:
        header: its first line.
        tally: the sums of the rows read so far.

    Raises:
        UsageError: not an archive, or of a version that this code does not know.
        Corrupt: the first line is damaged.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._number = 0
        self.tally = Tally()
        first = self._file.readline(LINE_BYTES + 1)
        self._number = 1
        self.header = _parse_header(first)
        self._header = first

    def rows(self) -> Iterator[tuple[str, bytes]]:
        """(table, line) of every row. When it has ended, the archive is proven whole and unchanged.

        Raises:
            Corrupt: it is not.
        """
        at = 0
        while not (line := self._line()).startswith(_TRAILER):
            at = self._table(line, at)
            self.tally.add(TABLES[at], line)
            yield TABLES[at], line
        self._check_end(line)

    def _line(self) -> bytes:
        line = self._file.readline(LINE_BYTES + 1)
        self._number += 1
        if len(line) > LINE_BYTES:
            raise Corrupt("a line of the archive is too long", line=self._number, hint=_CUT_OFF)
        if not line.endswith(b"\n"):
            raise Corrupt("the archive ends before its last line", line=self._number, hint=_CUT_OFF)
        return line

    def _table(self, line: bytes, at: int) -> int:
        """Position of the line's table, which is the one before or a later one."""
        position = table_of(line, at)
        if position is None:
            raise Corrupt("a line of the archive has no table, or is out of order", line=self._number, hint=_CUT_OFF)
        return position

    def _check_end(self, last: bytes) -> None:
        fits = (
            last == trailer_line(self.tally.trailer(self._header))
            and self.header.rows == self.tally.rows
            and self.header.corpus_digest == self.tally.digest
        )
        if not fits:
            raise Corrupt("the archive does not have the sums that it states", line=self._number, hint=_CUT_OFF)
        if self._file.read(1):
            raise Corrupt("something follows the archive's last line", line=self._number, hint=_CUT_OFF)


def _parse_header(line: bytes) -> ArchiveHeader:
    """The header in a first line; an unknown version is told from what is no archive at all."""
    try:
        found = orjson.loads(line)["header"]
        name, version = found["format"], found["version"]
    except (ValueError, KeyError, TypeError) as error:
        raise _not_an_archive() from error
    if name != ARCHIVE_FORMAT:
        raise _not_an_archive()
    if version != ARCHIVE_VERSION:
        raise UsageError(
            "unknown version of the archive format",
            version=version,
            known=ARCHIVE_VERSION,
            hint="Import it with the version of coditect that wrote it, or a newer one.",
        )
    try:
        header = ArchiveHeader.parse(canonical_json(found))
    except Corrupt as error:
        raise _damaged_header() from error
    if header_line(header) != line:
        raise _damaged_header()
    return header


def _damaged_header() -> Corrupt:
    return Corrupt("the first line of the archive is damaged", line=1, hint=_CUT_OFF)


def _not_an_archive() -> UsageError:
    return UsageError("not an archive", hint="Give a file that 'coditect knowledge export' wrote, decompressed.")


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that was read to its end and found whole.

    Attributes:
        file: where it is, seekable.
        start: its position in the file.
        header: its first line.
    """

    file: BinaryIO
    start: int
    header: ArchiveHeader

    def reader(self) -> ArchiveReader:
        """Read it again."""
        self.file.seek(self.start)
        return ArchiveReader(self.file)


def open_archive(file: BinaryIO, tell: Tell = lambda done, total: None) -> Archive:
    """Read a whole archive, and say that it is what was written. Holds one line at a time in memory.

    Args:
        file: seekable, at the beginning of the archive; must stay open while the result is used.
        tell: told how far it is.
    Raises:
        UsageError: not an archive, or of an unknown version.
        Corrupt: truncated, changed, reordered or continued.
    """
    start = file.tell()
    reader = ArchiveReader(file)
    total = sum(reader.header.rows.values())
    for _ in reader.rows():
        if reader.tally.total % _PROGRESS_ROWS == 0:
            tell(reader.tally.total, total)
    tell(reader.tally.total, total)
    return Archive(file, start, reader.header)
