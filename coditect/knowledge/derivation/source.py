"""The text of a stored document version, as whatever is derived of it reads it."""

from __future__ import annotations

from coditect.documents.layout import version_source
from coditect.documents.source import SourceText
from coditect.schemas import DocumentVersion
from coditect.store.store import Store

__all__ = ["stored_source", "stored_text"]


def stored_text(store: Store, version: DocumentVersion) -> tuple[str, bytes]:
    """The canonical text and the encoded layout of a document version.

    Raises:
        Corrupt: stored bytes are missing or were changed.
    """
    text = store.get_blob(version.corpus_id, version.text_sha256, version.text_bytes).decode()
    return text, store.get_blob(version.corpus_id, version.layout_sha256, version.layout_bytes)


def stored_source(store: Store, version: DocumentVersion) -> SourceText:
    """A document version as its reader gave it: text with blocks and pages. Errors as for :func:`stored_text`."""
    return version_source(version, *stored_text(store, version))
