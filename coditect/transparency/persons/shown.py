"""What is shown to who signs, as text: the same bytes for the same records, so its digest says what was seen (21 CFR 11.70)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from coditect.schemas import Review, Source

__all__ = ["shown_item", "shown_review"]


def shown_review(review: Review) -> str:
    """A decision with what it is of and what is cited for it.

    Args:
        review: the decision; when it was made is not shown before it is.
    """
    return "\n".join(_review_lines(review)) + "\n"


def _review_lines(review: Review) -> Iterator[str]:
    yield f"Decision: {review.decision.replace('_', ' ')}" + (f" until {review.until}" if review.until else "")
    yield f"Corpus: {review.corpus_id}"
    yield f"Of: {review.signed_item or ''}"
    yield f"Text: {review.claim_text}"
    for number, quote in enumerate(review.evidence, 1):
        yield f"Evidence {number}: {quote}"
    if review.extraction is not None:
        yield f"Document: {review.extraction.document}"
        yield f"Read as: {review.extraction.kind} {_json(review.extraction.data)}"
    if review.row is not None:
        part = review.row.named_part or review.row.requirement_id
        yield f"Requirement: {part} of {review.row.document} in corpus {review.row.framework}"
        yield f"Rules say: {review.row.label}"
        for number, sentence in enumerate(review.row.sentences, 1):
            yield f"Sentence {number} stands in: {sentence.document}"
    for name, value in sorted((review.changes or {}).items()):
        yield f"Changed: {name} = {_json(value)}"
    for each in review.follows:
        yield f"In the place of: {each}"
    yield f"Decided by: {review.by}"
    yield f"Meaning: {review.meaning}"


def shown_item(corpus_id: str, item: Source) -> str:
    """An item with its whole chain of evidence.

    Args:
        corpus_id: the corpus.
        item: with its sources, down to the characters of files.
    """
    return "\n".join([f"Corpus: {corpus_id}", *_item_lines(item, 0)]) + "\n"


def _item_lines(item: Source, depth: int) -> Iterator[str]:
    indent = "  " * depth
    yield f"{indent}{item.item_id}: {item.text}"
    if item.document_name:
        place = f"{item.char_offset_start}-{item.char_offset_end}" if item.char_offset_end is not None else ""
        yield f"{indent}  in {item.document_name} {place} of file {item.raw_sha256}"
    for each in item.sources:
        yield from _item_lines(each, depth + 1)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
