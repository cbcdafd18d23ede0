"""Packing: a share as bytes.

The format is a container (:mod:`coditect.tiers.shares.container`). Every word stands once, in a list, and beside it its code. What
is counted over all documents are arrays of numbers; what is read of few documents is JSON. Statements are named by their number
among the statements of the document, in document order. :mod:`coditect.tiers.shares.kept` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from coditect.language.matched import as_matched
from coditect.schemas import Chunk, Extraction
from coditect.tiers.findings.conflicts.assertions.limits import LIMIT
from coditect.tiers.findings.conflicts.detection import is_framed, is_held
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.conflicts.likeness.detection import thing_of, usable_limits
from coditect.tiers.findings.conflicts.opposed.candidates import least_shared, posted
from coditect.tiers.findings.said.printed import printed_words
from coditect.tiers.findings.said.statements import Statement, statements_of
from coditect.tiers.findings.telling import defined_by, named_itself, names_spoken_of, section_numbers
from coditect.tiers.sections.composition import group_of, is_long
from coditect.tiers.sections.wording import DocumentWords
from coditect.tiers.shares.codes import code_of, codes_of, phrase_code
from coditect.tiers.shares.container import contained
from coditect.tiers.shares.share import Share, share_of

__all__ = ["FORMAT", "FRAMED", "HELD", "LIMITS", "LISTS", "POSTED", "STANCES", "packed", "packed_share"]

FORMAT = "share/3"
"""Version of the format: raised when a share's bytes are laid out otherwise."""

LISTS = ("measured", "stances", "told", "limits")
"""The lists of entries, in the order in which they stand one behind the other."""

HELD, FRAMED, LIMITS, POSTED = 1, 2, 4, 8
"""Of an entry: it may be held against others; it is of its document, or of every document; it is a limit; its words find it."""

STANCES = ("", "must", "must not", "may", "need not", "does not")
"""The stances, each by its number; "" for what is none."""


class _Words:
    """The words of a document, each with the number under which it stands."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def numbered(self, words: Iterable[str]) -> list[int]:
        """The numbers of words in their order; a word that is new gets the next one."""
        return [self.numbers.setdefault(word, len(self.numbers)) for word in words]


class _Lists:
    """Lists of numbers one behind the other, with the place behind the last of each."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self.ends: list[int] = []

    def add(self, numbers: Iterable[int]) -> None:
        """Add a list."""
        self.values += numbers
        self.ends.append(len(self.values))


def packed_share(chunks: Sequence[Chunk], references: Iterable[Extraction], source: Sequence[str]) -> bytes:
    """The bytes of the share of a document.

    Args:
        chunks: Tier 2, in document order.
        references: its cross-references, of Tier 1, in document order.
        source: what it is made of; see :func:`packed`.
    """
    statements = statements_of(chunks)
    return packed(share_of(chunks, statements, references), chunks, statements, source)


def packed(share: Share, chunks: Sequence[Chunk], statements: Sequence[Statement], source: Sequence[str]) -> bytes:
    """The bytes of a share.

    Args:
        share: of a document.
        chunks: all of the document, in document order.
        statements: theirs, in the same order.
        source: what it is made of, so that nobody takes it for the share of something else.
    """
    words = _Words()
    arrays: dict[str, npt.NDArray[Any]] = {}
    values: dict[str, Any] = {}
    for part in (
        _entries(share, statements, words),
        _statements(share.words, chunks, words),
        _phrases(share.words, words),
        _told(share, statements),
    ):
        arrays |= part[0]
        values |= part[1]
    values["words"] = list(words.numbers)
    values["source"] = list(source)
    return contained(FORMAT, {"codes": codes_of(list(words.numbers)), **arrays}, values)


_Part = tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]


def _entries(share: Share, statements: Sequence[Statement], words: _Words) -> _Part:
    numbers = {id(statement): number for number, statement in enumerate(statements)}
    usable = {id(each) for each in usable_limits(share.entries.limits)}
    told, extra = _Lists(), _Lists()
    of, heads, prefixes, flags, stances, least = [], [], [], [], [], []
    said: list[int] = []
    rows: list[list[Any]] = []
    for name in LISTS:
        for entry in getattr(share.entries, name):
            text = entry.statement.sentence.text
            of.append(numbers[id(entry.statement)])
            heads.append(code_of(entry.head))
            said.append(code_of(repr(entry.value)))
            least.append(least_shared(entry))
            stances.append(STANCES.index(str(entry.value)) if name == "stances" else 0)
            told.add(words.numbered(sorted(entry.words)))
            flag, prefix, added = _posting(entry, is_usable=id(entry) in usable)
            flags.append(flag)
            prefixes.append(prefix)
            extra.add(words.numbered(added))
            says = None if entry.says == text else entry.says
            rows.append([entry.kind, entry.head, says, entry.value, entry.strength, entry.lead, entry.verb])
    return {
        "entry_statements": np.array(of, dtype="<u4"),
        "entry_heads": np.array(heads, dtype="<u8"),
        "entry_prefixes": np.array(prefixes, dtype="<u8"),
        "entry_values": np.array(said, dtype="<u8"),
        "entry_least": np.array(least, dtype="<f8"),
        "entry_flags": np.array(flags, dtype="|u1"),
        "entry_stances": np.array(stances, dtype="|u1"),
        "entry_words": np.array(told.values, dtype="<u4"),
        "entry_word_ends": np.array(told.ends, dtype="<u4"),
        "entry_extras": np.array(extra.values, dtype="<u4"),
        "entry_extra_ends": np.array(extra.ends, dtype="<u4"),
    }, {"entries": rows, "entry_counts": [len(getattr(share.entries, name)) for name in LISTS]}


