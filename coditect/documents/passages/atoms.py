"""What passages are made of: sentences, or parts of very long ones, and how good a place to cut lies before each."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from coditect.documents.sentences import Span
from coditect.documents.source import SourceText
from coditect.documents.structure.outline import OutlineSection

__all__ = [
    "DEEPEST",
    "GLUE",
    "KEEP",
    "LEADS_ON",
    "LINE",
    "SENTENCE",
    "Atoms",
    "Run",
    "layout_runs",
    "sentence_atoms",
    "token_atoms",
]

# Places to cut, the best first. 1..DEEPEST are borders of sections of that level.
DEEPEST = 12
RUN = 13  # where a table or a list begins or ends
PARAGRAPH = 14
LINE = 15  # between the items of a list or the rows of a table
SENTENCE = 16
KEEP = 17  # inside a table or a list that fits
CLAUSE = 18  # inside a sentence: behind a semicolon, a colon or a line
COMMA = 19
WORD = 20
GLUE = 21  # between a heading and what it heads
TOKEN = 22

LEADS_ON = ":—–"
"""Last characters of a sentence that introduces a list."""

_WORDS = re.compile(r"\S+")
_LETTER = re.compile(r"[^\W_]")
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring list items, or neighbouring table rows: code points ``start`` up to, not including, ``end``."""

    start: int
    end: int
    kind: Literal["list", "table"]


def _offsets() -> array[int]:
    return array("q")


@dataclass(slots=True)
class Atoms:
    """Trimmed stretches of a text that passages are put together from; parallel lists, one entry for each atom.

    Attributes:
        starts: first code point.
        ends: one past the last code point.
        first: tokens of the text that begin before ``starts``.
        last: tokens of the text that begin before ``ends``.
        ranks: how good a place to cut lies before the atom, the best is smallest; 0 at the first.
        opens: whether a passage may begin here by overlap (a sentence starts, or a token if cuts are made between tokens).
        sentence: index of the sentence that it belongs to; -1 for tokens.
        headings: atoms before this one that are headings, one entry more than there are atoms.
        runs: (first atom, one past the last atom) of each table or list.
    """

    starts: array[int] = field(default_factory=_offsets)
    ends: array[int] = field(default_factory=_offsets)
    first: array[int] = field(default_factory=_offsets)
    last: array[int] = field(default_factory=_offsets)
    ranks: list[int] = field(default_factory=list)
    opens: list[bool] = field(default_factory=list)
    sentence: list[int] = field(default_factory=list)
    headings: list[int] = field(default_factory=lambda: [0])
    runs: list[tuple[int, int]] = field(default_factory=list)

    def __len__(self) -> int:
        """How many atoms there are."""
        return len(self.starts)

    def size(self, low: int, high: int) -> int:
        """Tokens that begin in the atoms ``low`` up to, not including, ``high > low``."""
        return self.last[high - 1] - self.first[low]

    def only_headings(self, low: int, high: int) -> bool:
        """Whether these atoms are all headings."""
        return self.headings[high] - self.headings[low] == high - low


def layout_runs(source: SourceText) -> list[Run]:
    """Runs of neighbouring table rows, and of neighbouring list items, as the format marks them; in order."""
    runs: list[Run] = []
    previous = ""
    for block in source.blocks:
        if block.kind in ("table_row", "list_item"):
            start = block.start
            if previous == block.kind:
                start = runs.pop().start
            runs.append(Run(start, block.end, "table" if block.kind == "table_row" else "list"))
        previous = block.kind
    return runs


def token_atoms(text: str, tokens: Sequence[int]) -> Atoms:
    """One atom for each token that is not white space; tokens that begin at the same code point are one.

    Args:
        text: canonical text.
        tokens: where each begins, from :func:`coditect.documents.passages.hierarchy.anchored`.
    """
    starts = [start for start in dict.fromkeys(tokens) if start < len(text) and not text[start].isspace()]
    begin = _WORDS.search(text)
    if begin is not None and (not starts or begin.start() < starts[0]):
        starts.insert(0, begin.start())
    atoms = Atoms(starts=array("q", starts))
    following = [*starts[1:], len(text)][: len(starts)]
    ends = (start + len(text[start:after].rstrip()) for start, after in zip(starts, following, strict=True))
    atoms.ends = array("q", ends)
    atoms.first = array("q", (bisect_left(tokens, start) for start in starts))
    atoms.last = array("q", (bisect_left(tokens, end) for end in atoms.ends))
    atoms.ranks = [TOKEN if index else 0 for index in range(len(starts))]
    atoms.opens = [True] * len(starts)
    atoms.sentence = [-1] * len(starts)
    atoms.headings = [0] * (len(starts) + 1)
    return atoms


def sentence_atoms(
    source: SourceText,
    sections: Sequence[OutlineSection],
    sentences: Sequence[Span],
    tokens: Sequence[int],
    longest: int,
) -> Atoms:
    """The sentences of a text, those of more than ``longest`` tokens in parts, with the structure between them.

    Args:
        source: the text.
        sections: its outline; the first is the root.
        sentences: its sentences, in order.
        tokens: where each begins, from :func:`coditect.documents.passages.hierarchy.anchored`.
        longest: atoms have no more tokens, unless that many begin at one code point.
    """
    atoms = _pieces(source.text, sentences, tokens, longest, _headed(sections, sentences))
    if not len(atoms):
        return atoms
    _rank_layout(atoms, source)
    headings = _rank_sections(atoms, source.text, sections)
    _glue(atoms, source, sections, headings)
    atoms.ranks[0] = 0
    for is_heading in headings:
        atoms.headings.append(atoms.headings[-1] + is_heading)
    return atoms


