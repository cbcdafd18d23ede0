"""What a passage lacks when it is taken out of its document, and what it consists of."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Literal

from coditect.documents.passages.atoms import LEADS_ON, Run, layout_runs
from coditect.documents.sentences import Span
from coditect.documents.source import SourceText
from coditect.documents.structure.outline import OutlineSection, section_around

__all__ = ["BodyKind", "PassageContext"]

BodyKind = Literal["content", "table", "list", "heading"]

_CELLS = " | "


class PassageContext:
    """Answers for any stretch of one document, in logarithmic time.

    Args:
        source: the text.
        sections: its outline; the first is the root.
        sentences: its sentences, in order.
    """

    __slots__ = (
        "_ends",
        "_flags",
        "_leads_of_runs",
        "_runs",
        "_section_starts",
        "_sections",
        "_sentences",
        "_starts",
        "_text",
    )

    def __init__(self, source: SourceText, sections: Sequence[OutlineSection], sentences: Sequence[Span]) -> None:
        """Mark every sentence as heading, part of a table, or part of a list."""
        self._text = source.text
        self._sections = sections
        self._section_starts = [section.start for section in sections]
        self._sentences = sentences
        self._starts = [sentence.start for sentence in sentences]
        self._ends = [sentence.end for sentence in sentences]
        self._runs = layout_runs(source)
        self._leads_of_runs: dict[Run, Span | None] = {}
        headings = [(section.start, section.body_start) for section in sections[1:]]
        self._flags = {
            "heading": self._counted(headings),
            "table": self._counted([(run.start, run.end) for run in self._runs if run.kind == "table"]),
            "list": self._counted([(run.start, run.end) for run in self._runs if run.kind == "list"]),
        }

    def body_kind(self, start: int, end: int) -> BodyKind:
        """What the body of a stretch is: all of it in tables, all of it in lists, nothing but headings, or else content.

        Args:
            start: first code point.
            end: one past the last.
        """
        first, after = bisect_right(self._ends, start), bisect_left(self._starts, end)
        count = {name: marks[after] - marks[first] for name, marks in self._flags.items()}
        body = after - first - count["heading"]
        if body == 0:
            return "heading"
        if body <= count["table"]:
            return "table"
        return "list" if body <= count["list"] else "content"

    def leads(self, start: int) -> list[Span]:
        """The sentences that introduce the lists in which something begins, and end before it, the outermost first.

        "The Supplier shall:" for what begins at, or in, "(b) deliver the Goods". Sections with a heading are no list. The
        first row of a table is the lead of the others, if it has cells.

        Args:
            start: first code point.
        """
        found: list[Span] = []
        index = section_around(self._sections, self._section_starts, start, start + 1)
        while index > 0 and not self._sections[index].heading:
            parent = self._sections[index].parent
            # Sections are in document order: the first child comes right behind its parent.
            lead = self._lead_before(self._sections[parent + 1].start, self._sections[parent].start)
            if lead is not None:
                found.insert(0, lead)
            index = parent
        position = bisect_right(self._runs, start, key=lambda run: run.start) - 1
        if position >= 0 and start < self._runs[position].end:
            run = self._runs[position]
            if run not in self._leads_of_runs:  # once: the first row of a table may be most of the text
                self._leads_of_runs[run] = self._lead_of(run)
            lead = self._leads_of_runs[run]
            if lead is not None and lead.end <= start and lead not in found:
                found.append(lead)
        return found

    def _lead_of(self, run: Run) -> Span | None:
        if run.kind == "list":
            return self._lead_before(run.start, 0)
        head = self._sentences[min(bisect_left(self._starts, run.start), len(self._starts) - 1)]
        return head if self._text.find(_CELLS, head.start, head.end) >= 0 else None

    def _lead_before(self, at: int, least: int) -> Span | None:
        """The sentence before ``at`` if it introduces what follows and does not begin before ``least``."""
        index = bisect_left(self._starts, at) - 1
        if index < 0:
            return None
        sentence = self._sentences[index]
        leads = sentence.start >= least and sentence.end <= at and self._text[sentence.end - 1] in LEADS_ON
        return sentence if leads else None

    def _counted(self, stretches: Sequence[tuple[int, int]]) -> list[int]:
        """How many of the sentences before each lie in one of the stretches."""
        inside = [0] * len(self._sentences)
        for start, end in stretches:
            index = bisect_left(self._starts, start)
            while index < len(inside) and self._ends[index] <= end:
                inside[index] = 1
                index += 1
        return [0, *accumulate(inside)]
