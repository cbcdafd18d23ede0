"""Other names of a document, by which it says itself that it is known: "This part, known as Regulation B, is issued by the Bureau".

A law cites itself by a short title, a regulation by a letter, a policy kept as text by the first line of its head ("name: …"). Who
refers to it goes by that name, and so do the sentences of the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.documents.profile.guess import Guess
from coditect.language.patterns.beginnings import quick
from coditect.language.patterns.deferred import deferred
from coditect.language.tables import read_table
from coditect.language.terms import terms

__all__ = ["guess_other_names"]

_PROFILES = read_table("profiles")
_ROLES = ("law", "rule", "guidance", "standard", "policy", "procedure", "contract")
_NOUNS = "|".join(_PROFILES.pattern(role) for role in _ROLES)
_HINT = quick(r"\b(?:known|cited|referred|called)\b")
_NAMED = deferred(
    rf"\b(?:[Tt]h(?:is|ese)|[Tt]he)\s+(?P<noun>(?:[\w’'&-]+\s+){{0,4}}?(?i:{_NOUNS}|part|parts))(?P<own>\s+in\s+this\s+part)?,?\s+"
    r"(?:(?:which|that)\s+)?(?:(?:is|are|may\s+be|shall\s+be|will\s+be|can\s+be)\s+)?(?:(?:also|commonly|hereinafter|hereafter|generally|collectively)\s+)?"
    r"(?:known(?:\s+and\s+cited)?|cited(?:\s+and\s+referred\s+to)?|referred\s+to|called)\s+(?:(?:herein|hereinafter|collectively)\s+)?(?:as\s+)?(?:the\s+)?"
    r"(?P<mark>[\"“])?(?:the\s+)?(?P<name>[A-Z][\w&.’'-]*(?:\s+(?:(?:of|and|the|on|for|to|in)\s+){0,2}[A-Z0-9(][\w&.()’'-]*){0,9})",
)
_ENTRY = re.compile(
    r"(?:name|title)[ \t]*:[ \t]*[\"']?(?P<name>[A-Z][^\n:\"']{2,80}?)[\"']?(?:[ \t]*$|\s+[a-zA-Z_]+[ \t]*:)",
    re.MULTILINE,
)
_KINDS = frozenset(
    terms(" ".join((*read_table("documents").words("kinds"), *read_table("documents").words("documents"))))
)
_OF_WHAT = re.compile(r"\bof\b|['’]s\b")
_FEWEST = 3
"""Letters of a name of one word."""


def guess_other_names(head: str) -> tuple[Guess, ...]:
    """The names by which a document says that it is known, each once, in order.

    Args:
        head: the beginning of its text.
    """
    found: dict[str, Guess] = {}
    start = len(head) - len(head.lstrip("-\r\n\t "))
    if (entry := _ENTRY.match(head, start)) is not None and _is_name(entry["name"]):
        found[entry["name"]] = Guess(entry["name"], "text", entry["name"], entry.start("name"), entry.end("name"))
    for line, at in _lines(head):
        if _HINT.search(line) is None:
            continue
        for match in _NAMED.finditer(line):
            name = " ".join(match["name"].rstrip(".’'(").split())
            if _is_of_itself(match) and _is_name(name):
                start, end = at + match.start("name"), at + match.start("name") + len(match["name"].rstrip(".’'("))
                found.setdefault(name, Guess(name, "text", head[start:end], start, end))
    return tuple(found.values())


def _lines(head: str) -> Iterator[tuple[str, int]]:
    """The lines of a text with their places; a name that is wrapped over two lines is read as far as its first."""
    at = 0
    for line in head.splitlines(keepends=True):
        yield line, at
        at += len(line)


def _is_of_itself(match: re.Match[str]) -> bool:
    """Whether it is the document that is called so: "this part", "these rules", "the regulation in this part".

    "This policy's procedure" and "this section of the policy" are parts of it.
    """
    if _OF_WHAT.search(match["noun"]):
        return False
    return match[0][:4].casefold() in ("this", "thes") or match["own"] is not None


def _is_name(name: str) -> bool:
    """Whether a name says which document is meant: "Regulation B" does, "Agreement" does not."""
    if frozenset(terms(name)) <= _KINDS:
        return False
    return len(name) >= _FEWEST and (" " in name or name.isupper())
