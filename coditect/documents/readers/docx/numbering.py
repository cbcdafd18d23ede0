"""The numbers that Word prints in front of list paragraphs and numbered headings.

Source: ECMA-376-1, 17.9 (numbering): a paragraph names a list (``numId``) and a level; the list's abstract definition
says how each level counts and prints, "%1.%2" being the numbers of levels 1 and 2.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docx.document import Document
    from lxml.etree import _Element

__all__ = ["Numbering"]

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PLACE = re.compile(r"%([1-9])")
_ROMAN = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
          (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))  # fmt: skip
_MAX_ROMAN = 4000


@dataclass(frozen=True, slots=True)
class _Level:
    """How one level of a list counts."""

    start: int
    style: str
    pattern: str


class Numbering:
    """Counts through one document; call :meth:`next` once for every paragraph, in order."""

    def __init__(self, document: Document) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._abstract: dict[str, str] = {}
        self._starts: dict[tuple[str, int], int] = {}
        self._counters: dict[str, dict[int, int]] = {}
        self._begun: set[tuple[str, int]] = set()
        part = next((r.target_part for r in document.part.rels.values() if r.reltype.endswith("/numbering")), None)
        root = getattr(part, "element", None)
        if root is None:
            return
        for abstract in root.iter(f"{_W}abstractNum"):
            self._levels[_attribute(abstract, "abstractNumId")] = {
                int(_attribute(level, "ilvl")): _level(level) for level in abstract.iter(f"{_W}lvl")
            }
        for num in root.iter(f"{_W}num"):
            number = _attribute(num, "numId")
            self._abstract[number] = _value(num, "abstractNumId")
            for override in num.iter(f"{_W}lvlOverride"):
                start = _value(override, "startOverride")
                if start:
                    self._starts[number, int(_attribute(override, "ilvl"))] = int(start)

    def next(self, paragraph: _Element, styles: list[_Element]) -> tuple[str, int]:
        """What is printed in front of a paragraph.

        Args:
            paragraph: a ``w:p`` element.
            styles: its style and those that it is based on, nearest first.

        Returns:
            the printed number ("" for bullets and unnumbered text), and the list depth, 1.. (0 if in no list).
        """
        number, level = "", -1
        for owner in (paragraph, *styles):
            properties = owner.find(f"{_W}pPr/{_W}numPr")
            if properties is not None:
                number = number or _value(properties, "numId")
                own = _value(properties, "ilvl")
                level = int(own) if level < 0 and own else level
        abstract = self._abstract.get(number)
        level = max(level, 0)
        if abstract is None or number == "0" or level not in self._levels.get(abstract, {}):
            return "", 0
        return self._count(abstract, number, level), level + 1

    def _count(self, abstract: str, number: str, level: int) -> str:
        levels = self._levels[abstract]
        counters = self._counters.setdefault(abstract, {})
        override = self._starts.get((number, level))
        if override is not None and (number, level) not in self._begun:
            counters[level] = override
        else:
            counters[level] = counters.get(level, levels[level].start - 1) + 1
        self._begun.add((number, level))
        for deeper in [n for n in counters if n > level]:
            del counters[deeper]
        if levels[level].style in ("bullet", "none"):
            return ""

        def printed(found: re.Match[str]) -> str:
            at = int(found.group(1)) - 1
            shown = levels.get(at, levels[level])
            return _numeral(counters.get(at, shown.start), shown.style)

        return _PLACE.sub(printed, levels[level].pattern).strip()


def _level(element: _Element) -> _Level:
    return _Level(
        int(_value(element, "start") or 1), _value(element, "numFmt") or "decimal", _value(element, "lvlText")
    )


def _attribute(element: _Element, name: str) -> str:
    return str(element.get(f"{_W}{name}", ""))


def _value(element: _Element, name: str) -> str:
    """The ``w:val`` of a child, or ""."""
    child = element.find(f"{_W}{name}")
    return "" if child is None else _attribute(child, "val")


def _numeral(number: int, style: str) -> str:
    """A number in Word's style; styles of other scripts are printed in digits."""
    if style in ("lowerLetter", "upperLetter") and number > 0:
        # Word counts a..z, aa..zz, aaa..zzz.
        letters = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 9)
        return letters if style == "lowerLetter" else letters.upper()
    if style in ("lowerRoman", "upperRoman") and 0 < number < _MAX_ROMAN:
        roman = ""
        for value, digits in _ROMAN:
            roman += digits * (number // value)
            number %= value
        return roman if style == "lowerRoman" else roman.upper()
    if style == "decimalZero":
        return f"{number:02d}"
    return str(number)
