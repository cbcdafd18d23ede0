"""The whole key space as one table, and the keys packed from it.

Every key is ``pack(("coditect", FORMAT, tenant)) + pack(("knowledge", table, …))`` in FoundationDB's tuple encoding, on
every engine. Text that a user chose (corpus, topic, entity, name) is one tuple element, so it cannot leave its place
whatever bytes it holds; where its encoding is longer than :data:`PART_BYTES` it is cut and completed by its SHA-256, so
that no key passes 500 bytes. A cut text is a byte string and a whole one a text string, so that no text can be chosen
that stands where a cut one does. The full text always stands in the record.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import cast

import fdb.tuple

from coditect.errors import Corrupt, TooLarge, UsageError

__all__ = ["FORMAT", "LAYOUT", "PART_BYTES", "Keyspace", "Part", "Table", "key_part", "part_text"]

Part = str | int | bytes
"""An element of a key: text, a number, or a text that was cut."""

FORMAT = 1
"""Version of the key layout and the value envelope."""

PART_BYTES = 90
"""Longest encoding of one text in a key: five of them, the tenant among them, fit into the shortest key limit."""


@dataclass(frozen=True, slots=True)
class Table:
    """One kind of key.

    Attributes:
        name: the path after ``knowledge``, with '/' between parts.
        fields: the names of the elements after it.
        value: the record stored there.
        note: what it is for, one line.
        corpus_field: position of the corpus in ``fields``.
        transient: says what is under way, and is no part of a corpus: neither archived nor traced.
    """

    name: str
    fields: tuple[str, ...]
    value: str
    note: str
    corpus_field: int = 0
    transient: bool = False

    @property
    def path(self) -> tuple[str, ...]:
        """The leading tuple elements."""
        return ("knowledge", *self.name.split("/"))


LAYOUT: dict[str, Table] = {
    table.name: table
    for table in (
        Table("corpus", ("corpus",), "Corpus", "the pointer that a build flips"),
        Table("generations", ("corpus", "generation"), "Generation", "every state that readers have seen"),
        Table("manifests", ("corpus", "build"), "Manifest", "what a build is made of"),
        Table("trees", ("corpus", "tree"), "Tree", "documents of a build, by the first two digits of their tags"),
        Table(
            "derivations",
            ("corpus", "derivation"),
            "Derivation",
            "finished steps: the memory that makes builds incremental",
        ),
        Table("intake", ("corpus", "document"), "Intake", "what the next build takes in"),
        Table("failures", ("corpus", "name"), "Failure", "files that could not be taken in"),
        Table(
            "documents", ("corpus", "document", "version"), "DocumentVersion", "tier 0: a file and its canonical text"
        ),
        Table(
            "blobs", ("corpus", "sha256", "n"), "bytes", "raw files, texts, layouts and long records, split over values"
        ),
        Table("extractions", ("corpus", "document", "extraction"), "Extraction", "tier 1"),
        Table("chunks", ("corpus", "document", "chunk"), "Chunk", "tier 2"),
        Table("passages", ("corpus", "document", "passage"), "Passage", "the parent-child tree that is searched"),
        Table("sections", ("corpus", "section"), "Section", "tier 3"),
        Table("claims", ("corpus", "claim"), "Claim", "tier 4, kept and filtered alike"),
        Table("verdicts", ("corpus", "verdict"), "Verdict", "what the checker said of each claim"),
        Table("reviews", ("corpus", "review"), "Review", "who signed off what needed review; only added to"),
        Table("marks", ("corpus", "mark"), "RelevanceMark", "who found what relevant to a question; only added to"),
        Table(
            "calibrations", ("corpus", "calibration"), "Calibration", "figures fitted on reviews and marks: proposals"
        ),
        Table(
            "switches", ("corpus", "switch"), "CalibrationSwitch", "who put which calibration in force; only added to"
        ),
        Table("summaries", ("corpus", "summary"), "CorpusSummary", "tier 4 as a whole"),
        Table("answers", ("corpus", "request"), "ModelAnswer", "what language models answered, by request"),
        Table("idx/topic", ("topic", "corpus", "section"), "derivation id", "sections by topic", 1),
        Table(
            "idx/entity", ("entity", "corpus", "document", "extraction"), "derivation id", "extractions by entity", 1
        ),
        Table("idx/document", ("corpus", "document", "tier", "item"), "derivation id", "items by document"),
        Table(
            "idx/term",
            ("term", "corpus", "document", "item"),
            "derivation id",
            "items by defined term, cross-reference target and section id: 'definition:…', 'reference:…', 'section:…'",
            1,
        ),
        Table(
            "idx/locator", ("tag", "corpus", "document"), "empty", "where the items with this tag in their id are", 1
        ),
        Table("idx/answer", ("request", "corpus"), "empty", "corpora that have the answer to a request", 1),
        Table("asked", ("request", "corpus"), "Asked", "requests that somebody is sending at the moment", 1, True),
        Table("batches", ("corpus", "batch"), "OpenBatch", "batches of requests that are not yet read", 0, True),
        Table(
            "work", ("corpus", "what", "owner"), "Work", "who is building, taking in or sweeping at the moment", 0, True
        ),
        Table("feed", ("corpus", "sequence"), "FeedEvent", "change feed, in commit order"),
    )
}


def key_part(text: str) -> str | bytes:
    """``text`` as it stands in a key: itself, or, too long or not encodable, cut and completed by its hash."""
    if len(text) < PART_BYTES - 1 and text.isascii() and "\0" not in text:
        return text
    try:
        if len(fdb.tuple.pack((text,))) <= PART_BYTES:
            return text
    except UnicodeEncodeError:  # lone surrogates, from a command line that is not UTF-8
        pass
    encoded = text.encode("utf-8", "surrogatepass")
    tail = b"#" + hashlib.sha256(encoded).hexdigest()[:32].encode()
    head = encoded[: PART_BYTES // 2].decode("utf-8", "ignore").encode()
    while len(fdb.tuple.pack((head + tail,))) > PART_BYTES:
        head = head[:-1]
    return head + tail


def _packed(part: Part) -> bytes:
    """An element of a key in FoundationDB's tuple encoding; most are ids, for which its Python code takes ten times as long."""
    if isinstance(part, str) and len(part) < PART_BYTES - 1 and part.isascii() and "\0" not in part:
        return b"\x02" + part.encode("ascii") + b"\x00"
    return cast(bytes, fdb.tuple.pack((key_part(part) if isinstance(part, str) else part,)))


