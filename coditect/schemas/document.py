"""Documents: what was read, and when it was not, why."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from coditect.schemas.profile import DeclaredProfile
from coditect.schemas.record import TAG_DIGITS, DocumentItem, Record, sha256_hex, tag_of
from coditect.schemas.signature import SALT, SALT_PATTERN

__all__ = ["DocumentVersion", "Failure", "Intake", "document_id_for", "document_order"]


def document_order(document_id: str) -> str:
    """What documents are put in order by wherever no other order is theirs: the same in every corpus, whatever its id.

    Args:
        document_id: the hash of the document's name stands in it behind the tag of the corpus.
    """
    return document_id.partition("_")[2][TAG_DIGITS:]


def document_id_for(corpus_id: str, name: str) -> str:
    """The id of the document called ``name`` in a corpus; it outlives the document's versions."""
    return f"document_{tag_of(corpus_id, name)}{sha256_hex(name.encode())[:28]}"


class DocumentVersion(DocumentItem):
    """One version of a document: the bytes of its file, and the canonical text that all offsets refer to."""

    record_kind: ClassVar[str] = "version"
    id_field: ClassVar[str] = "version_id"

    version_id: str
    name: str = Field(description="Path relative to the folder that was ingested, with '/' between its parts.")
    title: str
    media_type: str
    raw_sha256: str
    raw_bytes: int = Field(ge=0, description="Size of the file.")
    text_sha256: str = Field(description="SHA-256 of the canonical text in UTF-8.")
    text_bytes: int = Field(ge=0, description="Size of the canonical text in UTF-8.")
    text_length: int = Field(ge=0, description="Length of the canonical text in Unicode code points.")
    layout_sha256: str = Field(description="SHA-256 of the stored layout: blocks and page map.")
    layout_bytes: int = Field(ge=0)
    page_count: int = Field(ge=0, description="0 where the format has no pages.")
    reader: str = Field(description="Name and version of what read the file.")
    warnings: tuple[str, ...] = ()


class Intake(Record):
    """What the next build takes in: the newest version of a document, or that it was withdrawn."""

    record_kind: ClassVar[str] = "intake"

    corpus_id: str
    document_id: str
    name: str
    version_id: str
    raw_sha256: str
    status: Literal["present", "withdrawn"] = "present"
    aliases: tuple[str, ...] = Field(default=(), description="Other names under which the same bytes were given.")
    declared: DeclaredProfile | None = Field(default=None, description="What a corpus manifest states of the document.")


class Failure(Record):
    """A file that could not be taken in. The corpus' earlier version of it, if any, is untouched."""

    record_kind: ClassVar[str] = "failure"

    corpus_id: str
    name: str
    error: str = Field(description="Class of the error.")
    message: str
    hint: str = ""
    raw_sha256: str = Field(default="", description="Empty where the file could not be opened.")
    salt: str | None = Field(default=None, pattern=SALT_PATTERN, description=SALT)

    def says_the_same(self, other: Failure) -> bool:
        """Whether another failure differs in nothing but its salt."""
        return self == other.model_copy(update={"salt": self.salt})
