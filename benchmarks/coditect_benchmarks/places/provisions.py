"""Provisions as a publisher's markup nests them, before they are printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

__all__ = ["Document", "Provision", "bare", "excerpts", "walk", "weight"]


@dataclass(frozen=True, slots=True)
class Provision:
    """A numbered provision, or a division that only groups some.

    Attributes:
        label: as printed, "(a)", "§ 12", "SEC. 4."; "" where there is none.
        heading: behind the label, or "".
        words: paragraphs before its parts.
        parts: what is inside of it.
        tail: paragraphs behind its parts that are its own again.
        is_cited: whether its label is of the place of what it holds; that of a chapter is not where sections are counted through.
        is_whole: whether its label needs nothing above it: "4.2", "Article 3".
        is_sure: whether the markup tells its place; what is not is printed, and not asked for.
    """

    label: str = ""
    heading: str = ""
    words: tuple[str, ...] = ()
    parts: tuple[Provision, ...] = ()
    tail: tuple[str, ...] = ()
    is_cited: bool = True
    is_whole: bool = False
    is_sure: bool = True


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a family: texts of one publisher in one form."""

    name: str
    family: str
    parts: tuple[Provision, ...]


def bare(words: str) -> str:
    """Words with single blanks, and none at their edges."""
    return " ".join(words.split())


def weight(provision: Provision) -> int:
    """Code points of what a provision says."""
    own = sum(map(len, (provision.heading, *provision.words, *provision.tail)))
    return own + sum(map(weight, provision.parts))


def walk(parts: tuple[Provision, ...], path: tuple[str, ...] = ()) -> Iterator[tuple[Provision, tuple[str, ...]]]:
    """Every provision with the numbers that cite it, outermost first."""
    for each in parts:
        own = _numbers(each.label) if each.is_cited else ()
        inside = own if each.is_whole else (*path, *own)
        yield each, inside
        yield from walk(each.parts, inside)


_NUMBER = re.compile(r"\w+")
_NAMES = frozenset(
    ("sec", "section", "article", "clause", "part", "chapter", "regulation", "rule", "para", "paragraph")
)


def _numbers(label: str) -> tuple[str, ...]:
    return tuple(word for word in _NUMBER.findall(label.lower()) if word not in _NAMES)


def excerpts(document: Document, most: int) -> Document:
    """A document without what goes beyond a number of code points; divisions are cut where their parts end."""
    return replace(document, parts=_cut(document.parts, most))


def _cut(parts: tuple[Provision, ...], most: int) -> tuple[Provision, ...]:
    kept: list[Provision] = []
    for each in parts:
        size = weight(each)
        if size <= most:
            kept.append(each)
            most -= size
        elif not each.is_cited and each.parts:
            kept.append(replace(each, parts=_cut(each.parts, most)))
            break
        else:
            break
    return tuple(kept)
