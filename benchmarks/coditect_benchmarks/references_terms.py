"""Definitions of regulations, by form and place, against their ``<def>`` markup.

How terms count. Of the answers: each ``<def>`` is a term at a place, its text without case and punctuation; it is found where a
definition with that term or alias lies over the ``<def>``'s own paragraph. Where that paragraph is no more than a title
("(c) Adverse action"), the paragraphs right below it count as its own ("(1) The term means"). Of ours: each definition is right
where the markup has a ``<def>`` with one of its names in one of the paragraphs that it covers. Strictly: what the markup lacks is
wrong, whatever a reader would say; files without any ``<def>`` count, too.

The markup is far from whole: it never marks abbreviations ("electronic fund transfer (EFT)") nor the commentary, and passes over
lists of definitions (all but one of 1081.103). So the figures stand apart by form (what the extractor says of each definition) and
by place (sections, appendices, commentary); **terms that a regulation defines** are those of form meaning or reference outside the
commentary. The same is given for where the markup does work, in lists with at least three ``<def>``.

What the markup lacks was read by hand, too, by one reader, who wrote the rules: ``references_read.json`` has, for each definition
of form meaning or reference outside the commentary that the markup lacks, the part, the offsets, and whether its words define
something there. It holds no text. A definition that is not in it counts as wrong, so a rule that changes cannot gain by it.
"""

from __future__ import annotations

import json
import random
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coditect.documents.source import Block, SourceText
from coditect.language.definitions.marks import FORMS
from coditect.schemas import DefinitionData, Extraction

__all__ = ["DEFINING", "Marked", "Ours", "Terms", "drawn", "squeezed"]

DEFINING = ("meaning", "reference")
"""Forms that define a term."""
PLACES = ("section", "appendix", "commentary")
READ = Path(__file__).with_name("references_read.json")
_LIST = 3
"""Marked terms directly below one label that make it a list of definitions."""
_WHITE = re.compile(r"\s+")
_APPENDIX = re.compile(r"\d+-[A-Z]")


@dataclass(frozen=True, slots=True)
class Marked:
    """A ``<def>`` or ``<ref>``: where its text stands in the canonical text, what it says, and for a reference its target."""

    start: int
    end: int
    words: str
    kind: str
    target: str
    block: Block


@dataclass(frozen=True, slots=True)
class Ours:
    """A definition of ours.

    Attributes:
        form: how it defines, as the extractor says.
        place: "section", "appendix" or "commentary".
        is_marked: whether the markup has it.
        is_read: whether a reader takes it for a definition; where the markup has it, always.
        in_list: whether it stands in a list that is marked.
        line: what to print of it.
        key: file and offsets.
    """

    form: str
    place: str
    is_marked: bool
    is_read: bool
    in_list: bool
    line: str
    key: tuple[str, int, int]


def squeezed(text: str) -> str:
    """Letters and digits alone, without case."""
    return "".join(c for c in text.casefold() if c.isalnum())


def drawn(lines: Sequence[str], most: int) -> list[str]:
    """As many of them as asked for, always the same ones."""
    return random.Random(0).sample(lines, min(most, len(lines)))  # noqa: S311 - a sample to read, no secret


def share(right: int, of: int) -> str:
    """A ratio with its counts."""
    return f"{right:4}/{of:4} {right / of if of else 1.0:6.1%}"


def _place(block: Block) -> str:
    if "Interp" in block.label:
        return "commentary"
    return "appendix" if _APPENDIX.match(block.label) else "section"


def _list_of(label: str) -> str:
    """The label above a paragraph's."""
    return label.rpartition("-")[0]


def _term(words: str) -> str:
    """A term without case, punctuation, white space and leading article."""
    return squeezed(re.sub(r"^(?:an?|the)\s+", "", words, flags=re.IGNORECASE))


def read_by_hand() -> dict[tuple[str, int, int], bool]:
    """What a reader said of definitions that the markup lacks, by file and offsets."""
    if not READ.exists():
        return {}
    return {(name, start, end): said for name, start, end, said in json.loads(READ.read_text(encoding="utf-8"))}