def _headed(sections: Sequence[OutlineSection], sentences: Sequence[Span]) -> dict[int, int]:
    """For the first sentence behind headings, by its index, where these begin."""
    starts = [sentence.start for sentence in sentences]
    headed: dict[int, int] = {}
    for section in sections[1:]:  # parents come before their children
        heading, body = bisect_left(starts, section.start), bisect_left(starts, section.body_start)
        if heading < body:
            headed[body] = headed.get(heading, section.start)
    return headed


def _pieces(
    text: str, sentences: Sequence[Span], tokens: Sequence[int], longest: int, headed: Mapping[int, int]
) -> Atoms:
    """Atoms with the ranks that the text between them gives; a sentence that leaves no room for its heading has parts."""
    atoms = Atoms()
    before = 0
    for index, sentence in enumerate(sentences):
        rank = PARAGRAPH if _BLANK_LINE.search(text, before, sentence.start) else SENTENCE
        first, last = (bisect_left(tokens, at) for at in (sentence.start, sentence.end))
        before = sentence.end
        if first == last and len(atoms):  # nothing that counts: it goes with what stands before it
            atoms.ends[-1], atoms.last[-1] = sentence.end, last
            continue
        parts = [(sentence.start, rank)]
        if last - bisect_left(tokens, headed.get(index, sentence.start)) > longest:
            parts += _parts(text, sentence, tokens, longest)
        for (start, own), (after, _) in zip(parts, [*parts[1:], (sentence.end, 0)], strict=True):
            end = start + len(text[start:after].rstrip())
            atoms.starts.append(start)
            atoms.ends.append(end)
            atoms.first.append(bisect_left(tokens, start, first, last))
            atoms.last.append(bisect_left(tokens, end, first, last))
            atoms.ranks.append(own)
            atoms.opens.append(start == sentence.start)
            atoms.sentence.append(index)
    return atoms


def _parts(text: str, sentence: Span, tokens: Sequence[int], longest: int) -> Iterator[tuple[int, int]]:
    """Where the later parts of a long sentence begin, and how good a place to cut that is."""
    end = sentence.start
    for word in _WORDS.finditer(text, sentence.start, sentence.end):
        start = word.start()
        first, last = (bisect_left(tokens, at) for at in (start, word.end()))
        if start > sentence.start and last > first:
            if text[end - 1] in ";:" or "\n" in text[end:start]:
                yield start, CLAUSE
            else:
                yield start, COMMA if text[end - 1] == "," else WORD
        end = word.end()
        if last - first > longest:
            for token in dict.fromkeys(tokens[first:last]):
                if token > start:
                    yield token, TOKEN


def _rank_layout(atoms: Atoms, source: SourceText) -> None:
    """What the format marks: blocks, tables and lists."""
    ranks, count = atoms.ranks, len(atoms)
    for block in source.blocks:
        for at in (block.start, block.end):
            index = bisect_left(atoms.starts, at)
            if index < count:
                ranks[index] = min(ranks[index], PARAGRAPH)
    for run in layout_runs(source):
        low, high = (bisect_left(atoms.starts, at) for at in (run.start, run.end))
        if low == high:
            continue
        for index in range(low + 1, high):
            if ranks[index] == PARAGRAPH:
                ranks[index] = LINE
        ranks[low] = RUN
        if high < count:
            ranks[high] = RUN
        atoms.runs.append((low, high))


def _rank_sections(atoms: Atoms, text: str, sections: Sequence[OutlineSection]) -> list[bool]:
    """What the outline marks; returns which atoms are headings, a line drawn under one included."""
    ranks, count = atoms.ranks, len(atoms)
    headings = [False] * count
    for section in sections[1:]:
        rank = min(section.level, DEEPEST)
        low = bisect_left(atoms.starts, section.start)
        for index in (low, bisect_left(atoms.starts, section.end)):
            if index < count:
                ranks[index] = min(ranks[index], rank)
        first = low
        while low < count and (
            atoms.ends[low] <= section.body_start
            or (
                first < low
                and atoms.ends[low] <= section.end
                and not _LETTER.search(text, atoms.starts[low], atoms.ends[low])
            )
        ):
            headings[low] = True
            low += 1
    return headings


def _glue(atoms: Atoms, source: SourceText, sections: Sequence[OutlineSection], headings: Sequence[bool]) -> None:
    """A heading stays with what it heads, and the words before a list with its first item."""
    ranks, count = atoms.ranks, len(atoms)
    for position, section in enumerate(sections[2:], start=2):
        if section.heading or section.parent != position - 1:
            continue  # no item of a list, or not its first
        index = bisect_left(atoms.starts, section.start)
        if 0 < index < count and not headings[index - 1] and _leads(source.text, atoms, index - 1):
            ranks[index] = SENTENCE
    for low, _ in atoms.runs:
        if low and ranks[low] == RUN and _leads(source.text, atoms, low - 1):
            ranks[low] = SENTENCE
    for section in sections[1:]:
        index = bisect_left(atoms.starts, section.start) + 1
        while index < count and headings[index - 1] and atoms.starts[index] < section.end:
            ranks[index] = GLUE
            index += 1


def _leads(text: str, atoms: Atoms, index: int) -> bool:
    return text[atoms.ends[index] - 1] in LEADS_ON
