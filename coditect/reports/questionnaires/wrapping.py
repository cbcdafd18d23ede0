"""Formats of cells whose long texts are shown: those that a workbook has, with lines that are wrapped.

The formats that are there stay the bytes that they were; what is lacking is put behind them.
"""

from __future__ import annotations

import copy
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["Wrapping"]

_PART = "xl/styles.xml"
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


class Wrapping:
    """Formats with wrapped lines, by the formats that they are made of.

    Args:
        source: the workbook; one without formats keeps none.
    """

    def __init__(self, source: zipfile.ZipFile) -> None:
        from lxml import etree

        self._made: dict[str, str] = {}
        self._formats: _Element | None = None
        if _PART in source.namelist():
            self._root = etree.fromstring(source.read(_PART), etree.XMLParser(resolve_entities=False))
            self._formats = self._root.find(f"{_MAIN}cellXfs")

    def style(self, number: str) -> str:
        """The number of a format like another one, that wraps lines and begins at the top; the same where it wraps already.

        Args:
            number: of a format of the workbook.
        """
        if number not in self._made:
            self._made[number] = self._wrapped(number)
        return self._made[number]

    @property
    def parts(self) -> dict[str, bytes]:
        """The part of the workbook that holds the formats, where some were made."""
        from lxml import etree

        if all(number == made for number, made in self._made.items()):
            return {}
        return {_PART: etree.tostring(self._root, xml_declaration=True, encoding="UTF-8", standalone=True)}

    def _wrapped(self, number: str) -> str:
        formats = self._formats
        if formats is None or not number.isdecimal():
            return number
        there = formats.findall(f"{_MAIN}xf")  # comments may stand between them
        if int(number) >= len(there):
            return number
        made = copy.deepcopy(there[int(number)])
        alignment = made.find(f"{_MAIN}alignment")
        if alignment is None:
            alignment = made.makeelement(f"{_MAIN}alignment")
            made.insert(0, alignment)
        if alignment.get("wrapText") in ("1", "true"):
            return number
        alignment.set("wrapText", "1")
        alignment.set("vertical", alignment.get("vertical", "top"))
        made.set("applyAlignment", "1")
        formats.append(made)
        formats.set("count", str(len(there) + 1))
        return str(len(there))
