"""Where a sentence stands, as a person cites it: the whole path of printed numbers, "4.5.1(1)(a)(ii)"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from coditect.documents.structure.lists import NOWHERE, Lists
from coditect.documents.structure.markers import CHAIN
from coditect.documents.structure.outline import OutlineSection, section_around
from coditect.documents.structure.rows import is_row, row_number
from coditect.language.marks import SpanLike
from coditect.language.tables import read_table

__all__ = ["find_locators"]

_HEADINGS = read_table("headings")
# A number that needs nothing above it: "4.2", "§ 12", "Section 3", "CP-9(3)".
_WHOLE = re.compile(
    rf"(?<!\()(?<!\(\d)\d+[A-Z]?\.\d|§|[A-Z]{{2,5}}-\d|(?:{_HEADINGS.pattern('citable')})\s+[\dA-Z]", re.IGNORECASE
)
# What numbers anew inside of it, so that its name belongs to the citation: "Appendix A to Part 7", "APP1", "Schedule".
_PLAIN_SECTION = re.compile(r"(?:Section|Sec\.|SECTION|SEC\.)\s+(?:\d{1,3}[A-Z]?|[IVXLC]{1,7})")
_PART = re.compile(r"(?:article|chapter|part|title)\s+\w", re.IGNORECASE)
"""A section whose number has one part, and what holds sections that are counted anew."""
_ANEW = re.compile(rf"(?:(?:{_HEADINGS.pattern('number_anew')})\b|app(?=[ .]{{0,3}}\d))[^:.;–—]{{0,40}}", re.IGNORECASE)
_TITLE_OF_PART = re.compile(r"(?<=\w)-(?=[A-Z][a-z]).*", re.DOTALL)
_CODED = re.compile(
    r"(?:(?:[A-Z]{1,5}[.-]){1,3}\d+(?:[.-][A-Za-z\d]{1,3})*(?:\(\d+\))*|(?:Paragraph\s+|Section\s+)?\d+[A-Z]?(?:\.\d+)*(?:\([a-z\d]{1,4}\))+|(?:Section|Paragraph)\s+\d+[\w.()]*)(?=[\s—–]|\Z)"
)
# A heading whose name goes with a number: "Safeguard 4.4 Firewalls", "Q3: Who reports?", "Control: ab-1507".
_NUMBERED = re.compile(
    r"(?P<name>(?:[A-Z][A-Za-z]*\s){1,3}|[A-Z][A-Za-z]+:\s|[A-Z](?=\d))(?P<number>(?:[A-Za-z]{1,5}-\d{1,4}|\d{1,3})(?:\.\d{1,3}){0,3}[a-z]?)"
    r"(?=[\s:.)–—-]|\Z)"
)
_LEAST_IN_SERIES = 3
_MONTHS = frozenset(names[0].capitalize() for names in read_table("time").groups("months"))
_ENCLOSED = re.compile(r"\((?:(?P<number>\d{1,3})|[a-hj-uwyz])\)")
_ENCLOSED_LETTER = re.compile(r"\([a-z]{1,4}\)")
_JOINT = re.compile(r"(?<=\w)\.?[—–-]{1,2}\s?\(")  # "3.—(1)" is cited as 3(1)
_BRACKET_BEHIND = re.compile(r"\.?\s?\(")
_BULLET = re.compile(r"[\s•·▪●*–-]*\Z")
_NUMBER = re.compile(r"(\d{1,3})\.?")
# What has its paragraphs cited in parentheses: "2." below "Article 17" is Article 17(2).
_ARTICLE = re.compile(r"article\s+\d{1,3}[a-z]{0,2}", re.IGNORECASE)
_PARAGRAPH = re.compile(r"([1-9]\d{0,2}[a-z]?)\.?")
_COUNTED = re.compile(r"(?P<number>\d{1,3})(?P<letters>[A-Z]{0,2})")
_LEAST_THROUGH = 5
_MOST = 120


def find_locators(
    text: str, sections: Sequence[OutlineSection], sentences: Sequence[SpanLike], lists: Lists
) -> list[str]:
    """The locator of each sentence, in order; "" where nothing is numbered.

    An item of a list stands in the place of its lead-in with its own label behind; an unnumbered sentence in that of the numbered
    one before it, as long as the section does not change. Time is linear in the text.

    Args:
        text: the text as it is read.
        sections: its outline, the root first.
        sentences: its sentences, in order.
        lists: its lists.
    """
    starts = [section.start for section in sections]
    paths: list[tuple[str, ...]] = []
    labelled: set[int] = set()  # the sentences that begin with a number
    before, row_end = -1, -1
    outline = _Cited(sections)
    for index, sentence in enumerate(sentences):
        place = lists.places[index]
        section = section_around(sections, starts, sentence.start, sentence.start + 1)
        if sentence.start < row_end:
            paths.append(paths[-1])
            continue
        if is_row(text, sentence.start):
            row_end = text.find("\n", sentence.start) % (len(text) + 1)
            number = row_number(text, sentence.start)
            paths.append(outline.printed(number, section) if number else outline.path(section))
            before = -1
            continue
        printed = " ".join(text[sentence.start : place.own].split()).strip("* \u200e")
        printed = "" if _BULLET.match(printed) else _JOINT.sub("(", printed)
        if place.item_of != NOWHERE:
            lead = lists.lists[place.item_of].lead
            path = _of_label(paths[lead] if lead in labelled else _above(paths[lead], printed), printed)
        elif place.within != NOWHERE:
            path = _of_item(paths, lists, place.within, index)
        elif place.tail_of != NOWHERE:
            path = paths[lists.lists[place.tail_of].lead]
        elif printed:
            path = outline.printed(printed, section)
        elif section == before and paths:
            path = _after(paths, lists, index)
        else:
            path = outline.path(section)
        paths.append(path)
        before = section
        if printed:
            labelled.add(index)
    return [_joined(path) for path in paths]


def _of_label(above: tuple[str, ...], printed: str) -> tuple[str, ...]:
    """The path of an item below that of its lead-in, of which a label with its whole path repeats some: "3.1.c", "3.1.c.01"."""
    if not printed:
        return above
    for depth, part in enumerate(above):
        own = part.rstrip(".:)")
        if (
            (len(own) > 1 or _BRACKET_BEHIND.match(printed, len(own)))
            and own[:1] not in ("", "(")
            and printed.startswith(own)
            and (not printed[len(own) : len(own) + 1].isalnum() or _is_chained(own, printed))
            and printed != own
        ):
            return (*above[:depth], printed)
    return (*above, printed)


def _is_chained(own: str, printed: str) -> bool:
    """Whether a label goes on from another with a number behind its letter, or the other way round: "2a1)" from "2a"."""
    goes_on = printed[len(own) : len(own) + 1]
    return CHAIN.match(f"{printed} A") is not None and own[-1].isalpha() != goes_on.isalpha() and own[0].isdigit()


def _above(path: tuple[str, ...], printed: str) -> tuple[str, ...]:
    """The path of an unnumbered lead-in, without the items of another list of the style of its own: "(c)" above "(a)"."""
    style = _style(printed)
    while style and path and _style(path[-1]) == style:
        path = path[:-1]
    return path


def _style(printed: str) -> str:
    """How a letter or number is enclosed: "(a)" for all such letters; "" for what may be a numeral, too."""
    found = _ENCLOSED.fullmatch(printed)
    return "" if found is None else "(1)" if found["number"] else "(a)"


def _of_item(paths: Sequence[tuple[str, ...]], lists: Lists, number: int, index: int) -> tuple[str, ...]:
    """The path of the item inside which a sentence stands."""
    items = [item for item in lists.lists[number].items if item < index]
    return paths[items[-1]] if items else paths[lists.lists[number].lead]


def _after(paths: Sequence[tuple[str, ...]], lists: Lists, index: int) -> tuple[str, ...]:
    """The path of an unnumbered sentence behind another one; behind a list it is that of the list's lead-in."""
    place = lists.places[index - 1]
    if place.item_of == NOWHERE:
        return paths[index - 1]
    number = place.item_of
    while lists.lists[number].parent != NOWHERE:
        number = lists.lists[number].parent
    return paths[lists.lists[number].lead]


