"""Sentence boundaries in legal text, as exact offsets.

`nupunkt <https://github.com/alea-institute/nupunkt>`_ (Punkt, trained on legal text; MIT) proposes boundaries; the
layout and the outline decide where one must be; and a few rules of the field take back those that are none.
The choice was measured: see ``adr/0010-sentence-segmenter.md``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import nupunkt

from coditect.documents.source import SourceText, without_space
from coditect.documents.structure.outline import OutlineSection
from coditect.language.patterns.beginnings import quick
from coditect.language.tables import read_table

__all__ = ["SEGMENTER", "Span", "sentences"]

SEGMENTER = f"nupunkt-{nupunkt.__version__}/15"
"""Library, its version, and the version of the rules here; part of what a derivation depends on."""

_BLANK_LINE = re.compile(r"\n[ \t\xa0\f]*\n\s*")
# What is no sentence by itself: a clause label, possibly with its keyword, stays with what it labels.
_LABEL_ONLY = re.compile(
    r"(?:(?:article|section|sec\.|art\.|clause|§{1,2})\s*)?"
    r"[(\[]?(?:[0-9]{1,3}(?:\.[0-9]{1,3}){0,6}|[a-z]|[ivxl]{1,6})[)\]]?[.:]?\Z",
    re.IGNORECASE,
)
# Ends that the library takes for the end of a sentence now and then, and that never are one before what follows.
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|v|vs|Secs?|Pub|Arts?|Regs?)\.|\bU\.S\.C\.|\bnon-U\.S\.|\b(?P<number>Nos?)\.)\Z"
)
# Whole paths of numbers at the start of a line, and whatever stands before the tab that sets a number apart.
_LABELS = re.compile(
    r"[\s\u200e]*(?:(?:part|chapter|rule|schedule|section|article|app|appendix|annex|paragraph)\s?[\dA-Z]{1,5}|[A-Z]?\d{1,4}[A-Z]?)"
    r"(?:\.(?:(?:chapter|part|guidance|schedule)\s?\w{0,4}|[\dA-Z]{1,4}))*\.?(?:\(\w{1,5}\))*\s*",
    re.IGNORECASE,
)
_LONGEST_LABEL = 120
_NUMBERED = re.compile(r"(?=\S*\d)\S{1,60}\t[ \t]*")
_TABBED = re.compile(r"(?=[^\t\n]*\d)[^\t\n;!?,]{1,120}")
_NUMBER = re.compile(r"[#0-9]|[A-Z]{1,4}[ \-]?[0-9]")
# "... set forth in Exhibit A. The terms ...": no initial, whatever the library thinks of a single capital letter.
_AFTER_REFERENCE = quick(
    rf"\b(?:{read_table('headings').pattern('before_a_letter')}) "
    r"(?:[A-Z]|[IVX]{2,5})\.\s{1,3}(?=[A-Z][a-z]{0,20} {1,3}[a-z])"
)
# A table of contents: the next entry begins behind the page number, which dots or a wide gap set apart.
_ENTRY_END = re.compile(
    r"[ \t\xa0.…_](?:(?<=[A-Za-z.)][ \t\xa0])[ \t\xa0]{1,39}|(?<=[.…_])[.…_]{2} ?)[0-9]{1,3}"
    r"(?:[ \t\xa0]{2,40}|[ \t\xa0]{0,40}\n\s{0,40})(?=[0-9A-Z§(])"
)
# An item of a list on a line of its own, behind what leads into it or the item before: "; and", line end, "(b)".
_ITEM_LINE = re.compile(
    r"(?:[;:,—–]|[;,]\s(?:and/or|and|or|but)|[.]|\n)[ \t\xa0]*\n[ \t\xa0]*"
    r"(?=(?:\((?:[a-z]{1,2}|[ivx]{1,5}|[A-Z]|\d{1,2})\)|(?:[a-z]|[ivx]{2,5}|\d{1,2})[.)]|[•▪●])[ \t\xa0]+"
    r"(?!(?:of|and|or|above|below|hereof|through|to|in)\b|,)\S)"
)
# A line of a text whose lines are paragraphs: it begins anew, unless it goes on in small letters behind no stop. One that
# defines begins anew all the same, see _DEFINES.
# What stands before its end is looked at from there: the engine passes on to the ends alone.
_LINE = re.compile(r"\n[ \t\xa0]*(?=\S)")
_BESIDE = " \t\xa0"
_GOES_ON = re.compile(r"[a-z]{2}")
_STOPS = ".;,:—–!?)]"
# "keeper means a person who", "berth, in relation to a ferry, includes", "harbour court—" above "(a) means": acts print
# term below term without stops, each in small letters on a line of its own.
_DEFINES = re.compile(
    rf"(?!(?:{read_table('definitions').pattern('goes_on')})\b(?!-))[a-z][\w'’/-]*(?:[ \xa0][\w'’/-]+){{0,7}}?"
    r"(?:,[ \xa0](?:in[ \xa0](?:relation|respect)|of|for|with[ \xa0]respect)[ \xa0][^\n.;:]{1,120}?,)?"
    r"(?:(?:[ \xa0](?:means?|(?:has|have)[ \xa0](?:the|its|their)[ \xa0](?:\w+[ \xa0])?meanings?)"
    r"|[ \xa0](?:includes?|does[ \xa0]not[ \xa0]include))(?=[ \xa0,.;:—–-]|$)|:[ \xa0]see[ \xa0]"
    r"|,?[ \xa0]?[—–][ \xa0]*\n[ \t\xa0]*\(\w{1,3}\)[ \xa0](?:means?|includes?|has|have|does[ \xa0]not[ \xa0]include)[ \xa0])",
    re.MULTILINE,
)
# "the tenant - or whoever follows him" may be wrapped before its dash, but hardly twice in a paragraph.
_DASH = re.compile(r"^[ \t\xa0]*(?P<mark>[-–*])[ \t\xa0]+(?=[^\W_])", re.MULTILINE)
_FEWEST_ITEMS = 2
_BEFORE_WRAP = frozenset("abcdefghijklmnopqrstuvwxyz,")
_SMALL = frozenset("abcdefghijklmnopqrstuvwxyz")
_SAMPLE = 200_000
_WRAPPED = 0.15
"""Share of the line ends inside of paragraphs that stand between small letters, from which on lines are taken to end where the
page did. Of 60 contracts, 20 rulebooks and 80 policies those whose lines are paragraphs have at most 0.11, wrapped ones 0.16."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text: code points ``start`` up to, not including, ``end``."""

    start: int
    end: int


