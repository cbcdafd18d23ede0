"""Normative sentences of real documents with their neighbours, through the project's own reader and rules."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from coditect.documents.readers import read_source
from coditect.errors import CoditectError
from coditect.language.norms.binding import find_norms
from coditect.language.quantities.meaning import find_quantities
from coditect.tiers.extractions.document import read_document

__all__ = ["Place", "documents", "places"]

_BEFORE, _AFTER = 4, 5
_SHORTEST, _LONGEST = 60, 420
_LABEL = re.compile(
    r"^(?:(?:Section|ARTICLE|Article)\s+)?(?:\(?[A-Za-z0-9]{1,4}\)|\d+(?:\.\d+)*\.?|[A-Z]\.|[ivx]+\.)\s+(?=[A-Z“\"])"
)
_BAD = re.compile(
    r"_{2,}|-{3,}|^(?:Will|If any|And|Or)\b|\.{3,}|\[[*•\s]+\]|\*{2,}|\t|[●•|]"
    r"|\s\(?[a-z]\)\s.*\s\(?[b-z]\)\s|[:;]$|^.{0,400}\s\([ivx]{1,4}\)\s"
)
_SENTENCE = re.compile(r"[A-Z“\"].*[a-z\d)”\"]\.$")


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence where it stands.

    Attributes:
        document: the file's name.
        start: code point offset in its canonical text.
        text: the sentence, white space collapsed, its own label dropped.
        evidence: the sentence with up to 9 neighbours, in order.
    """

    document: str
    start: int
    text: str
    evidence: tuple[str, ...]


def documents(data: Path) -> list[Path]:
    """The contracts and regulations of a data folder, in order of their names."""
    return [*sorted((data / "contracts" / "docs").glob("*.txt")), *sorted((data / "cfpb").glob("*.xml"))]


def places(path: Path) -> list[Place]:
    """The normative sentences of a file that stand on their own; none where it cannot be read."""
    try:
        reading = read_document(read_source(path.read_bytes(), path.name))
    except CoditectError:
        return []
    text = reading.source.text
    spans = [(span.start, _plain(text[span.start : span.end])) for span in reading.sentences]
    spans = [(start, words) for start, words in spans if len(words) > 20 and any(c.islower() for c in words)]
    found = []
    for n, (start, words) in enumerate(spans):
        if not _is_good(words):
            continue
        around = spans[max(0, n - _BEFORE) : n + _AFTER + 1]
        found.append(Place(path.name, start, words, tuple(neighbour for _, neighbour in around)))
    return found


def _plain(text: str) -> str:
    return _LABEL.sub("", " ".join(text.split()))


def _is_good(words: str) -> bool:
    if not _SHORTEST <= len(words) <= _LONGEST or _BAD.search(words) or not _SENTENCE.fullmatch(words):
        return False
    capitals = sum(word.isupper() and len(word) > 3 for word in words.split())
    if capitals > 3 or words.count("(") != words.count(")"):
        return False
    return bool(find_norms(words, 0, len(words), find_quantities(words, 0, len(words))))