def _posting(entry: Entry, *, is_usable: bool) -> tuple[int, int, list[str]]:
    """(flags, what stands before a word that it is found by, what it is found by beside its words)."""
    if entry.head == LIMIT:
        prefix = phrase_code((LIMIT, entry.kind, thing_of(entry)))
        return LIMITS | POSTED | (HELD if is_usable else 0), prefix, []
    framed = FRAMED if is_framed(entry) else 0
    by = posted(entry.kind, entry)
    is_posted = entry.words.issubset(by)
    others = sorted(by[len(entry.words) :] if is_posted else by)
    return framed | (HELD if is_held(entry) else 0) | (POSTED if is_posted else 0), code_of(entry.kind), others


def _statements(told: DocumentWords, chunks: Sequence[Chunk], words: _Words) -> _Part:
    stems, headed, telling = _Lists(), _Lists(), _Lists()
    sentences = [(n, sentence) for n, chunk in enumerate(chunks) for sentence in chunk.selected_sentences]
    for each in told.chunks:
        headed.add(words.numbered(sorted(each.headed)))
        telling.add(words.numbered(sorted(each.telling)))
        for sentence in each.sentences:
            stems.add(words.numbered(sentence))
    return {
        "stems": np.array(stems.values, dtype="<u4"),
        "stem_ends": np.array(stems.ends, dtype="<u4"),
        "headed": np.array(headed.values, dtype="<u4"),
        "headed_ends": np.array(headed.ends, dtype="<u4"),
        "telling": np.array(telling.values, dtype="<u4"),
        "telling_ends": np.array(telling.ends, dtype="<u4"),
        "sentence_chunks": np.array([n for n, _ in sentences], dtype="<u4"),
        "sentence_texts": codes_of([" ".join(as_matched(s.text).split()) for _, s in sentences]),
        "sentence_starts": np.array([s.char_start for _, s in sentences], dtype="<u4"),
        "sentence_scores": np.array([s.score for _, s in sentences], dtype="<f8"),
        "sentence_groups": np.array([group_of(s) + 16 * is_long(s) for _, s in sentences], dtype="|u1"),
        "sentence_sizes": np.array([len(set(s)) for each in told.chunks for s in each.sentences], dtype="<u2"),
        "chunk_starts": np.array([each.char_offset_start for each in chunks], dtype="<u4"),
        "chunk_headings": np.array([min(len(each.headings), 2) for each in chunks], dtype="|u1"),
    }, {"chunks": [each.chunk_id for each in chunks]}


def _told(share: Share, statements: Sequence[Statement]) -> _Part:
    ordered = sorted(statements, key=lambda statement: statement.sentence.char_start)
    shown = {each: s.sentence.char_start for s in ordered for each in s.sentence.extraction_ids}
    printed = printed_words(statements)
    return {"tells": np.array(share.telling, dtype="<u2")}, {
        "references": [
            [e.extraction_id, e.start, e.name, e.place, e.is_titled, shown.get(e.extraction_id)]
            for e in share.references
        ],
        "named": [[s.sentence.char_start, name] for s in ordered for name in names_spoken_of(s)],
        "defined": sorted({key for each in statements for key in defined_by(each)}),
        "itself": sorted({tuple(sorted(stems)) for each in statements for stems in named_itself(each)}),
        "numbers": sorted(section_numbers(statements)),
        "printed": [printed.plain, printed.others, list(printed.headings), dict(printed.entities)],
        "measures": [
            [number, measure.kind, measure.head, measure.verb]
            for number, each in enumerate(statements)
            for measure in each.sentence.measures
        ],
    }


def _phrases(told: DocumentWords, words: _Words) -> _Part:
    return {
        "phrases": np.array([phrase_code(each.stems) for each in told.phrases], dtype="<u8"),
        "phrase_kinds": np.array([len(e.stems) + 16 * e.is_whole for e in told.phrases], dtype="|u1"),
    }, {
        "phrase_names": [[words.numbered(each.stems), dict(each.names)] for each in told.phrases],
        "headings": told.has_headings,
    }
