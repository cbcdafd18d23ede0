"""Documents, a tokenizer and an embedder for the tests of passages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from coditect.documents.passages.hierarchy import Level, Merging, anchored, cut
from coditect.documents.readers import read_source
from coditect.models.port import FloatArray, IntArray, ModelCard
from coditect.schemas import DocumentVersion, Extraction, document_id_for, sha256_hex
from coditect.schemas.passage import PassageSettings
from coditect.tiers.extractions.document import DocumentReading, extraction_records, read_document

__all__ = [
    "DERIVATION",
    "PatternTokenizer",
    "WordEmbedder",
    "documents",
    "extractions_of",
    "levels_of",
    "neighbours",
    "read_text",
    "texts_of",
    "version_of",
]

DERIVATION = "derivation_1"


class PatternTokenizer:
    """Pieces of at most four letters with the white space before them, signs, line ends; other letters are two tokens each."""

    tokenizer_id = "pattern"

    def starts(self, text: str) -> IntArray:
        """Where each token begins."""
        found: list[int] = []
        for token in re.finditer(r"\n| ?[A-Za-z0-9]{1,4}|\s|.", text):
            found.append(token.start())
            if not token.group().isascii():
                found.append(token.start())
        return np.array(found, dtype=np.int64)


class WordEmbedder:
    """A text's words, hashed into sixteen places."""

    card = ModelCard(model_id="words@0", dimension=16)

    def embed(self, texts: Sequence[str], *, query: bool = False) -> FloatArray:
        """Counts of words, as rows of unit length."""
        rows = np.zeros((len(texts), 16), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in re.findall(r"[a-z]+", text.lower()):
                rows[row, int(sha256_hex(word.encode())[:6], 16) % 16] += 1
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        result: FloatArray = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return result


def neighbours(reading: DocumentReading) -> FloatArray:
    """Cosine of each sentence with the next."""
    rows = WordEmbedder().embed([reading.source.text[s.start : s.end] for s in reading.sentences])
    return np.array([float(a @ b) for a, b in pairwise(rows)], dtype=np.float32)


def read_text(text: str, name: str = "policy.md") -> DocumentReading:
    """A document as text, outline and sentences."""
    return read_document(read_source(text.encode(), name))


def levels_of(reading: DocumentReading, settings: PassageSettings, merging: Merging | None = None) -> tuple[Level, ...]:
    """Its passages by the tokenizer and the embedder of this module."""
    tokens = PatternTokenizer().starts(reading.source.text)
    similarity = neighbours(reading) if settings.boundaries == "semantic" else None
    return cut(reading.source, reading.sections, reading.sentences, tokens, settings, similarity, merging)


def texts_of(reading: DocumentReading, level: Level) -> list[str]:
    """The texts of a level's passages, white space collapsed."""
    return [" ".join(reading.source.text[each.start : each.end].split()) for each in level.cuts]


def version_of(reading: DocumentReading, name: str = "policy.md", title: str = "Supply Policy") -> DocumentVersion:
    """A record of the document."""
    text = reading.source.text
    digest = sha256_hex(text.encode())
    return DocumentVersion.create(
        corpus_id="corpus",
        document_id=document_id_for("corpus", name),
        name=name,
        title=title,
        media_type=reading.source.media_type,
        raw_sha256=digest,
        raw_bytes=len(text.encode()),
        text_sha256=digest,
        text_bytes=len(text.encode()),
        text_length=len(text),
        layout_sha256=digest,
        layout_bytes=0,
        page_count=0,
        reader=source_reader(reading),
    )


def source_reader(reading: DocumentReading) -> str:
    """What read the document."""
    return reading.source.reader


def extractions_of(reading: DocumentReading, version: DocumentVersion) -> list[Extraction]:
    """Its Tier 1."""
    return list(extraction_records(version, reading, DERIVATION))


def anchored_tokens(reading: DocumentReading) -> list[int]:
    """Where its tokens begin, those that reach into a word at the word."""
    return anchored(reading.source.text, PatternTokenizer().starts(reading.source.text))


_SENTENCES = st.sampled_from(
    [
        "The Supplier shall deliver the Goods within 30 days.",
        "Each manager must review the access rights of the staff every quarter and report the result to the board.",
        "Employees may work from home.",
        '"Incident" means an event that harms the confidentiality of customer data.',
        "Nobody shall share passwords; nobody shall write them down; nobody shall send them by mail, by telephone or by fax.",
        "See section 2.",
        "Größe und Gewicht — naïve façade 😀 測試文字。",
        "Averyverylongwordthatnobodycanreadbecauseitneverendsandgoesonandonwithoutanyblankatallinsideofit.",
        "The Supplier shall:",
        "Note the following, which goes on for a while, and on, and on, with many commas, and words, and more words, "
        "until at last it has become far longer than anybody would wish a single sentence in a policy to be, which is "
        "unusual, yet happens, as every reader of regulations knows only too well, and so must be cut somewhere.",
    ]
)
_PARAGRAPHS = st.lists(_SENTENCES, min_size=1, max_size=5).map(" ".join)
_BLOCKS = st.one_of(
    _PARAGRAPHS,
    st.sampled_from(["# Scope", "## Duties", "### Reports", "## 2 Exceptions", "1. Term.", "1.1 Start.", "2. End."]),
    st.lists(_SENTENCES, min_size=1, max_size=4).map(lambda items: "\n".join(f"- {item}" for item in items)),
    st.lists(_SENTENCES, min_size=1, max_size=3).map(
        lambda items: "\n\n".join(f"({label}) {item}" for label, item in zip("abc", items, strict=False))
    ),
    st.integers(1, 5).map(lambda rows: "| Role | Duty |\n| --- | --- |\n" + "| Manager | Reviews access |\n" * rows),
    st.text(alphabet="ab \n.é\u3000", min_size=1, max_size=30).filter(lambda text: bool(text.strip())),
)
documents = st.lists(_BLOCKS, min_size=1, max_size=14).map("\n\n".join).map(read_text)
"""Documents of every structure that passages are cut at."""
