"""Tables of words: what a language says, as data that a linguist can read and a loader checks.

A language is a folder beside this module (``en/``), a table a TOML file in it, and a second language a second folder. A file says
what it is about and where its words come from; each of its entries says of which kind it is::

    about = "Words that turn a statement around."
    source = "Huddleston and Pullum 2002, chapter 9."

    [negators]
    kind = "words"
    entries = "not never no none"

===========  ============================================  ========================================================
kind         an entry                                      read by
===========  ============================================  ========================================================
``words``    words between white space                     :meth:`WordTable.words`, in the order of the file
``phrases``  phrases between semicolons or line ends       :meth:`WordTable.phrases`, in the order of the file
``groups``   a line: words that belong together            :meth:`WordTable.groups`
``pairs``    a line: ``phrase | phrase``                   :meth:`WordTable.pairs`
``axes``     a line: ``words | opposite words``            :meth:`WordTable.axes`
``mapping``  a line: ``phrase = value``                    :meth:`WordTable.mapping`
===========  ============================================  ========================================================

Words and phrases may be written with their endings, as a dictionary prints them: ``employee(s)`` with or without, ``part(y|ies)``
one of several, ``authori(s|z)ed`` either spelling, ``in case( of)`` longer or shorter. :meth:`WordTable.words` and
:meth:`WordTable.phrases` spell all of them out; :meth:`WordTable.pattern` makes one regular expression of them.

Literal TOML strings (three apostrophes) are read several times faster than quoted ones, so tables that a query needs have those.

Tables hold what the language says, never what an evaluation set happens to hold.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from coditect.errors import SchemaError

__all__ = ["KINDS", "WordTable", "parse_table", "read_table", "table_names", "worded"]

KINDS = ("words", "phrases", "groups", "pairs", "axes", "mapping")

_FOLDER = Path(__file__).parent
_ENTRY = re.compile(r"«(?:(?P<table>\w+)\.)?(?P<entry>\w+)»")
_HEAD = ("about", "source")
_ENDINGS = re.compile(r"\(([^()]*)\)")
_SPECIAL = re.compile(r"[.^$*+?{}\[\]\\]")


@dataclass(frozen=True, slots=True)
class WordTable:
    """The words of one file, by entry.

    Attributes:
        name: the file's name without its suffix, for errors.
        about: what its words have in common, in a sentence.
        source: where they come from: a grammar, a standard, a thesaurus, or the sentence that says why they are known.
        entries: by name, the kind and the lines, words or phrases of each.
    """

    name: str
    about: str
    source: str
    entries: Mapping[str, tuple[str, tuple[str, ...]]]

    def words(self, entry: str) -> tuple[str, ...]:
        """The words of an entry with all their endings, in the order of the file.

        Raises:
            SchemaError: there is no such entry, or it is of another kind; so for the methods below.
        """
        return tuple(word for item in self._of("words", entry) for word in _spelled(item))

    def phrases(self, entry: str) -> tuple[str, ...]:
        """The phrases of an entry with all their endings, in the order of the file; white space in a phrase is one space."""
        return tuple(phrase for item in self._of("phrases", entry) for phrase in _spelled(item))

    def pattern(self, entry: str, *, space: str = r"\s+") -> str:
        r"""The words or phrases of an entry as the alternatives of a regular expression, without a group around them.

        They stand in the order of the file: where nothing behind them decides (such as ``\b``), the longer one must come first.

        Args:
            entry: of kind "words" or "phrases".
            space: what matches the white space in a phrase.
        """
        kind = "phrases" if self.entries.get(entry, ("",))[0] == "phrases" else "words"
        return "|".join(_expression(item, space) for item in self._of(kind, entry))

    def groups(self, entry: str) -> tuple[tuple[str, ...], ...]:
        """The words of each line of an entry."""
        return tuple(tuple(line.split()) for line in self._of("groups", entry))

    def pairs(self, entry: str) -> tuple[tuple[str, str], ...]:
        """Both phrases of each line of an entry."""
        return tuple(_two(line, "|") for line in self._of("pairs", entry))

    def axes(self, entry: str) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        """The words of both poles of each line of an entry."""
        poles = (_two(line, "|") for line in self._of("axes", entry))
        return tuple((tuple(one.split()), tuple(other.split())) for one, other in poles)

    def mapping(self, entry: str) -> dict[str, str]:
        """Phrase to value, as text, in the order of the file."""
        return dict(_two(line, "=") for line in self._of("mapping", entry))

    def _of(self, kind: str, entry: str) -> tuple[str, ...]:
        found = self.entries.get(entry)
        if found is None or found[0] != kind:
            raise SchemaError("a table of words has no such entry", table=self.name, entry=entry, kind=kind)
        return found[1]


@cache
def read_table(name: str, language: str = "en") -> WordTable:
    """A table of the package, checked; read once in a process.

    Args:
        name: the file's name without its suffix.
        language: the folder: an ISO 639-1 code.
    Raises:
        SchemaError: there is no such table, or it is not what :func:`parse_table` takes.
    """
    file = _FOLDER / language / f"{name}.toml"
    if not file.is_file():
        raise SchemaError("there is no such table of words", table=name, language=language)
    return parse_table(file.read_text(encoding="utf-8"), name)


def worded(table: str, form: str) -> Callable[[], re.Pattern[str]]:
    """What gives a pattern over words of tables, whatever their case; compiled when it is first asked for, as few are.

    Args:
        table: the file's name without its suffix.
        form: a regular expression that has "«entry»" where the words of an entry stand as alternatives, without a group around
            them; "«table.entry»" of another table.
    """

    @cache
    def compiled() -> re.Pattern[str]:
        def words(found: re.Match[str]) -> str:
            return read_table(found["table"] or table).pattern(found["entry"])

        return re.compile(_ENTRY.sub(words, form), re.IGNORECASE)

    return compiled


def table_names(language: str = "en") -> list[str]:
    """The tables of a language, sorted."""
    return sorted(file.stem for file in (_FOLDER / language).glob("*.toml"))


def parse_table(text: str, name: str) -> WordTable:
    """A table from the text of its file.

    Args:
        text: TOML.
        name: what errors call the table.
    Raises:
        SchemaError: not TOML; no ``about`` or ``source``; an entry of no known kind; an entry that is empty, holds something
            twice or in capitals without ``cased = true``, or is not in Unicode's normal form C. Names the table and the entry.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SchemaError("a table of words is not TOML", table=name, why=str(error)) from error
    for head in _HEAD:
        if not isinstance(raw.get(head), str) or not raw[head].strip():
            raise SchemaError("a table of words does not say what it is", table=name, missing=head)
    entries = {entry: _entry(name, entry, value) for entry, value in raw.items() if entry not in _HEAD}
    return WordTable(name, raw["about"], raw["source"], entries)


