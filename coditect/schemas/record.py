"""Records: frozen pydantic models with one canonical encoding, and ids that are hashes of the stored bytes.

A stored record names its kind and the version of its shape in front of everything else: ``{"$record":"chunk/2",…}``; records of
release 0.1.0 name none and are version 1. This code reads every version up to its own, which it brings to the shape of today in
memory, and never writes an old record again. A newer version is refused by name (:class:`~coditect.errors.NewerRecord`).

An *item* is a record that is stored once and never changed. Its id is ``<kind>_<tag><digest>``: the tag (12 hex digits) says
where to look for it, the digest (40 hex digits, 160 bits of SHA-256; 28 in version 1) covers the bytes that are stored, which do
not hold the id itself. So a changed byte anywhere in an item is a changed id, whatever the program that reads it knows of its
fields; and two occurrences of the same sentence are two items.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from coditect.errors import Corrupt, NewerRecord

__all__ = [
    "DIGEST_DIGITS",
    "FIRST_DIGEST_DIGITS",
    "TAG_DIGITS",
    "Item",
    "Record",
    "canonical_json",
    "content_id",
    "record_name",
    "sha256_hex",
    "tag_of",
]

TAG_DIGITS = 12
DIGEST_DIGITS = 40

FIRST_DIGEST_DIGITS = 28
"""Of the ids of release 0.1.0."""

_NAME = re.compile(rb'\{"\$record":"([a-z_]{1,40})/([1-9][0-9]{0,5})"(?=[,}])')


def canonical_json(value: Any) -> bytes:  # noqa: ANN401 - any JSON value
    """``value`` as UTF-8 JSON with sorted keys and no white space: the same value gives the same bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def sha256_hex(data: bytes) -> str:
    """SHA-256 of ``data``, 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def tag_of(*parts: str) -> str:
    """The 12-digit tag of a corpus (one part) or of a document (corpus, name)."""
    return sha256_hex(canonical_json(parts))[:TAG_DIGITS]


def content_id(kind: str, tag: str, content: bytes, digits: int = DIGEST_DIGITS) -> str:
    """``<kind>_<tag><digest>`` of canonical bytes."""
    return f"{kind}_{tag}{sha256_hex(content)[:digits]}"


def record_name(payload: bytes) -> tuple[str, int]:
    """(kind, version) that stored bytes name; ("", 1) where they name none, as those of release 0.1.0."""
    return _told(_NAME.match(payload))


def _told(name: re.Match[bytes] | None) -> tuple[str, int]:
    return (name[1].decode(), int(name[2])) if name else ("", 1)


class Record(BaseModel):
    """Anything that is stored or sent. Frozen; unknown fields are refused.

    Attributes:
        record_kind: the name of stored records of this class, for ever; empty for what is only sent.
        schema_version: of the shape that this class has. It is raised with every change of a field (``tools/contracts.py`` holds
            the history against it), and ``upcasts`` gets an entry where a record of the version before needs more than defaults.
        upcasts: by version, what makes a record of it one of the next.
    """

    # defer_build: a query uses a third of the models, and building a validator is most of the cost of an import.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    record_kind: ClassVar[str] = ""
    schema_version: ClassVar[int] = 2
    upcasts: ClassVar[Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]]] = {}

    def payload(self) -> bytes:
        """The canonical bytes of the record; absent optional fields are left out."""
        return self._named(self.model_dump(mode="json", exclude_none=True))

    @classmethod
    def _named(cls, body: dict[str, Any]) -> bytes:
        """A body as canonical JSON, the record's kind and version before its fields."""
        if cls.record_kind:
            body["$record"] = f"{cls.record_kind}/{cls.schema_version}"
        return canonical_json(body)

    @classmethod
    def parse(cls, payload: bytes, item_id: str = "") -> Self:
        """The record in ``payload``, of whatever version that this code knows.

        Args:
            payload: the stored bytes.
            item_id: of an item, the id that it must have; "" takes that of the bytes.

        Raises:
            Corrupt: not JSON, not of this shape, or of another kind.
            NewerRecord: of a version that a later release writes.
        """
        return cls._validated(payload, _NAME.match(payload))

    @classmethod
    def _validated(cls, payload: bytes, name: re.Match[bytes] | None, **more: str) -> Self:
        """The record in ``payload``, with the name at its beginning, and with fields that are not stored in it."""
        kind, version = _told(name)
        if kind and kind != cls.record_kind:
            raise Corrupt("a stored record is of another kind", record=cls.__name__, found=kind)
        if version > cls.schema_version:
            raise NewerRecord(
                "a record was written by a newer release",
                record=f"{kind}/{version}",
                known=f"{kind}/{cls.schema_version}",
                hint="Read it with that release, or a later one; nothing is wrong with the store.",
            )
        try:
            if any(version <= each < cls.schema_version for each in cls.upcasts):
                return cls.model_validate_json(cls._upcast(payload, version, more))
            return cls.model_validate_json(payload if name is None else _with_fields(payload[name.end() :], more))
        except (ValidationError, ValueError, KeyError, TypeError) as error:
            raise Corrupt("a stored record does not have its declared shape", record=cls.__name__) from error

    @classmethod
    def _upcast(cls, payload: bytes, version: int, more: Mapping[str, str]) -> bytes:
        fields = orjson.loads(payload)
        fields.pop("$record", None)
        for number in range(version, cls.schema_version):
            if number in cls.upcasts:
                fields = cls.upcasts[number](fields)
        return orjson.dumps({**fields, **more})


