"""What the reader is shown: consecutive provisions of one document, line by line, with what stands above and beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from coditect.agents.roles.fences import Fence, one_line
from coditect.agents.roles.role import Role
from coditect.documents.profile.guess import HEAD
from coditect.documents.profile.role import guess_role
from coditect.documents.structure.lists import NOWHERE, Lists
from coditect.documents.structure.outline import printed
from coditect.language.marks import trim
from coditect.language.matched import as_matched
from coditect.models.llm import LlmRequest, TextBlock
from coditect.tiers.extractions.document import DocumentReading, document_headings, document_lists
from coditect.tiers.readings.provisions import ReadProvision, provisions_of, put_together
from coditect.tiers.readings.told import Place

__all__ = ["ReaderPassage", "ShownLine", "reader_passages", "reader_request"]

_WORD = re.compile(r"[^\W\d_]{3}")
_STANDS_ALONE = re.compile(r"\W{0,3}(?:\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]\s+)?[a-z][\w'’-]*\s")
_LEADS = re.compile(r":\W{0,3}\Z")
_FARTHEST_LEAD = 30
"""Sentences over which the lead-in of an item is looked for that stands in no list."""

_MOST_CONTEXT = 400
"""Code points of a sentence that stands beside a passage, at most: of the one before its end, of the one behind its beginning."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of a request.

    Attributes:
        label: "1", "2" … of a sentence to be read, "c1", "c2" … of one that only helps, "" of a heading.
        start: first code point in the text as it is read; 0 of a heading, which is put together.
        end: one past the last.
        own: where its own words begin, behind its number.
        text: on one line.
        sentence: its index in the document; -1 of a heading.
    """

    label: str
    start: int
    end: int
    own: int
    text: str
    sentence: int = -1


@dataclass(frozen=True, slots=True)
class ReaderPassage:
    """What one request asks about.

    Attributes:
        document: the name of the document.
        title: that it has; "" for none.
        kind: what its words say that it is: "policy", "contract" …; "" where they do not.
        text: of the document, as it is read.
        lines: in the order in which they are shown.
        provisions: that are to be read, each whole.
    """

    document: str
    title: str
    kind: str
    text: str
    lines: tuple[ShownLine, ...]
    provisions: tuple[ReadProvision, ...]


def reader_passages(
    document: str, reading: DocumentReading, places: Sequence[Place] | None = None
) -> Iterator[ReaderPassage]:
    """A document in passages.

    Args:
        document: its name.
        reading: its text, outline and sentences.
        places: of the text as it is read, ranges of which alone the provisions are wanted that touch one; None: all.
    """
    text, sentences, lists = reading.source.text, reading.sentences, document_lists(reading)
    every = provisions_of(text, sentences, lists, document_headings(reading))
    wanted = [
        each
        for each in every
        if places is None
        or any(sentences[n].start < hi and lo < sentences[n].end for n in each.sentences for lo, hi in places)
    ]
    role = guess_role(document, as_matched(reading.source.title), text[:HEAD])
    kind = "" if role is None else str(role.value)
    for run in _runs(wanted) if places is not None else [wanted]:
        for own in put_together(text, sentences, run):
            lines = tuple(_lines(reading, lists, own))
            yield ReaderPassage(document, reading.source.title, kind, text, lines, own)


def reader_request(role: Role, passage: ReaderPassage) -> LlmRequest:
    """Ask for the norms and definitions of a passage. What is the same for all passages comes first."""
    shown = "\n".join(f"# {each.text}" if not each.label else f"{each.label}| {each.text}" for each in passage.lines)
    fence = Fence.around((passage.document, passage.title, shown))
    given = {"title": passage.title, "kind": passage.kind}
    block = fence.wrap("passage", shown, document=passage.document, **{k: v for k, v in given.items() if v})
    count = sum(len(each.sentences) for each in passage.provisions)
    return role.request(TextBlock(f"{block}\n\nRead the lines 1 to {count}."))


def _runs(provisions: Sequence[ReadProvision]) -> Iterator[list[ReadProvision]]:
    """Provisions that stand right behind each other in the text."""
    run: list[ReadProvision] = []
    for each in provisions:
        if run and each.sentences[0] > run[-1].sentences[-1] + 3:
            yield run
            run = []
        run.append(each)
    if run:
        yield run


def _lines(reading: DocumentReading, lists: Lists, provisions: Sequence[ReadProvision]) -> Iterator[ShownLine]:
    """The lines of a passage: headings where they change, what leads in, the sentences, and one more on each side."""
    own = {index for each in provisions for index in each.sentences}
    shown: set[int] = set()
    heading = ""
    contexts = numbers = 0
    before = min(own) - 1

    def context(index: int, cut: str = "") -> ShownLine:
        nonlocal contexts
        contexts += 1
        shown.add(index)
        return _line(reading, lists, index, f"c{contexts}", cut)

    for each in provisions:
        here = _headings(reading, each.sentences[0])
        if here and here != heading:
            yield ShownLine("", 0, 0, 0, here)
        heading = here
        if before >= 0 and not each.above:
            lead = _far_lead(reading, lists, each.sentences[0])
            if lead is not None and lead < before:
                yield context(lead)
            yield context(before, "before")
        before = -1
        yield from [context(index) for index in each.above if index not in shown | own]
        for index in each.sentences:
            numbers += 1
            yield _line(reading, lists, index, str(numbers))
    behind = max(own) + 1
    if behind < len(reading.sentences) and behind not in shown:
        yield context(behind, "behind")


def _far_lead(reading: DocumentReading, lists: Lists, index: int) -> int | None:
    """What leads into a sentence that reads as an item but stands in no list, as where the list's numbers do not begin anew."""
    text, sentences = reading.source.text, reading.sentences
    place = lists.places[index]
    if max(place.item_of, place.within, place.tail_of) != NOWHERE:
        return None
    if not _STANDS_ALONE.match(text, *trim(text, sentences[index].start, sentences[index].end)):
        return None
    for at in range(index - 1, max(-1, index - _FARTHEST_LEAD), -1):
        start, end = trim(text, sentences[at].start, sentences[at].end)
        if _LEADS.search(text, max(start, end - 4), end):
            return at
        if not _STANDS_ALONE.match(text, start, end):
            return None
    return None


def _line(reading: DocumentReading, lists: Lists, index: int, label: str, cut: str = "") -> ShownLine:
    text, sentence = reading.source.text, reading.sentences[index]
    start, end = trim(text, sentence.start, sentence.end)
    if cut == "before":
        start = max(start, end - _MOST_CONTEXT)
    elif cut == "behind":
        end = min(end, start + _MOST_CONTEXT)
    own = min(max(start, lists.places[index].own), end)
    return ShownLine(label, start, end, own, one_line(text[start:end]), index)


def _headings(reading: DocumentReading, index: int) -> str:
    """The headings above a sentence that have words, outermost first."""
    sentence = reading.sentences[index]
    section = reading.sections[reading.section_at(sentence.start, sentence.end)]
    chain = (*section.parent_chain, printed(section))
    return " > ".join(one_line(each, 120) for each in chain if _WORD.search(each))
