"""Items made by hand, for tests of the store alone."""

from __future__ import annotations

from typing import Any

from coditect.schemas import DocumentVersion, Extraction, Section, SectionPart, document_id_for, sha256_hex

__all__ = ["extraction", "section", "version"]

CORPUS = "c"


def version(name: str = "a.md", text: str = "The clerk shall sign.", **changes: Any) -> DocumentVersion:  # noqa: ANN401
    """A document version that says of itself what its text is."""
    data = text.encode()
    fields: dict[str, Any] = {
        "corpus_id": CORPUS,
        "document_id": document_id_for(changes.get("corpus_id", CORPUS), name),
        "name": name,
        "title": "",
        "media_type": "text/plain",
        "raw_sha256": sha256_hex(data),
        "raw_bytes": len(data),
        "text_sha256": sha256_hex(data),
        "text_bytes": len(data),
        "text_length": len(text),
        "layout_sha256": sha256_hex(b"{}"),
        "layout_bytes": 2,
        "page_count": 0,
        "reader": "test/1",
    }
    return DocumentVersion.create(**{**fields, **changes})


def extraction(text: str = "The clerk shall sign.", start: int = 0, **changes: Any) -> Extraction:  # noqa: ANN401
    """An extraction of the version above."""
    made = version()
    fields: dict[str, Any] = {
        "corpus_id": CORPUS,
        "document_id": made.document_id,
        "version_id": made.version_id,
        "derivation_id": "derivation_1",
        "extraction_kind": "obligation",
        "tier1_data": {},
        "source_text": text,
        "char_offset_start": start,
        "char_offset_end": start + len(text),
        "section_id": "sec_root",
        "confidence": 1.0,
    }
    return Extraction.create(**{**fields, **changes})


def section(topic: str, corpus_id: str = CORPUS, content: str = "No document says more.") -> Section:
    """A section on a topic."""
    return Section.create(
        corpus_id=corpus_id,
        derivation_id="derivation_1",
        topic=topic,
        topic_terms=("term",),
        content=(SectionPart(type="synthetic", content=content),),
        source_chunks=(),
        document_count=1,
        quoted_document_count=1,
        synthesized_content_ratio=1.0,
        max_synthesis_ratio=1.0,
    )