def _with_fields(rest: bytes, more: Mapping[str, str]) -> bytes:
    """Canonical bytes behind a record's name, which begin with a comma or end the record, with more fields in the name's place."""
    return orjson.dumps(more)[:-1] + rest if more else b"{" + rest.removeprefix(b",")


class _LastMade(threading.local):
    """The item that this thread made last, with its bytes: what is made is stored next, and need not be written out twice."""

    item: Item | None = None
    payload: bytes = b""


_LAST = _LastMade()


class Item(Record):
    """A record whose id is the hash of its stored bytes."""

    id_field: ClassVar[str]

    @property
    def item_id(self) -> str:
        """The item's id, whatever its field is called."""
        return str(getattr(self, self.id_field))

    def tag(self) -> str:
        """Where the item is found: the tag of its document or corpus."""
        raise NotImplementedError

    @classmethod
    def create(cls, **fields: Any) -> Self:  # noqa: ANN401 - the fields of the model
        """Make an item and give it its id."""
        item = cls(**{cls.id_field: ""}, **fields)
        payload = item.payload()
        # In place, frozen or not: nobody else has seen it yet, and a copy of every item of a build takes its time.
        item.__dict__[cls.id_field] = content_id(cls.record_kind, item.tag(), payload)
        _LAST.item, _LAST.payload = item, payload
        return item

    def payload(self) -> bytes:
        """The canonical bytes of everything but the id, which is their hash."""
        if _LAST.item is self:
            return _LAST.payload
        body = self.model_dump(mode="json", exclude_none=True)
        del body[self.id_field]
        return self._named(body)

    def says_the_same(self, other: Self) -> bool:
        """Whether another item differs in nothing but its id, which a former release made shorter."""
        return self == other.model_copy(update={self.id_field: self.item_id})

    def computed_id(self) -> str:
        """The id of an item with these fields, if it is made now."""
        return content_id(self.record_kind, self.tag(), self.payload())

    @classmethod
    def parse(cls, payload: bytes, item_id: str = "") -> Self:
        """The item in ``payload``, and that it is this one.

        Args:
            payload: the stored bytes.
            item_id: the id that it must have; "" takes that of the bytes.

        Raises:
            Corrupt: not of this shape, or the id is not the hash of the bytes.
            NewerRecord: of a version that a later release writes.
        """
        name = _NAME.match(payload)
        if name is None:  # of release 0.1.0: the id stands in the record, and is left out of what it is the hash of
            item = cls._validated(payload, None)
            stated, hashed = item.item_id, _without_id(payload, cls.id_field, item.item_id)
            wanted = content_id(cls.record_kind, item.tag(), hashed, FIRST_DIGEST_DIGITS)
        else:
            item = cls._validated(payload, name, **{cls.id_field: item_id})
            wanted = content_id(cls.record_kind, item.tag(), payload)
            stated = item_id or wanted
            if not item_id:
                item = item.model_copy(update={cls.id_field: wanted})
        if stated != wanted or (item_id and item_id != stated):
            raise Corrupt("the record's id is not the hash of its content", check="hash", item_id=item_id or stated)
        return item


def _without_id(payload: bytes, field: str, item_id: str) -> bytes:
    """The bytes of a record of version 1 without its id: no other member can hold it, since it is the hash of them all."""
    member = canonical_json({field: item_id})[1:-1]
    return payload.replace(member + b",", b"") if member + b"," in payload else payload.replace(b"," + member, b"")


class DocumentItem(Item):
    """An item that belongs to one document of a corpus."""

    corpus_id: str
    document_id: str

    def tag(self) -> str:
        """The tag inside the document's id."""
        return self.document_id.partition("_")[2][:TAG_DIGITS]


class CorpusItem(Item):
    """An item that belongs to a corpus as a whole."""

    corpus_id: str

    def tag(self) -> str:
        """The tag of the corpus."""
        return tag_of(self.corpus_id)