def part_text(part: Part) -> str:
    """An element of a key for people."""
    return part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part)


class Keyspace:
    """Packs and unpacks the keys of one tenant.

    Args:
        tenant: any text, not empty.

    Raises:
        UsageError: empty tenant, or not a text: bytes could be chosen that stand where a cut name does.
    """

    def __init__(self, tenant: str = "default") -> None:
        if not isinstance(tenant, str) or not tenant:
            raise UsageError("a tenant has a name", hint="Leave --tenant out for the tenant 'default'.")
        self.tenant = tenant
        self.prefix = cast(bytes, fdb.tuple.pack(("coditect", FORMAT, key_part(tenant))))
        self._tables = {name: self.prefix + cast(bytes, fdb.tuple.pack(table.path)) for name, table in LAYOUT.items()}

    def key(self, table: str, *parts: Part) -> bytes:
        """The key of a row. ``parts`` fill the table's fields from the left; fewer give a prefix; unpacked parts fit.

        Raises:
            TooLarge: a number of more than 255 bytes.
        """
        try:
            return self._tables[table] + b"".join(_packed(part) for part in parts)
        except struct.error as error:
            raise TooLarge(
                "a number is too large for a key", hint="Generations and parts count from 1.", table=table
            ) from error

    def bounds(self, table: str, *parts: Part) -> tuple[bytes, bytes]:
        """(begin, end) of all rows of ``table`` whose leading fields are ``parts``."""
        prefix = self.key(table, *parts)
        return prefix + b"\x00", prefix + b"\xff"

    @property
    def space(self) -> tuple[bytes, bytes]:
        """(begin, end) of everything that the tenant has.

        The packed name ends with a zero byte, and a zero byte inside a longer name is followed by 0xFF; no element begins with
        0xFF. So a tenant whose packed name begins with this one's lies behind ``end``.
        """
        return self.prefix + b"\x00", self.prefix + b"\xff"

    @staticmethod
    def own_part(text: str) -> str | bytes:
        """``text`` as it stands in a key, for comparison with unpacked parts."""
        return key_part(text)

    def relative(self, key: bytes) -> bytes:
        """``key`` without the tenant's prefix: what the envelope's checksum covers.

        A key of another tenant stays whole, so that the value under it does not open.
        """
        return key.removeprefix(self.prefix)

    def parts(self, table: str, key: bytes) -> tuple[Part, ...]:
        """The fields of a packed key of ``table``.

        Raises:
            Corrupt: not a key of this table.
        """
        prefix = self._tables[table]
        if not key.startswith(prefix):
            raise Corrupt("a key is not of its table", table=table, key=key)
        try:
            found = fdb.tuple.unpack(key[len(prefix) :])
        except (ValueError, IndexError, TypeError, struct.error) as error:
            raise Corrupt("a key cannot be unpacked", table=table, key=key) from error
        if len(found) != len(LAYOUT[table].fields) or not all(isinstance(part, Part) for part in found):
            raise Corrupt("a key does not have the fields of its table", table=table, key=key)
        return cast("tuple[Part, ...]", found)

    def table_of(self, key: bytes) -> str | None:
        """The table that a packed key belongs to, or None."""
        return next((name for name, prefix in self._tables.items() if key.startswith(prefix)), None)
