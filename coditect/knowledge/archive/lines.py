"""The row lines of an archive: what they look like, and what they say (ADR 0014).

::

    {"record":{…},"table":"claims"}
    {"blob":{"sha256":"…","size_bytes":123456},"table":"trees"}        a record that is too long for one value
    {"content":"…","n":0,"sha256":"…","table":"blobs"}                 or "base64" instead of "content"

Each is canonical JSON: there is one line for a row, and one row for a line.
"""

from __future__ import annotations

import base64
import binascii
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson

from coditect.errors import Corrupt
from coditect.schemas import Corpus, FeedEvent, Record, canonical_json
from coditect.store.blobs import BLOB_BYTES
from coditect.store.rows import record_tables

__all__ = [
    "FIRST_TABLES",
    "LINE_BYTES",
    "RECORDS",
    "TABLES",
    "BlobPart",
    "Content",
    "LongRecord",
    "ShortRecord",
    "parse_line",
    "row_line",
    "table_of",
]

RECORDS: dict[str, type[Record]] = {
    **{table: cls for table, cls in record_tables().items() if table != "corpus"},
    "feed": FeedEvent,
    "corpus": Corpus,
}
"""The tables of records in their order in an archive: each after what it points to, and those that change late."""

TABLES = ("blobs", *RECORDS)
"""Every table, in order."""

_LATER = frozenset(
    (
        *("profiles", "signers", "policies", "signatures"),
        *("erasures", "tombstones", "certificates", "holds", "releases", "retentions"),
    )
)

FIRST_TABLES = tuple(table for table in TABLES if table not in _LATER)
"""Those of archives of version 1, which release 0.1.0 wrote."""

LINE_BYTES = 200_000
"""Longest line. A part of a blob takes at most 132 kB, a record 100 kB: longer lines are not of an archive."""

_SUFFIXES = tuple(f',"table":"{table}"}}\n'.encode() for table in TABLES)
_RECORD = b'{"record":'
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class BlobPart:
    """A part of a blob.

    Attributes:
        sha256: of the whole blob, its name.
        n: which part, from 0.
        data: its bytes.
    """

    sha256: str
    n: int
    data: bytes


@dataclass(frozen=True, slots=True)
class ShortRecord:
    """A record as its canonical bytes."""

    payload: bytes


@dataclass(frozen=True, slots=True)
class LongRecord:
    """A record whose bytes are a blob."""

    sha256: str
    size_bytes: int


Content = BlobPart | ShortRecord | LongRecord
"""What a row holds."""


def row_line(table: str, content: Content) -> bytes:
    """The line of a row; a part of a blob is text where it is UTF-8 and no longer so, else Base64."""
    match content:
        case ShortRecord(payload):
            return _RECORD + payload + _SUFFIXES[TABLES.index(table)]
        case LongRecord(sha256, size_bytes):
            return canonical_json({"blob": {"sha256": sha256, "size_bytes": size_bytes}, "table": table}) + b"\n"
        case BlobPart(sha256, n, data):
            place = {"n": n, "sha256": sha256, "table": table}
            encoded = base64.b64encode(data).decode()
            with suppress(UnicodeDecodeError):
                text = data.decode()
                if len(canonical_json(text)) <= len(encoded) + 2:
                    return canonical_json({"content": text, **place}) + b"\n"
            return canonical_json({"base64": encoded, **place}) + b"\n"


def parse_line(table: str, line: bytes) -> Content:
    """What a row line says.

    Raises:
        Corrupt: not a line of this table in its one canonical form.
    """
    if table != "blobs" and line.startswith(_RECORD):
        return ShortRecord(line[len(_RECORD) : -len(_SUFFIXES[TABLES.index(table)])])
    try:
        fields = orjson.loads(line)
        found: Content
        if table == "blobs":
            coded = fields.get("base64")
            data = fields["content"].encode() if coded is None else base64.b64decode(coded, validate=True)
            if len(data) > BLOB_BYTES:
                raise ValueError(len(data))
            found = BlobPart(_hash(fields["sha256"]), int(fields["n"]), data)
        else:
            found = LongRecord(_hash(fields["blob"]["sha256"]), int(fields["blob"]["size_bytes"]))
        canonical = row_line(table, found)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, binascii.Error) as error:
        raise Corrupt("a line of the archive does not have its form", table=table) from error
    if canonical != line:
        raise Corrupt("a line of the archive is not in canonical form", table=table)
    return found


def _hash(value: Any) -> str:  # noqa: ANN401 - from JSON
    if not isinstance(value, str) or not _SHA256.fullmatch(value):
        raise ValueError(value)
    return value


def table_of(line: bytes, at: int) -> int | None:
    """The position in ``TABLES`` of a line's table, which is ``at`` or behind it; None where there is none."""
    return next((n for n in range(at, len(TABLES)) if line.endswith(_SUFFIXES[n])), None)