@dataclass(slots=True)
class Terms:
    """Definitions of one file or of all: ours, and which of the markup's were found by which forms."""

    ours: list[Ours] = field(default_factory=list)
    marked: int = 0
    found_by: list[frozenset[str]] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def add(self, other: Terms) -> None:
        """Add another file's."""
        self.ours += other.ours
        self.marked += other.marked
        self.found_by += other.found_by
        self.missed += other.missed

    def recall(self, forms: Sequence[str] = FORMS) -> tuple[int, int]:
        """Of the markup's terms: how many are found by one of these forms, and how many there are."""
        return sum(not each.isdisjoint(forms) for each in self.found_by), self.marked

    def precision(self, forms: Sequence[str] = FORMS, places: Sequence[str] = PLACES) -> tuple[int, int]:
        """Of our definitions of these forms and places: how many the markup has, and how many there are."""
        these = [each for each in self.ours if each.form in forms and each.place in places]
        return sum(each.is_marked for each in these), len(these)

    def measure(self, name: str, source: SourceText, marked: Sequence[Marked], records: Sequence[Extraction]) -> None:
        """Compare a file's definitions with its markup.

        Args:
            name: of the file, for what is printed.
            source: the file.
            marked: what its markup holds.
            records: its Tier 1.
        """
        gold = [mark for mark in marked if mark.kind == "def"]
        starts = [block.start for block in source.blocks]
        counts = Counter(_list_of(mark.block.label) for mark in gold)
        lists = {label for label, count in counts.items() if count >= _LIST}
        hand = read_by_hand()
        said: dict[tuple[int, str], set[str]] = {}
        for record in records:
            data = record.tier1_data
            if not isinstance(data, DefinitionData):
                continue
            first = bisect_right(starts, record.char_offset_start) - 1
            covered = [b for b in source.blocks[max(first, 0) :] if b.start < record.char_offset_end]
            beside = [mark for mark in gold if any(_stands_over(source.text, mark.block, block) for block in covered)]
            names = {_term(each) for each in (data.term or "", *(data.aliases or ()))}
            form = str(data.form)
            for mark in beside:
                for each in names:
                    said.setdefault((mark.block.start, each), set()).add(form)
            is_marked = any(_term(mark.words) in names for mark in beside)
            key = (name, record.char_offset_start, record.char_offset_end)
            line = f"{name} {data.term!r}: {_WHITE.sub(' ', record.source_text)[:170]}"
            in_list = any(_list_of(block.label) in lists for block in covered)
            place = _place(covered[0])
            self.ours.append(Ours(form, place, is_marked, is_marked or hand.get(key, False), in_list, line, key))
        self.marked += len(gold)
        for mark in gold:
            forms = frozenset(said.get((mark.block.start, _term(mark.words)), ()))
            self.found_by.append(forms)
            if not forms:
                around = source.text[mark.block.start : mark.block.end]
                self.missed.append(f"{name} {mark.words!r}: {_WHITE.sub(' ', around)[:170]}")

    def report(self, wrong: int, sample: int) -> None:
        """Print the tables, the terms that were missed, and a sample of what the markup lacks."""
        print(
            f"\n{'form':13}" + "".join(f"{place + ', right':>22}" for place in PLACES) + f"{'marked terms found':>22}"
        )
        for form in FORMS:
            cells = [share(*self.precision((form,), (place,))) for place in PLACES]
            print(f"{form:13}" + "".join(f"{cell:>22}" for cell in [*cells, share(*self.recall((form,)))]))
        regulation = PLACES[:2]
        these = [each for each in self.ours if each.form in DEFINING and each.place in regulation]
        read = share(sum(each.is_read for each in these), len(these))
        listed = share(sum(each.is_marked for each in these if each.in_list), sum(each.in_list for each in these))
        print("\nterms that a regulation defines (meaning and reference, outside the commentary):")
        print(f"  marked terms found     {share(*self.recall(DEFINING))}")
        print(f"  ours right, strictly   {share(*self.precision(DEFINING, regulation))}")
        print(f"  ours right, in lists   {listed}   (lists that are marked)")
        print(f"  ours right, as read    {read}   (the markup's, and those that a reader takes for definitions)")
        print(f"\nterms missed: {len(self.missed)}")
        print("\n".join(f"  {line}" for line in self.missed[:wrong]))
        extra = [f"{each.place}, {each.form}: {each.line}" for each in self.ours if not each.is_marked]
        some = drawn(extra, sample)
        print(f"\nour terms that the markup lacks: {len(extra)}, {len(some)} of them drawn")
        print("\n".join(f"  {line}" for line in sorted(some)))


def _stands_over(text: str, marked: Block, covered: Block) -> bool:
    """Whether a marked paragraph is this one, or no more than the title above it."""
    if marked == covered:
        return True
    is_title = not text[marked.start : marked.end].rstrip().endswith((".", ";", ":", ","))
    return is_title and bool(marked.label) and _list_of(covered.label) == marked.label
