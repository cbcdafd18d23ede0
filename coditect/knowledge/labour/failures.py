"""Failures of single documents: what went wrong with one of them is written down, and the others go on."""

from __future__ import annotations

import lzma

from coditect.errors import CoditectError
from coditect.schemas import DocumentVersion, Failure

__all__ = ["SLIPS", "failure_of", "failure_of_version"]

SLIPS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
    lzma.LZMAError,
)
"""What code that meets a document nobody thought of raises by mistake; the document is set aside and the others go on."""

LONGEST_REASON = 200
"""Characters of a slip's own message that are kept."""


def failure_of(
    corpus_id: str,
    name: str,
    error: Exception,
    raw_sha256: str = "",
    *,
    slip: type[CoditectError] = CoditectError,
    slipped: tuple[str, str] = ("", ""),
) -> Failure:
    """An error as a record; the name and path that every message would repeat are left out of its variables.

    Args:
        corpus_id: the corpus of the document.
        name: the document's name.
        error: one of our own, or one of :data:`SLIPS`.
        raw_sha256: of the file's bytes; "" where they were not read.
        slip: the class under which a slip is reported.
        slipped: (message, hint) under which a slip is reported.
    """
    if not isinstance(error, CoditectError):
        message, hint = slipped
        error = slip(message, reason=f"{type(error).__name__}: {str(error)[:LONGEST_REASON]}", hint=hint)
    shown = {key: value for key, value in error.context.items() if key not in ("name", "path")}
    details = ", ".join(f"{key}={value!r}" for key, value in shown.items())
    return Failure(
        corpus_id=corpus_id,
        name=name,
        error=type(error).__name__,
        message=f"{error.message} ({details})" if details else error.message,
        hint=error.hint or "",
        raw_sha256=raw_sha256,
    )


def failure_of_version(version: DocumentVersion, error: Exception) -> Failure:
    """Why a document that was read could not be derived, as a record.

    Args:
        version: the document version.
        error: one of our own, or one of :data:`SLIPS`.
    """
    slipped = ("the document cannot be derived", "Report what it holds; the other documents are not affected.")
    return failure_of(version.corpus_id, version.name, error, version.raw_sha256, slipped=slipped)
