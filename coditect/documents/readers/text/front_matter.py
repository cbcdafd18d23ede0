"""Front matter of Markdown: the YAML or TOML between two fences at the top of a file.

What it tells of the document in the labels of document control ("owner", "effective_date", "next-review") is kept as lines of the
text, so that a profile can point at the words; everything else is for the program that prints the file, and left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from coditect.language.tables import read_table

__all__ = ["FrontMatter", "read_front_matter"]

_FENCES = {"---": ("---", "..."), "+++": ("+++",)}
_LINE = re.compile(r"(?P<key>[A-Za-z][\w -]{0,60}?)[ \t]*[:=](?:[ \t]+|$)(?P<value>.*)")
_ITEM = re.compile(r"[ \t]*-[ \t]+(?P<value>.+)")
_BELOW = re.compile(r"[ \t]+.*|#.*|")
"""What is of the key above it, a comment, or blank."""

_COMMENT = re.compile(r"(?:^|[ \t])#.*")
_JOINS = re.compile(r"[\s_-]+|(?<=[a-z])(?=[A-Z])")
_ENTRIES = ("next_review", "effective_from", "effective_to", "dated", "owner", "edition", "superseding", "approval")
_LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What stands in front of a document's text.

    Attributes:
        title: as it is given there, or "".
        lines: what it tells of the document, each "label: value", in its order.
        body: the text behind it.
    """

    title: str
    lines: tuple[str, ...]
    body: str


def read_front_matter(text: str) -> FrontMatter:
    """Part a text from its front matter; without one the text is the body.

    Args:
        text: canonical text of a file.
    """
    fence = text.partition("\n")[0].rstrip()
    lines = text.split("\n")
    end = next((n for n, line in enumerate(lines) if n and line.rstrip() in _FENCES.get(fence, ())), 0)
    told = _told(lines[1:end])
    if not told:  # with no key, or with a line that is none, these are thematic breaks around text
        return FrontMatter("", (), text)
    title = next((value for key, value in told if key.casefold() == "title"), "")
    kept = (
        f"{key}: {value}" for key, value in told if value and len(value) <= _LONGEST_VALUE and _labels().fullmatch(key)
    )
    return FrontMatter(title, tuple(kept), "\n".join(lines[end + 1 :]))


def _told(lines: list[str]) -> list[tuple[str, str]]:
    """Each key of the outermost level with its value, a list's items as one value; none where a line is neither."""
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if item := _ITEM.match(line):
            if found:
                found[-1][1].append(_bare(item["value"]))
            continue
        said = _LINE.fullmatch(line)
        key = " ".join(filter(None, _JOINS.split(said["key"]))) if said else ""
        if said and (not re.search(r"\s", said["key"]) or _labels().fullmatch(key)):
            found.append((key, [_bare(said["value"])]))
        elif not _BELOW.fullmatch(line):
            return []
    return [(key, ", ".join(filter(None, values))) for key, values in found]


def _bare(value: str) -> str:
    """A value without quotation marks, or without a comment behind it."""
    value = value.strip()
    for mark in "\"'":
        if value.startswith(mark) and (end := value.find(mark, 1)) > 0:
            return value[1:end].strip()
    return _COMMENT.sub("", value).strip(" []")


@cache
def _labels() -> re.Pattern[str]:
    table = read_table("profiles")
    return re.compile("|".join(table.pattern(each) for each in _ENTRIES), re.IGNORECASE)