def sentences(source: SourceText, sections: Sequence[OutlineSection]) -> tuple[Span, ...]:
    """Divide a document into its sentences.

    They are trimmed, in order, do not overlap, and hold every character that is not white space. None crosses a
    block, a blank line or the border of a section; headings and table rows are spans of their own; a clause's label
    stays with its text.

    Args:
        source: the text.
        sections: its outline, from :func:`coditect.documents.structure.outline.outline`.
    """
    text = source.text
    borders = _borders(source, sections)
    proposed = _proposed(text)
    glued = _label_spans(sections)
    return tuple(_merge(text, borders, proposed, glued))


def _borders(source: SourceText, sections: Sequence[OutlineSection]) -> list[int]:
    """Offsets that no sentence may cross, sorted, from 0 to the length of the text."""
    borders = {0, len(source.text)}
    for block in source.blocks:
        borders.update((block.start, block.end))
    for found in _BLANK_LINE.finditer(source.text):
        borders.add(found.end())
    for found in _ENTRY_END.finditer(source.text):
        borders.add(found.end())
    for found in _ITEM_LINE.finditer(source.text):
        borders.add(found.end())
    borders.update(_dashed(source.text) if _is_wrapped(source.text) else _lines(source.text))
    for section in sections[1:]:
        borders.update((section.start, section.end))
        if section.heading and section.body_start > section.start:
            borders.add(section.body_start)
    return sorted(borders)


