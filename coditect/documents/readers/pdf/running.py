"""Running lines of a PDF: what stands at the top or the bottom of page after page, or numbers them."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Sequence
from itertools import pairwise

from coditect.documents.readers.pdf.printed import CELLS, NUMERIC, Line

__all__ = ["without_running_lines"]

_Place = tuple[int, int, str]
"""A line at an edge: its page, from 0, where it stands among the page's lines, and its text."""

_FIGURE = re.compile(r"\d\S*")
_DIGITS = re.compile(r"\d+")
_PAGE_OF = re.compile(r"(?P<rest>(?:.*?\W)?)page\s(?P<n>\d{1,3})\s?(?:of|/)\s?(?P<all>\d{1,3})\W*", re.IGNORECASE)
_RUNNING_DEPTH = 3  # lines at the top and at the bottom of a page that may be running lines
_RUNNING_SHARE = 0.6
_MIN_PAGES = 3
_LONGEST_NUMBER = 18


def without_running_lines(pages: Sequence[Sequence[Line]]) -> tuple[list[list[Line]], tuple[str, ...]]:
    """Pages without the lines that stand, but for the numbers of pages, at the top or bottom of most pages."""
    filled = sum(1 for page in pages if page)
    if filled < _MIN_PAGES:
        return _without_numbers(pages)
    alike: dict[str, list[_Place]] = {}
    for number, page in enumerate(pages):
        for n in sorted(_edges(page)):
            if not _is_figures(page[n].text):
                alike.setdefault(_key(page[n]), []).append((number, n, page[n].text))
    running = {key: found for key, places in alike.items() if (found := _running(places))}
    counts = {key: len({number for number, _ in found}) for key, found in running.items()}
    gone = {place for key, found in running.items() if counts[key] >= _RUNNING_SHARE * filled for place in found}
    bodies = [[line for n, line in enumerate(page) if (number, n) not in gone] for number, page in enumerate(pages)]
    if not any(bodies):  # a document of one repeated line: that line is its content
        return [list(page) for page in pages], ()
    return bodies, tuple(
        f"running line removed from {counts[key]} pages (# stands for digits): {key}"
        for key in sorted(counts)
        if counts[key] >= _RUNNING_SHARE * filled
    )


def _without_numbers(pages: Sequence[Sequence[Line]]) -> tuple[list[list[Line]], tuple[str, ...]]:
    """Pages too few to compare, without the lines at their edges that say which page they are of how many, if all say so.

    What else such a line says has to stand somewhere else, too: a version or a date is not lost with the number of its page.
    """
    told = {line.text.strip() for page in pages for line in page}
    numbered = {
        (number, n)
        for number, page in enumerate(pages, 1)
        for n in _edges(page)
        if (found := _PAGE_OF.fullmatch(page[n].text)) is not None
        and int(found["n"]) == number <= int(found["all"])
        and (not (rest := found["rest"].strip(" -–—|·•/,")) or rest in told)
    }
    if {number for number, _ in numbered} != {number for number, page in enumerate(pages, 1) if page}:
        return [list(page) for page in pages], ()
    bodies = [
        [each for n, each in enumerate(page) if (number, n) not in numbered] for number, page in enumerate(pages, 1)
    ]
    if not any(bodies):
        return [list(page) for page in pages], ()
    keys = sorted({_key(pages[number - 1][n]) for number, n in numbered})
    return bodies, tuple(f"running line removed from {len(pages)} pages (# stands for digits): {each}" for each in keys)


def _is_figures(text: str) -> bool:
    """Whether a line is a row of several figures and nothing else: no header looks so, however many pages begin with one."""
    tokens = text.replace(CELLS, " ").split()
    return len(_FIGURE.findall(text)) > 1 and all(NUMERIC.fullmatch(token) for token in tokens)


def _running(places: Sequence[_Place]) -> set[tuple[int, int]]:
    """The lines, of some that are alike but for their digits, whose numbers stay or count the pages from one page to another.

    Without a word beside them, one of them must count. What else differs in its digits only, as the rows of a table do, is text.
    """
    numbers = sorted({number for number, _, _ in places})
    by_page: dict[int, list[tuple[int, list[int]]]] = {number: [] for number in numbers}
    for number, n, text in places:
        by_page[number].append((n, [int(digits[-_LONGEST_NUMBER:]) for digits in _DIGITS.findall(text)]))
    worded = any(each.isalpha() for each in places[0][2])
    running: set[tuple[int, int]] = set()
    for number, following in pairwise(numbers):
        ahead = following - number
        for n, mine in by_page[number]:
            for other, theirs in by_page[following]:
                steps = {b - a for a, b in zip(mine, theirs, strict=True)}
                if steps <= {0, ahead} and (worded or ahead in steps):
                    running |= {(number, n), (following, other)}
    return running


def _edges(page: Sequence[Line]) -> frozenset[int]:
    """Indexes of the lines at the top and the bottom, by reading order and by position."""
    order = range(len(page))
    edge = {*order[:_RUNNING_DEPTH], *order[-_RUNNING_DEPTH:]}
    height: list[tuple[float, int]] = []
    for n, line in enumerate(page):
        if line.box is not None:
            insort(height, (line.box[1], n))
    edge.update(n for _, n in (*height[:2], *height[-2:]))
    return frozenset(edge)


def _key(line: Line) -> str:
    return _DIGITS.sub("#", line.text)
