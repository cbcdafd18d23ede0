"""The keys of a tenant, packed from the tables of the key space and read back.

Every key is ``pack(("coditect", format, tenant))``, its table, and its fields, in FoundationDB's tuple encoding, on every engine.
Text that a user chose (corpus, topic, entity, name) is one tuple element, so it cannot leave its place whatever bytes it holds;
where its encoding is longer than :data:`PART_BYTES` it is cut and completed by its SHA-256, so that no key passes 500 bytes. A
cut text is a byte string and a whole one a text string, so that no text can be chosen that stands where a cut one does. The full
text always stands in the record.

==========  =======================================================  =================================================
format      table                                                    ids and hashes
==========  =======================================================  =================================================
1 (0.1.0)   text: ``"knowledge", "idx", "term"``                     text: ``"extraction_3fa9…"``
2           its number                                               byte strings: :mod:`coditect.keyspace.ids`
==========  =======================================================  =================================================

Format 1 is read, and left by ``coditect store upgrade``; only format 2 is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import cast

from coditect.errors import Corrupt, TooLarge, UsageError
from coditect.keyspace.ids import packed_id, unpacked_id
from coditect.keyspace.tables import LAYOUT
from coditect.keyspace.tuples import Stamp, pack, pack_element, unpack

__all__ = ["FORMAT", "FORMATS", "PART_BYTES", "Keyspace", "Part", "key_part", "part_text"]

Part = str | int | bytes
"""An element of a key: text, a number, or a text that was cut."""

FORMAT = 2
"""Version of the key layout that is written."""

FORMATS = (1, 2)
"""Versions of the key layout that are read."""

PART_BYTES = 90
"""Longest encoding of one text in a key: five of them, the tenant among them, fit into the shortest key limit."""

_CUT_FROM = PART_BYTES - 1
"""Length of the shortest text of ASCII without NUL that is cut: an element has two bytes more than its text."""

_ID_FIELDS = frozenset(
    [
        "document",
        "version",
        "extraction",
        "chunk",
        "passage",
        "profile",
        "section",
        "claim",
        "verdict",
        "summary",
        "review",
        "mark",
        "calibration",
        "switch",
        "signer",
        "policy",
        "signature",
        "tree",
        "build",
        "derivation",
        "item",
        "sha256",
        "request",
    ]
)
"""Fields of keys whose text is an id or a hash as a rule."""

_STAMP = b"\x33"

KEPT_KEYS = 2048
"""Keys whose fields are kept in memory."""

KEPT_IDS = 1 << 15
"""Ids whose elements are kept in memory: those of a document and of its derivation stand in the key of every item."""


def key_part(text: str) -> str | bytes:
    """``text`` as it stands in a key: itself, or, too long or not encodable, cut and completed by its hash."""
    if len(text) < _CUT_FROM and text.isascii() and "\0" not in text:
        return text
    try:
        if len(pack_element(text)) <= PART_BYTES:
            return text
    except UnicodeEncodeError:  # lone surrogates, from a command line that is not UTF-8
        pass
    encoded = text.encode("utf-8", "surrogatepass")
    tail = b"#" + hashlib.sha256(encoded).hexdigest()[:32].encode()
    head = encoded[: PART_BYTES // 2].decode("utf-8", "ignore").encode()
    while len(pack_element(head + tail)) > PART_BYTES:
        head = head[:-1]
    return head + tail


def _packed(part: Part, *, is_id: bool) -> bytes:
    """An element of a key; ids as byte strings, all shorter than those of cut texts."""
    if not isinstance(part, str):
        return pack_element(part)
    if is_id and (element := _id_element(part)) is not None:
        return element
    return _text_element(part) if len(part) < _CUT_FROM else pack_element(key_part(part))


@lru_cache(KEPT_IDS)
def _text_element(text: str) -> bytes:
    """Of a short text: the name of a corpus stands in nearly every key."""
    return pack_element(key_part(text))


@lru_cache(KEPT_IDS)
def _id_element(text: str) -> bytes | None:
    packed = packed_id(text)
    return None if packed is None else pack_element(packed)


def part_text(part: Part) -> str:
    """An element of a key for people."""
    if isinstance(part, Stamp):
        return part.hex()
    return part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part)


class Keyspace:
    """Packs and unpacks the keys of one tenant.

    Args:
        tenant: any text, not empty.
        layout: the format of the keys.

    Attributes:
        format: of the keys.

    Raises:
        UsageError: empty tenant, or not a text: bytes could be chosen that stand where a cut name does.
    """

    def __init__(self, tenant: str = "default", layout: int = FORMAT) -> None:
        if not isinstance(tenant, str) or not tenant:
            raise UsageError("a tenant has a name", hint="Leave --tenant out for the tenant 'default'.")
        self.tenant = tenant
        self.format = layout
        self.prefix = pack(("coditect", layout, key_part(tenant)))
        self._tables = {
            name: self.prefix + (pack(("knowledge", *name.split("/"))) if layout == 1 else pack((table.number,)))
            for name, table in LAYOUT.items()
        }
        self._names = {prefix: name for name, prefix in self._tables.items()}
        self._prefix_lengths = sorted({len(prefix) for prefix in self._names})  # one from format 2 on
        # A page of rows is gone through more than once.
        self._parts = lru_cache(KEPT_KEYS)(self._read_parts)
        self._ids = {
            name: tuple(layout > 1 and field in _ID_FIELDS for field in table.fields) for name, table in LAYOUT.items()
        }

    def key(self, table: str, *parts: Part) -> bytes:
        """The key of a row. ``parts`` fill the table's fields from the left; fewer give a prefix; unpacked parts fit.

        Raises:
            TooLarge: a number of more than 255 bytes.
        """
        try:
            fields = zip(parts, self._ids[table], strict=False)
            return self._tables[table] + b"".join([_packed(part, is_id=is_id) for part, is_id in fields])
        except OverflowError as error:
            raise TooLarge(
                "a number is too large for a key", hint="Generations and parts count from 1.", table=table
            ) from error

    def keys_of(self, table: str, places: Sequence[tuple[Part, ...]]) -> list[bytes]:
        """The keys of rows of one table, in order; of a corpus' rows what they begin with is packed once. Raises as :meth:`key`."""
        if len(self._ids[table]) != 2 or not self._ids[table][1]:
            return [self.key(table, *place) for place in places]
        begins = {first: self.key(table, first) for first in {place[0] for place in places}}
        try:
            return [begins[first] + _packed(own, is_id=True) for first, own in places]
        except OverflowError:
            return [self.key(table, *place) for place in places]

    def bounds(self, table: str, *parts: Part) -> tuple[bytes, bytes]:
        """(begin, end) of all rows of ``table`` whose leading fields are ``parts``."""
        prefix = self.key(table, *parts)
        return prefix + b"\x00", prefix + b"\xff"

    def numbered(self, number: int) -> tuple[bytes, bytes]:
        """(begin, end) of all rows of the table with a number, which may be one that only a later release knows."""
        prefix = self.prefix + pack((number,))
        return prefix + b"\x00", prefix + b"\xff"

    def feed(self, corpus_id: str) -> bytes:
        """What the engine completes to the key of an event of the corpus, by its sequence."""
        return self.key("feed", corpus_id) + (b"" if self.format == 1 else _STAMP)

    @property
    def pending(self) -> bytes:
        """What the engine completes to the key of an event that waits for its index in the log."""
        return self.key("log/pending") + _STAMP

    @property
    def space(self) -> tuple[bytes, bytes]:
        """(begin, end) of everything that the tenant has.

        The packed name ends with a zero byte, and a zero byte inside a longer name is followed by 0xFF; no element begins with
        0xFF. So a tenant whose packed name begins with this one's lies behind ``end``.
        """
        return self.prefix + b"\x00", self.prefix + b"\xff"

    @staticmethod
    def own_part(text: str) -> str | bytes:
        """A user's ``text`` as it stands in a key, for comparison with unpacked parts."""
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
        return self._parts(table, key)

    def _read_parts(self, table: str, key: bytes) -> tuple[Part, ...]:
        prefix = self._tables[table]
        if not key.startswith(prefix):
            raise Corrupt("a key is not of its table", table=table, key=key)
        try:
            found = self._unpacked(table, key[len(prefix) :])
        except ValueError as error:
            raise Corrupt("a key cannot be unpacked", table=table, key=key) from error
        if len(found) != len(LAYOUT[table].fields) or not all(isinstance(part, Part) for part in found):
            raise Corrupt("a key does not have the fields of its table", table=table, key=key)
        return cast("tuple[Part, ...]", found)

    def _unpacked(self, table: str, packed: bytes) -> tuple[object, ...]:
        if self.format == 1:
            # The sequence of an event followed its corpus as it was.
            return (*unpack(packed[:-12]), Stamp(packed[-12:])) if table == "feed" else unpack(packed)
        parts = unpack(packed)
        if len(parts) != len(self._ids[table]):
            return ()
        return tuple(
            (unpacked_id(part) or part) if is_id and type(part) is bytes else part
            for part, is_id in zip(parts, self._ids[table], strict=True)
        )

    def table_of(self, key: bytes) -> str | None:
        """The table that a packed key belongs to, or None."""
        found = (self._names.get(key[:length]) for length in self._prefix_lengths)
        return next((name for name in found if name is not None), None)
