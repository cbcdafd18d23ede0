"""How long it takes to cut a document of ten pages into its passages."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

from coditect.documents.passages.hierarchy import cut
from coditect.documents.readers import read_source
from coditect.models.wordllama.embedder import WordLlamaTokenizer
from coditect.schemas import DocumentVersion, PassageSettings, document_id_for
from coditect.tiers.extractions.document import extraction_records, read_document
from coditect.tiers.passages import passage_records

__all__ = ["PAGES", "time_chunking"]

PAGES = 10
PAGE_CHARS = 3_000
_REPEATS = 30
_NAME = "ten-pages.txt"
_ZEROS = "0" * 64


def time_chunking(text: str, *, records: bool, repeats: int = _REPEATS) -> npt.NDArray[np.float64]:
    """Milliseconds of each repetition.

    Args:
        text: its first ten pages of 3,000 characters are taken; not blank.
        records: from the file's bytes to passage records, Tier 1 included; else the cutting alone, with tokens,
            outline and sentences given.
        repeats: >= 1; one more before them is not counted.
    """
    raw = text[: PAGES * PAGE_CHARS].encode()
    tokenizer, settings = WordLlamaTokenizer(), PassageSettings()
    source = read_source(raw, _NAME)
    reading, tokens = read_document(source), tokenizer.starts(source.text)

    def once() -> int:
        if not records:
            return len(cut(source, reading.sections, reading.sentences, tokens, settings))
        fresh = read_source(raw, _NAME)
        version = DocumentVersion.create(
            corpus_id="bench", document_id=document_id_for("bench", _NAME), name=_NAME, title=fresh.title,
            media_type=fresh.media_type, raw_sha256=_ZEROS, raw_bytes=len(raw), text_sha256=_ZEROS,
            text_bytes=len(raw), text_length=len(fresh.text), layout_sha256=_ZEROS, layout_bytes=0, page_count=0,
            reader=fresh.reader,
        )  # fmt: skip
        own = read_document(fresh)
        statements = list(extraction_records(version, own, "derivation"))
        return len(list(passage_records(version, own, "derivation", statements, settings, tokenizer)))

    once()
    times = np.empty(repeats)
    for at in range(repeats):
        began = time.perf_counter()
        once()
        times[at] = (time.perf_counter() - began) * 1e3
    return times
