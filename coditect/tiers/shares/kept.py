"""Kept shares: the share of a document as it is read back, each part of it when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from coditect.documents.profile.citations import OutwardReference
from coditect.errors import Corrupt
from coditect.tiers.findings.conflicts.entries import Entry
from coditect.tiers.findings.said.printed import PrintedWords
from coditect.tiers.findings.said.statements import Statement
from coditect.tiers.shares.codes import Codes
from coditect.tiers.shares.container import Container, Head
from coditect.tiers.shares.packing import FORMAT, LISTS

if TYPE_CHECKING:
    from coditect.tiers.shares.joined.columns import ShareColumns

__all__ = ["ARRAYS", "KeptShare", "Numbers", "Places", "WordLists", "opened"]

Numbers = npt.NDArray[np.int64]
"""Numbers such as may be counted with."""

Places = npt.NDArray[np.uint32]
"""Numbers as they are kept: half as long, and nothing is made of them."""


@dataclass(frozen=True, slots=True)
class WordLists:
    """WordLists of numbers one behind the other.

    Attributes:
        values: all of them.
        ends: the place behind the last one of each list.
    """

    values: Places
    ends: Places

    def of(self, number: int) -> Places:
        """One of the lists."""
        return self.values[(self.ends[number - 1] if number else 0) : self.ends[number]]


@dataclass(frozen=True)
class KeptShare:
    """What is kept of a document.

    Attributes:
        document_id: of the document.
        container: what was packed.
        lying: the columns that have its arrays, too, and its number there; None: there are none.
    """

    document_id: str
    container: Container = field(repr=False)
    lying: tuple[ShareColumns, int] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def codes(self) -> Codes:
        """The codes of its words, by their number."""
        return self.container.array("codes", "<u8")

    @property
    def words(self) -> list[str]:
        """Its words, by their number, read anew: few ask for them, and those of many documents are not held together."""
        return list(self.container.value("words"))

    @cached_property
    def chunks(self) -> list[str]:
        """The ids of its chunks, in document order."""
        return list(self.container.value("chunks"))

    @property
    def references(self) -> tuple[OutwardReference, ...]:
        """Its references that name another document, in document order."""
        return tuple(
            OutwardReference(extraction_id, self.document_id, start, name, place, is_titled=titled)
            for extraction_id, start, name, place, titled, _ in self.container.value("references")
        )

    @cached_property
    def shown(self) -> dict[str, int]:
        """Where the sentence begins that holds a reference, by the id of the reference, of those that one holds."""
        return {row[0]: row[5] for row in self.container.value("references") if row[5] is not None}

    @cached_property
    def measures(self) -> list[tuple[int, str, str, str]]:
        """The measures that its statements fix: number of the statement, kind, head, and verb as printed."""
        return [(number, kind, head, verb) for number, kind, head, verb in self.container.value("measures")]

    @property
    def printed(self) -> PrintedWords:
        """What it prints, read anew: few rules ask for it, and that of many documents is not held together."""
        plain, others, headings, entities = self.container.value("printed")
        return PrintedWords(plain, others, tuple(headings), entities)

    def numbers(self, name: str, kind: str = "<u4") -> Numbers:
        """An array of small numbers, such as may be counted with."""
        return self.container.array(name, kind).astype(np.int64)

    def lists(self, name: str, ends: str) -> WordLists:
        """WordLists of numbers of words."""
        return WordLists(self.array(name, "<u4"), self.array(ends, "<u4"))

    def codes_in(self, name: str, ends: str, number: int) -> list[int]:
        """The codes of the words of one of some lists."""
        last = self.array(ends, "<u4")
        own = self.array(name, "<u4")[(last[number - 1] if number else 0) : last[number]]
        codes: list[int] = self.codes[own].tolist()
        return codes

    def array(self, name: str, kind: str) -> npt.NDArray[Any]:
        """An array as it was packed."""
        return self.container.array(name, kind)

    def entries(self, wanted: Sequence[int], statements: Sequence[Statement]) -> list[tuple[int, Entry]]:
        """Some of its entries, each behind the number of the list of :data:`LISTS` that it stands in.

        Args:
            wanted: their numbers.
            statements: that of each.
        """
        if not len(wanted):
            return []
        rows, words = self.container.value("entries"), self.words
        told = self.lists("entry_words", "entry_word_ends")
        ends = np.cumsum(self.container.value("entry_counts"))
        found = []
        for number, own in zip(wanted, statements, strict=True):
            kind, head, says, value, strength, lead, verb = rows[number]
            said = own.sentence.text if says is None else says
            holds = frozenset([words[each] for each in told.of(number).tolist()])
            entry = Entry(own, kind, head, said, value, strength, holds, lead, verb)
            found.append((int(np.searchsorted(ends, number, side="right")), entry))
        return found


def opened(
    data: bytes | memoryview,
    document_id: str,
    source: Sequence[str],
    *,
    is_known: bool = False,
    lying: tuple[ShareColumns, int] | None = None,
    head: Head | None = None,
) -> KeptShare:
    """The share in some bytes.

    Args:
        data: from :func:`~coditect.tiers.shares.packing.packed`.
        document_id: of the document.
        source: what it must be made of.
        is_known: whether they were opened before, and are the same: then they are not looked through again.
        lying: see :class:`KeptShare`.
        head: what was read of the same bytes before; None where nothing was.

    Raises:
        Corrupt: the bytes are no share of this document.
    """
    try:
        container = Container(FORMAT, data) if head is None else Container.of(head, data)
        share = KeptShare(document_id, container, lying)
        if share.container.value("source") != list(source):
            raise ValueError("source")
        if not is_known:
            _require_whole(share)
    except (ValueError, KeyError, IndexError, TypeError) as error:
        raise Corrupt(
            "what a document gives to the tiers above it cannot be read",
            document_id=document_id,
            reason=repr(error),
            hint="It is made again by the next build; run 'coditect knowledge validate' to see what else is damaged.",
        ) from error
    return share


def _require_whole(share: KeptShare) -> None:
    """Look at what the parts say of each other: bytes are only what their hash says, and whoever made them may have erred.

    Raises:
        ValueError: something is missing.
    """
    if not share.container.names >= _VALUES:
        raise ValueError(str(sorted(_VALUES - share.container.names)))
    chunks, sentences, entries, phrases = (len(share.array(*each)) for each in _COUNTED)
    counts = {
        "chunk": chunks,
        "headed_ends": chunks,
        "telling_ends": chunks,
        "stem_ends": sentences,
        "tells": sentences,
    }
    counts |= {"sentence": sentences, "entry": entries, "phrase": phrases}
    for kind, names in _ARRAYS.items():
        for name in names:
            count = counts.get(name, counts.get(name.partition("_")[0]) if name not in _WORDS else None)
            if count is not None and len(share.array(name, kind)) != count:
                raise ValueError(name)
    for name, most in (("entry_statements", sentences), ("sentence_chunks", chunks)):
        found = share.array(name, "<u4")
        if len(found) and int(found.max()) >= most:
            raise ValueError(name)
    words = len(share.codes)
    for name, ends in _LISTS_OF_WORDS.items():
        values, last = share.array(name, "<u4"), share.array(ends, "<u4")
        if len(values) != (int(last[-1]) if len(last) else 0) or (len(values) and int(values.max()) >= words):
            raise ValueError(name)
    if len(LISTS) != len(share.container.value("entry_counts")):
        raise ValueError("entry_counts")


_LISTS_OF_WORDS = {
    "entry_words": "entry_word_ends",
    "entry_extras": "entry_extra_ends",
    "stems": "stem_ends",
    "headed": "headed_ends",
    "telling": "telling_ends",
}

_WORDS = frozenset(_LISTS_OF_WORDS)
_ARRAYS = {
    "<u8": ("codes", "entry_heads", "entry_prefixes", "entry_values", "sentence_texts", "phrases"),
    "<u4": (
        *("entry_statements", "sentence_chunks", "sentence_starts", "chunk_starts"),
        *_LISTS_OF_WORDS,
        *_LISTS_OF_WORDS.values(),
    ),
    "<u2": ("tells", "sentence_sizes"),
    "|u1": ("entry_flags", "entry_stances", "sentence_groups", "chunk_headings", "phrase_kinds"),
    "<f8": ("entry_least", "sentence_scores"),
}
"""The arrays of a share by what they are of; one that is not a list of words has a number for each of what it is named after."""

ARRAYS = {name: kind for kind, names in _ARRAYS.items() for name in names}
"""What each of them is of."""

_VALUES = frozenset(("chunks", "entries", "entry_counts", "references", "phrase_names", "headings", "source", "words"))
_VALUES |= {"defined", "itself", "measures", "named", "numbers", "printed"}
"""What of a share is JSON."""

_COUNTED = (("chunk_starts", "<u4"), ("sentence_starts", "<u4"), ("entry_statements", "<u4"), ("phrases", "<u8"))
