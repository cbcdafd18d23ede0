"""Other ways to number the same provisions: as contracts, rulebooks and policies do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from coditect_benchmarks.places.provisions import Document, Provision

__all__ = ["NUMBERINGS", "renumbered"]

NUMBERINGS: dict[str, tuple[str, ...]] = {
    "decimal": ("*1.", "*1.1", "*1.1.1", "(a)", "(i)", "(A)"),
    "decimal and letters": ("*1.", "*1.1", "(a)", "(i)", "(A)", "(1)"),
    "outline": ("*I.", "A.", "1.", "a.", "(1)", "(a)"),
    "articles": ("*Article I", "*Section 1.01", "(a)", "(i)", "(A)", "(1)"),
    "letters": ("*1.", "(a)", "(i)", "(A)", "(1)", "(I)"),
    "brackets": ("*1)", "a)", "i)", "(1)", "(a)", "(i)"),
    "rulebook": ("*1", "*1.1", "*1.1.1", "(1)", "(a)", "(i)"),
    "policy": ("*1.0", "*1.1", "*1.1.1", "*1.1.1.1", "a.", "i."),
    "sections": ("*Section 1.", "*1.1", "*1.1.1", "a.", "i.", "(1)"),
    "signs": ("*§ 1", "(1)", "1.", "a)", "aa)", "(i)"),
    "lettered": ("*A.", "1.", "a.", "i.", "(1)", "(a)"),
    "clauses": ("*1", "*1.1", "(a)", "(i)", "(A)", "(I)"),
}
"""How each depth is numbered; a star before what needs nothing above it."""

_ROMAN = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


def renumbered(document: Document, numbering: str) -> Document:
    """A document with its provisions numbered otherwise; divisions that are not cited keep their headings alone."""
    return replace(document, parts=_inside(document.parts, NUMBERINGS[numbering], (), [0]))


def _inside(
    parts: Sequence[Provision], forms: tuple[str, ...], above: tuple[int, ...], count: list[int]
) -> tuple[Provision, ...]:
    found = []
    for each in parts:
        if not each.is_cited and not above and (each.parts or each.heading):
            found.append(replace(each, label="", parts=_inside(each.parts, forms, above, count)))
        elif not each.label and not each.parts:
            found.append(each)  # a paragraph without a number
        else:
            count[0] += 1
            path = (*above, count[0])
            form = forms[min(len(above), len(forms) - 1)]
            inner = _inside(each.parts, forms, path, [0])
            is_whole = form.startswith("*")
            label = _printed(form.lstrip("*"), path)
            found.append(replace(each, label=label, parts=inner, is_whole=is_whole, is_cited=True))
    return tuple(found)


def _printed(form: str, path: tuple[int, ...]) -> str:
    if form == "Section 1.01":
        return f"Section {path[0]}.{path[1]:02}"
    if (dotted := re.fullmatch(r"1(?:\.1)+", form)) is not None:
        return ".".join(str(each) for each in path[-(dotted[0].count(".") + 1) :])
    return re.sub(r"\b(?:1|aa|[aAiI])(?=\b)", lambda found: _digit(found[0], path[-1]), form, count=1)


def _digit(kind: str, number: int) -> str:
    if kind == "1":
        return str(number)
    if kind in "iI":
        return _roman(number).upper() if kind == "I" else _roman(number)
    if kind == "aa":
        return 2 * _letter(number)
    return _letter(number).upper() if kind == "A" else _letter(number)


def _letter(number: int) -> str:
    row, place = divmod(number - 1, 26)
    return chr(97 + place) * (row + 1)


def _roman(number: int) -> str:
    out = ""
    for value, sign in _ROMAN:
        while number >= value:
            out += sign
            number -= value
    return out