def _is_wrapped(text: str) -> bool:
    """Whether lines end where the page does, so that a line end tells nothing."""
    sample = text[:_SAMPLE]
    ends = list(_line_ends(sample))
    small = [at for before, at in ends if before in _BEFORE_WRAP and sample[at] in _SMALL]
    # What defines makes them fewer.
    if not len(small) > _WRAPPED * len(ends):
        return False
    return sum(_DEFINES.match(text, at) is None for at in small) > _WRAPPED * len(ends)


def _line_ends(text: str) -> Iterator[tuple[str, int]]:
    """The ends of lines inside of paragraphs: (last character of the line, where the next line's first one stands)."""
    for found in _LINE.finditer(text):
        before = found.start() - 1
        while before >= 0 and text[before] in _BESIDE:
            before -= 1
        if before >= 0 and not text[before].isspace():
            yield text[before], found.end()


def _lines(text: str) -> Iterator[int]:
    """Where the lines begin of a text whose lines are paragraphs."""
    for before, at in _line_ends(text):
        if before in _STOPS or _GOES_ON.match(text, at) is None or _DEFINES.match(text, at) is not None:
            yield at


def _dashed(text: str) -> Iterator[int]:
    """Where the items of dashed lists begin in a text whose lines are wrapped: two lines of a paragraph begin with one mark."""
    start = 0
    for blank in (*_BLANK_LINE.finditer(text), None):
        end = len(text) if blank is None else blank.start()
        items = list(_DASH.finditer(text, start, end))
        marks = Counter(item["mark"] for item in items)
        yield from (item.start("mark") for item in items if marks[item["mark"]] >= _FEWEST_ITEMS)
        start = end


def _label_spans(sections: Sequence[OutlineSection]) -> dict[int, int]:
    """For each section start, where its body begins: no sentence ends in between, nor just there."""
    return {s.start: s.body_start for s in sections[1:]}


def _proposed(text: str) -> list[int]:
    """Sorted offsets at which a sentence may start: the library's, and those that it overlooks behind a reference."""
    starts = [start for start, _ in nupunkt.sentence_spans(text, paragraph_breaks=False)]
    starts.extend(found.end() for found in _AFTER_REFERENCE.finditer(text))
    return sorted(set(starts))


def _merge(text: str, borders: Sequence[int], proposed: Sequence[int], glued: dict[int, int]) -> Iterator[Span]:
    at = 0
    for start, end in pairwise(borders):
        while at < len(proposed) and proposed[at] <= start:
            at += 1
        begin = start
        body = glued.get(start, start)
        while at < len(proposed) and proposed[at] < end:
            cut = proposed[at]
            at += 1
            if cut > body and _is_boundary(text, begin, cut):
                yield from _trimmed(text, begin, cut)
                begin = cut
        yield from _trimmed(text, begin, end)


def _is_boundary(text: str, begin: int, cut: int) -> bool:
    """Whether a proposed boundary at ``cut`` stands, in a sentence that begins at ``begin``."""
    before = text[max(begin, cut - 80) : cut].rstrip()
    if cut - begin < 40 and _LABEL_ONLY.match(before.lstrip()):
        return False
    if _NUMBERED.fullmatch(text, text.rfind("\n", 0, cut) + 1, cut):
        return False  # "3.3.19.(1).Guidance.1." before its tab
    if _LABELS.fullmatch(text, text.rfind("\n", 0, cut) + 1, cut) and text[cut : cut + 1] != "\n":
        return False  # "Part 6.Chapter 1.58." before "(1)"
    tab = text.find("\t", cut, cut + _LONGEST_LABEL)
    if tab >= 0 and _TABBED.fullmatch(text, text.rfind("\n", 0, cut) + 1, tab):
        return False
    if before.rfind("[") > before.rfind("]") and text[cut : cut + 1].islower():
        return False  # "[Assignment: organization-defined frequency]"
    found = _ABBREVIATION.search(before[-12:])
    if found is None:
        return True
    return found.group("number") is not None and _NUMBER.match(text, cut) is None


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    start, end = without_space(text, start, end)
    if start < end:
        yield Span(start, end)