def _entry(name: str, entry: str, value: Any) -> tuple[str, tuple[str, ...]]:  # noqa: ANN401 - whatever TOML holds
    if not isinstance(value, dict) or value.get("kind") not in KINDS or not isinstance(value.get("entries"), str):
        raise SchemaError("an entry of a table of words has no kind and text", table=name, entry=entry, kinds=KINDS)
    unknown = sorted(set(value) - {"kind", "entries", "cased", "note"})
    if unknown:
        raise SchemaError("an entry of a table of words has unknown fields", table=name, entry=entry, fields=unknown)
    kind, said = value["kind"], value["entries"]
    if unicodedata.normalize("NFC", said) != said or not (value.get("cased") or said == said.lower()):
        raise SchemaError("an entry of a table of words is not in lower case and NFC", table=name, entry=entry)
    items = tuple(_items(kind, said))
    twice = sorted({item for item in items if items.count(item) > 1}) if len(set(items)) < len(items) else []
    keys = [_two(item, "=")[0] for item in items] if kind == "mapping" else []
    twice += sorted({key for key in keys if keys.count(key) > 1})
    if kind in ("words", "phrases") and not set("(|)").isdisjoint(said):
        twice += _ill_spelled(items)
    halves = [half for item in items if kind in ("pairs", "axes", "mapping") for half in _two(item, _MARK[kind])]
    if not items or twice or not all(halves):
        raise SchemaError(
            "an entry of a table of words is empty or repeats itself", table=name, entry=entry, twice=twice
        )
    return kind, items


_MARK = {"pairs": "|", "axes": "|", "mapping": "="}


def _items(kind: str, said: str) -> Iterable[str]:
    if kind == "words":
        return said.split()
    lines = said.replace(";", "\n").split("\n") if kind == "phrases" else said.split("\n")
    return (" ".join(line.split()) for line in lines if line.strip())


def _ill_spelled(items: Iterable[str]) -> list[str]:
    """Items whose endings are not well written, and words that are there by more than one item."""
    wrong = [item for item in items if not set("(|)").isdisjoint(_ENDINGS.sub("", item))]
    counts = Counter(spelled for item in items for spelled in _spelled(item))
    return wrong + sorted(spelled for spelled, count in counts.items() if count > 1)


def _endings(written: str) -> list[str]:
    """What parentheses hold: "s" is "" or "s", "y|ies" is one of the two."""
    return written.split("|") if "|" in written else ["", written]


def _spelled(item: str) -> list[str]:
    """An item with each of its endings: "part(y|ies)" is "party" and "parties"."""
    spelled, at = [""], 0
    for found in _ENDINGS.finditer(item):
        stem = item[at : found.start()]
        spelled = [before + stem + ending for before in spelled for ending in _endings(found[1])]
        at = found.end()
    return [before + item[at:] for before in spelled]


def _expression(item: str, space: str) -> str:
    """An item as a regular expression: "part(y|ies)" is ``part(?:y|ies)``."""

    def plain(words: str) -> str:
        return _SPECIAL.sub(r"\\\g<0>", words).replace(" ", space)

    made, at = "", 0
    for found in _ENDINGS.finditer(item):
        endings = [plain(ending) for ending in _endings(found[1]) if ending]
        is_class = all(len(ending) == 1 for ending in endings)
        grouped = (
            (f"[{''.join(endings)}]" if len(endings) > 1 else endings[0]) if is_class else f"(?:{'|'.join(endings)})"
        )
        made += plain(item[at : found.start()]) + grouped + ("?" if "" in _endings(found[1]) else "")
        at = found.end()
    return made + plain(item[at:])


def _two(line: str, mark: str) -> tuple[str, str]:
    """Both sides of a line; "" where there is none."""
    left, _, right = line.partition(mark)
    return left.strip(), right.strip()
