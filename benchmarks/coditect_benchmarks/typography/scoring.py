"""The texts of a set, and how far their locators and definitions are read as they were labelled.

A text begins with ``@@ class genre format``. Lines behind it that begin with ``@>`` have the numbers of a sentence, those that
may be left out in brackets, and its first words; lines that begin with ``@=`` have a term, other names of it behind bars, and
words of what it means. A text with lines of the second kind defines these terms and no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coditect.documents.readers import read_source
from coditect.documents.structure.locators import find_locators
from coditect.language.definitions.terms import without_article
from coditect.schemas import DocumentVersion
from coditect.tiers.extractions.document import document_lists, extraction_records, read_document

__all__ = ["SETS", "DefinedTerm", "Place", "PrintedText", "ReadPlace", "read_definitions", "read_places", "read_texts"]

SETS = ("develop", "held")
_FOLDER = Path(__file__).parent
_NOT_LABEL = re.compile(r"[^\w]+")
_OPTIONAL = re.compile(r"\[[^\]]*\]")
_DIVISION = re.compile(r"(?:article|art|section|sec|clause|chapter|part|division|title)", re.IGNORECASE)
_VERSION: dict[str, Any] = {"corpus_id": "typography", "document_id": "document", "version_id": "version"}


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence that stands once in its text, by some of its words, and the numbers by which it is cited.

    Attributes:
        numbers: those that a locator must have, in order.
        optional: those that it may have besides.
        words: the sentence's own first words.
    """

    numbers: tuple[str, ...]
    optional: frozenset[str]
    words: str


@dataclass(frozen=True, slots=True)
class DefinedTerm:
    """A term, its names, and words of what it means."""

    names: tuple[str, ...]
    meaning: str


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A text of a set.

    Attributes:
        kind: its class.
        genre: what kind of document it is taken from.
        ending: the ending of the file that it is read as.
        text: the text itself.
        places: sentences and where they stand.
        terms: the terms that it defines.
    """

    kind: str
    genre: str
    ending: str
    text: str
    places: tuple[Place, ...]
    terms: tuple[DefinedTerm, ...]


@dataclass(frozen=True, slots=True)
class ReadPlace:
    """A labelled sentence with the locator that was read; "" where it has none."""

    place: Place
    locator: str

    @property
    def is_right(self) -> bool:
        """Whether the locator has the sentence's numbers in order, and no others but those that it may have."""
        wanted = list(self.place.numbers)
        read = [each for each in _numbers(self.locator) if each in wanted or each not in self.place.optional]
        return read == wanted


def read_texts(name: str) -> list[PrintedText]:
    """The texts of a set, in the order of its file."""
    whole = (_FOLDER / f"{name}.txt").read_text("utf-8")
    return [_text(each) for each in re.split(r"(?m)^@@ ", whole) if each.strip()]


def _text(printed: str) -> PrintedText:
    head, _, rest = printed.partition("\n")
    kind, genre, ending = head.split()
    lines = rest.splitlines()
    labels = [line for line in lines if line.startswith(("@>", "@="))]
    text = "\n".join(line for line in lines if line not in labels).strip("\n") + "\n"
    places = tuple(_place(line[2:]) for line in labels if line.startswith("@>"))
    terms = tuple(_term(line[2:]) for line in labels if line.startswith("@="))
    return PrintedText(kind, genre, ending, text, places, terms)


def _place(line: str) -> Place:
    locator, words = (part.strip() for part in line.split(" :: "))
    optional = frozenset(number for each in _OPTIONAL.findall(locator) for number in _numbers(each))
    return Place(_numbers(_OPTIONAL.sub(" ", locator)), optional, words)


def _term(line: str) -> DefinedTerm:
    names, meaning = (part.strip() for part in line.split(" :: "))
    return DefinedTerm(tuple(_plain(name) for name in names.split("|")), meaning)


def _numbers(locator: str) -> tuple[str, ...]:
    """The numbers of a locator, without the words that say what they number: "Article I Section 2" has two."""
    return tuple(each for each in _NOT_LABEL.sub(" ", locator).lower().split() if not _DIVISION.fullmatch(each))


def _plain(words: str) -> str:
    return without_article(" ".join(words.split())).casefold()


def read_places(printed: PrintedText) -> Iterator[ReadPlace]:
    """The locator of each labelled sentence, as the product reads it.

    Raises:
        ValueError: words of a label do not stand once in the text.
    """
    reading = read_document(read_source(printed.text.encode(), f"document.{printed.ending}"))
    text = reading.source.text
    locators = find_locators(text, reading.sections, reading.sentences, document_lists(reading))
    for place in printed.places:
        at = text.find(place.words)
        if at < 0 or text.find(place.words, at + 1) >= 0:
            raise ValueError(f"{place.words!r} does not stand once in its text")
        found = next(n for n, each in enumerate(reading.sentences) if each.start <= at < each.end)
        yield ReadPlace(place, locators[found])


def read_definitions(printed: PrintedText) -> tuple[list[tuple[DefinedTerm, bool]], list[DefinedTerm], list[str]]:
    """The definitions of a text against its labels.

    Returns:
        the terms that are found, each with whether its meaning is; those that are missed; the terms that are none.
    """
    reading = read_document(read_source(printed.text.encode(), f"document.{printed.ending}"))
    version = DocumentVersion.model_construct(**_VERSION, name=f"document.{printed.ending}")
    records = extraction_records(version, reading, "derivation")
    read = [each.tier1_data.fields() for each in records if each.extraction_kind == "definition"]
    found, missed = [], []
    names = {name for term in printed.terms for name in term.names}
    for term in printed.terms:
        own = [each for each in read if _names(each) & set(term.names)]
        if own:
            found.append((term, any(_means(term, each, reading.source.text) for each in own)))
        else:
            missed.append(term)
    return found, missed, [str(each["term"]) for each in read if not _names(each) & names]


def _names(fields: dict[str, Any]) -> set[str]:
    return {_plain(str(each)) for each in (fields["term"], *(fields.get("aliases") or ()))}


def _means(term: DefinedTerm, fields: dict[str, Any], text: str) -> bool:
    """Whether words of a meaning are told, or stand in the items that the definition leads into."""
    said = " ".join(str(fields.get("definition") or "").split())
    if term.meaning.casefold() in said.casefold():
        return True
    whole = " ".join(text.split())
    return not said or _leads(said, term.meaning, whole)


def _leads(said: str, meaning: str, whole: str) -> bool:
    at = whole.find(said)
    return at >= 0 and whole[at + len(said) :].lstrip(" :—(ai1)").startswith(meaning)


def mean_f1(found: int, missed: int, invented: int) -> float:
    """F1 of terms: found twice over found twice, missed and invented; 1 where nothing is asked and nothing read."""
    asked = 2 * found + missed + invented
    return 2 * found / asked if asked else 1.0


def labelled(texts: Sequence[PrintedText]) -> list[str]:
    """The classes of a set, in the order of its file."""
    return list(dict.fromkeys(each.kind for each in texts))
