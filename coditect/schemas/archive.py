"""The first and the last line of an archive: what it holds, and the sums that prove it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from coditect.schemas.record import Record

__all__ = ["ARCHIVE_FORMAT", "ARCHIVE_VERSION", "ARCHIVE_VERSIONS", "ArchiveHeader", "ArchiveTable", "ArchiveTrailer"]

ARCHIVE_FORMAT: Literal["coditect-knowledge-archive"] = "coditect-knowledge-archive"
"""What an archive calls itself."""

ARCHIVE_VERSION: Literal[2] = 2
"""Version of the archive format that this code writes: its records name their kind and version, and not their own id."""

ARCHIVE_VERSIONS = (1, 2)
"""Versions that it reads."""

_HEX = r"^[0-9a-f]{64}$"


class ArchiveTable(Record):
    """The lines of one table."""

    rows: int = Field(ge=0, description="Number of lines.")
    size_bytes: int = Field(ge=0, description="Their length, line feeds included.")
    sha256: str = Field(pattern=_HEX, description="SHA-256 of these lines, line feeds included.")


class ArchiveHeader(Record):
    """The first line of an archive."""

    format: Literal["coditect-knowledge-archive"] = ARCHIVE_FORMAT
    version: Literal[1, 2] = ARCHIVE_VERSION
    tool_version: str = Field(description="What wrote it.")
    corpus_id: str
    generation: int = Field(ge=0, description="The corpus' current generation; 0 before its first build.")
    build_id: str = Field(description="The current build; empty before the first.")
    corpus_digest: str = Field(pattern=_HEX, description="SHA-256 of all lines between the first and the last.")
    rows: dict[str, int] = Field(description="Number of lines by table.")


class ArchiveTrailer(Record):
    """The last line of an archive. It is a function of all the lines before it."""

    header_sha256: str = Field(pattern=_HEX, description="SHA-256 of the first line, line feed included.")
    corpus_digest: str = Field(pattern=_HEX, description="As in the header.")
    rows: int = Field(ge=0, description="Number of lines between the first and the last.")
    size_bytes: int = Field(ge=0, description="Their length, line feeds included.")
    tables: dict[str, ArchiveTable] = Field(description="Every table, also those without a line.")
