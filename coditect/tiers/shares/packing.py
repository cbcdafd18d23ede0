"""Packing: a share as bytes, and back.

The format is JSON. Every word stands once, in a list, and is named by its number. Statements are named by their number among the
statements of the document, in document order.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from coditect.documents.profile.citations import OutwardReference
from coditect.errors import Corrupt
from coditect.tiers.findings.conflicts.entries import Entry, ReadEntries
from coditect.tiers.findings.statements import Statement
from coditect.tiers.sections.wording import ChunkWords, DocumentWords, HeadingPhrase
from coditect.tiers.shares.share import Share

__all__ = ["FORMAT", "packed", "unpacked"]

FORMAT = "share/1"
"""Version of the format: raised when a share's bytes are laid out otherwise."""

_ENTRIES = ("measured", "stances", "told", "limits")


def packed(share: Share, statements: Sequence[Statement]) -> bytes:
    """The bytes of a share.

    Args:
        share: of a document.
        statements: all of the document, in document order.
    """
    numbers = {id(statement): number for number, statement in enumerate(statements)}
    words: dict[str, int] = {}
    body: dict[str, Any] = {
        name: [_row(entry, numbers, words) for entry in getattr(share.entries, name)] for name in _ENTRIES
    }
    body["references"] = [[e.extraction_id, e.start, e.name, e.place, e.is_titled] for e in share.references]
    body["phrases"] = [[_numbered(e.stems, words), dict(e.names), e.is_whole] for e in share.words.phrases]
    body["chunks"] = [
        [
            _numbered(sorted(e.headed), words),
            [_numbered(s, words) for s in e.sentences],
            _numbered(sorted(e.telling), words),
        ]
        for e in share.words.chunks
    ]
    body["headings"] = share.words.has_headings
    body["words"] = list(words)
    body["format"] = FORMAT
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode("utf-8", "surrogatepass")


def unpacked(data: bytes, document_id: str, statements: Sequence[Statement]) -> Share:
    """The share in some bytes.

    Args:
        data: from :func:`packed`.
        document_id: of the document.
        statements: all of the document, in document order.
    Raises:
        Corrupt: the bytes are no share of this document.
    """
    try:
        body = json.loads(data.decode("utf-8", "surrogatepass"))
        if body["format"] != FORMAT:
            raise ValueError(body["format"])
        words = [sys.intern(each) for each in body["words"]]
        entries = ReadEntries(*(tuple(_entry(row, statements, words) for row in body[name]) for name in _ENTRIES))
        references = tuple(
            OutwardReference(extraction_id, document_id, start, name, place, is_titled=titled)
            for extraction_id, start, name, place, titled in body["references"]
        )
        topical = _document_words(body, words)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise Corrupt(
            "what a document gives to the tiers above it cannot be read",
            document_id=document_id,
            reason=repr(error),
            hint="It is made again by the next build; run 'coditect knowledge validate' to see what else is damaged.",
        ) from error
    return Share(entries, references, topical)


def _numbered(told: Iterable[str], words: dict[str, int]) -> list[int]:
    return [words.setdefault(word, len(words)) for word in told]


def _document_words(body: Mapping[str, Any], words: Sequence[str]) -> DocumentWords:
    phrases = tuple(
        HeadingPhrase(tuple([words[each] for each in stems]), names, whole) for stems, names, whole in body["phrases"]
    )
    chunks = tuple(
        ChunkWords(
            frozenset([words[each] for each in headed]),
            tuple([tuple([words[each] for each in stems]) for stems in sentences]),
            frozenset([words[each] for each in telling]),
        )
        for headed, sentences, telling in body["chunks"]
    )
    return DocumentWords(chunks, phrases, body["headings"])


def _row(entry: Entry, numbers: dict[int, int], words: dict[str, int]) -> list[Any]:
    told = _numbered(sorted(entry.words), words)
    says = None if entry.says == entry.statement.sentence.text else entry.says
    return [
        numbers[id(entry.statement)],
        entry.kind,
        entry.head,
        says,
        entry.value,
        entry.strength,
        told,
        entry.lead,
        entry.verb,
    ]


def _entry(row: Sequence[Any], statements: Sequence[Statement], words: Sequence[str]) -> Entry:
    number, kind, head, says, value, strength, told, lead, verb = row
    statement = statements[number]
    own = frozenset([words[each] for each in told])
    return Entry(
        statement, kind, head, statement.sentence.text if says is None else says, value, strength, own, lead, verb
    )
