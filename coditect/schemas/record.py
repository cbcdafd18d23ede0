"""Records: frozen pydantic models with one canonical encoding, and ids that are hashes of it.

An *item* is a record that is stored once and never changed. Its id is ``<kind>_<tag><digest>``: the tag (12 hex digits)
says where to look for it, the digest (28 hex digits, 112 bits of SHA-256) covers every other field of the record. So a
changed byte anywhere in an item is a changed id, and two occurrences of the same sentence are two items.
"""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar, Self

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from coditect.errors import Corrupt

__all__ = ["DIGEST_DIGITS", "TAG_DIGITS", "Item", "Record", "canonical_json", "content_id", "sha256_hex", "tag_of"]

TAG_DIGITS = 12
DIGEST_DIGITS = 28


def canonical_json(value: Any) -> bytes:  # noqa: ANN401 - any JSON value
    """``value`` as UTF-8 JSON with sorted keys and no white space: the same value gives the same bytes."""
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def sha256_hex(data: bytes) -> str:
    """SHA-256 of ``data``, 64 lower-case hex digits."""
    return hashlib.sha256(data).hexdigest()


def tag_of(*parts: str) -> str:
    """The 12-digit tag of a corpus (one part) or of a document (corpus, name)."""
    return sha256_hex(canonical_json(parts))[:TAG_DIGITS]


def content_id(kind: str, tag: str, content: bytes) -> str:
    """``<kind>_<tag><digest>`` of canonical bytes."""
    return f"{kind}_{tag}{sha256_hex(content)[:DIGEST_DIGITS]}"


class Record(BaseModel):
    """Anything that is stored or sent. Frozen; unknown fields are refused."""

    # defer_build: a query uses a third of the models, and building a validator is most of the cost of an import.
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def payload(self) -> bytes:
        """The canonical bytes of the whole record; absent optional fields are left out."""
        return canonical_json(self.model_dump(mode="json", exclude_none=True))

    @classmethod
    def parse(cls, payload: bytes) -> Self:
        """The record in ``payload``.

        Raises:
            Corrupt: not JSON, or not of this shape.
        """
        try:
            return cls.model_validate_json(payload)
        except ValidationError as error:
            raise Corrupt("a stored record does not have its declared shape", record=cls.__name__) from error


class Item(Record):
    """A record whose id is the hash of its content."""

    kind: ClassVar[str]
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
        draft = cls(**{cls.id_field: ""}, **fields)
        return draft.model_copy(update={cls.id_field: draft.computed_id()})

    def computed_id(self) -> str:
        """The id that this content must have."""
        body = self.model_dump(mode="json", exclude_none=True)
        del body[self.id_field]
        return content_id(self.kind, self.tag(), canonical_json(body))


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