class _Cited:
    """By what the sections of a document are cited."""

    def __init__(self, sections: Sequence[OutlineSection]) -> None:
        self._sections = sections
        self._series = _series(sections)
        self._through = _through(sections)
        self._again = _counted_again(sections)

    def printed(self, printed: str, section: int) -> tuple[str, ...]:
        """The path of a sentence that begins with a number."""
        sections = self._sections
        if _ANEW.match(printed):
            return (printed,)
        if _WHOLE.search(printed) and printed.strip(".: ") not in self._again:
            anew = self._anew(section)
            return (printed,) if anew and printed.startswith(anew[0]) else (*anew, printed)
        own = sections[section]
        if own.label and printed.startswith(f"{own.label} ("):
            # "3 (1) The keeper": the number's section, and the first inside
            return (*self.path(own.parent), printed) if own.parent > 0 else (printed,)
        above = (
            own.parent
            if own.label and own.label.strip(".()") == printed.strip(".()")
            else self._beside(printed, section)
        )
        return _of_label(self.path(above), printed) if above > 0 else (printed,)

    def _beside(self, printed: str, section: int) -> int:
        """What holds a number that opened no section: what holds the one of its form that it comes behind, else the section."""
        number = _NUMBER.fullmatch(printed)
        at = section
        while number is not None and at > 0:
            own = self._sections[at]
            before = _NUMBER.fullmatch(own.label)
            if before is not None and int(number[1]) > int(before[1]) + 1:
                return own.parent
            if _ENCLOSED_LETTER.fullmatch(own.label) and own.parent == 0 and int(number[1]) > 1:
                return own.parent  # "9." behind an item "(b)" of the "8." that opened no section
            if _WHOLE.match(own.label):
                break
            at = own.parent
        return section

    def path(self, section: int) -> tuple[str, ...]:
        """The labels of a section and of those above it, up to the first that needs nothing above."""
        sections = self._sections
        path: list[str] = []
        at = section
        while at > 0:
            label = self._label(sections[at])
            if label and not (path and path[0].startswith(f"{label}(")):  # "Interp (a)" above "Interp (a)(1)"
                path.insert(0, label)
                is_whole = _WHOLE.match(label) and label.strip(".: ") not in self._again
                if at in self._through or is_whole or _ANEW.match(label):
                    break
            elif _ANEW.match(sections[at].heading):
                return (*self._anew(at), *path)
            at = sections[at].parent
        return (*self._anew(sections[at].parent if at > 0 else 0), *path)

    def _label(self, section: OutlineSection) -> str:
        """What a section is cited by: its label, or the code or the number of a series that its heading begins with."""
        if section.label:
            return section.label
        coded = _CODED.match(section.heading)
        if coded is not None:
            return coded[0]
        numbered = _NUMBERED.match(section.heading)
        return _of_series(numbered) if numbered is not None and numbered["name"].strip() in self._series else ""

    def _anew(self, at: int) -> tuple[str, ...]:
        """The name of the appendix or schedule around, if there is one."""
        while at > 0:
            label = self._sections[at].label
            named = _ANEW.match(f"{label} {self._sections[at].heading}".strip())
            if named:
                is_whole = _ANEW.match(label) and not self._sections[at].heading.startswith("to ")
                return (label if is_whole else _name_of_part(named),)
            at = self._sections[at].parent
        return ()


def _name_of_part(named: re.Match[str]) -> str:
    """The name of an appendix or schedule without its title: "Appendix A to Part 7-Form and ..."."""
    name = _TITLE_OF_PART.sub("", named[0])
    is_cut = name == named[0] and len(name.split()) > 1 and named.string[named.end() : named.end() + 1].isalnum()
    return (name.rsplit(None, 1)[0] if is_cut else name).strip()


def _series(sections: Sequence[OutlineSection]) -> frozenset[str]:
    """The names that stand before the numbers of several headings, all with numbers of their own: "Safeguard 4.4", "Question 3"."""
    numbers: dict[str, list[str]] = {}
    for section in sections:
        if not section.label and (found := _NUMBERED.match(section.heading)) is not None:
            numbers.setdefault(found["name"].strip(), []).append(found["number"])
    return frozenset(
        name
        for name, found in numbers.items()
        if len(set(found)) >= max(_LEAST_IN_SERIES, len(found) * 0.9) and name not in _MONTHS
    )


def _through(sections: Sequence[OutlineSection]) -> frozenset[int]:
    """The sections that are counted through a whole act, whatever its parts are, so that their number alone cites them."""
    found = [
        (at, parts) for at, each in enumerate(sections) if each.heading and (parts := _COUNTED.fullmatch(each.label))
    ]
    numbers = [(int(parts["number"]), parts["letters"]) for _, parts in found]
    parents = {sections[at].parent for at, _ in found}
    is_counted = len(found) >= _LEAST_THROUGH and len(parents) > 1
    is_counted = is_counted and all(first < second for first, second in pairwise(numbers))
    return frozenset(at for at, _ in found) if is_counted else frozenset()


def _counted_again(sections: Sequence[OutlineSection]) -> frozenset[str]:
    """The labels of sections that are counted anew in each part of a paper, so that their number alone cites none of them.

    By-laws and ordinances have "Section 1" in each article or chapter; sections of an appendix are cited with its name anyway.
    """
    above: dict[str, set[str]] = {}
    for each in sections:
        label = each.label.strip(".: ")
        parent = sections[each.parent] if each.parent > 0 else None
        if parent is not None and _PLAIN_SECTION.fullmatch(label) and _PART.match(parent.label):
            above.setdefault(label, set()).add(parent.section_id)
    return frozenset(label for label, parents in above.items() if len(parents) > 1)


def _of_series(numbered: re.Match[str]) -> str:
    """A heading's name with its number; behind a colon the number alone: "Control: ab-12"."""
    name = numbered["name"].strip()
    return numbered["number"] if name.endswith(":") else f"{numbered['name']}{numbered['number']}"


def _joined(path: Sequence[str]) -> str:
    """A path as it is printed: brackets close up, other parts stand apart; paragraphs of an article stand in brackets."""
    out, before = "", ""
    for part in path:
        paragraph = _PARAGRAPH.fullmatch(part) if _ARTICLE.fullmatch(before) else None
        shown = f"({paragraph[1]})" if paragraph else part
        out += shown if shown.startswith("(") and out else f" {shown}" if out else shown
        before = part
    return out[:_MOST].rstrip(".: ")
