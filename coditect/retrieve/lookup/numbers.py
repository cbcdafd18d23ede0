"""Numbers of provisions as texts print them and people ask for them: "COBS Rule 1.2.3", "section 58 of FSMR", "A4.3.2", "App 4".

A number is one word here, never cut into digits. What is asked with the code of a document is looked for in that document alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from coditect.language.matched import as_matched
from coditect.language.tables import read_table
from coditect.retrieve.words import read_words, stems
from coditect.schemas import DocumentVersion

__all__ = ["AskedNumber", "asked_numbers", "coded_documents", "is_about_numbers", "printed_numbers"]

_NUMBER = r"[A-Z]{0,2}\d+[A-Z]?(?:[.\-]\d+[A-Z]?)*"
_INNER = r"(?:\.?\([0-9A-Za-z]{1,5}\))*"
_CODE = r"[A-Z][A-Z&]{1,6}"
_LINE = re.compile(r"^[ \t]*(?P<line>[^\n]{1,80})", re.MULTILINE)
_PLAIN = re.compile(rf"(?P<number>{_NUMBER})(?P<inner>{_INNER})(?![\w%]|[,.]\d)")
_MOST_BESIDE = 3
"""Words beside a number, its division and its code, up to which a question is about the provision of that number. A longer one
mentions the number, and is answered by what it says."""

KEPT_QUESTIONS = 64
"""Questions whose numbers are kept in memory: each part of a search asks for them."""

_LIST = re.compile(r"\(([0-9A-Za-z]{1,5})\)")


@dataclass(frozen=True, slots=True)
class AskedNumber:
    """A number that a question names.

    Attributes:
        key: as :func:`printed_numbers` writes it.
        code: of the document that the number is said to be in: "FSMR"; "" for none.
    """

    key: str
    code: str = ""


@cache
def _divisions() -> str:
    return "|".join(map(re.escape, sorted(read_table("looking_up").phrases("divisions"), key=len, reverse=True)))


@cache
def _kind() -> dict[str, str]:
    """The full word for a division that is part of a number's name, by its spellings: "App" is an appendix."""
    table = read_table("looking_up")
    full = {word: word for word in table.words("named_divisions")}
    return full | dict(table.mapping("short_divisions"))


@cache
def _label() -> re.Pattern[str]:
    """The label at the beginning of a line: divisions with their numbers, then a number, then letters of lists."""
    return re.compile(
        rf"(?P<above>(?:(?:{'|'.join(map(re.escape, _kind()))})\s*[0-9A-Z]{{1,5}}(?:\.\s*|\s*[:,]\s*|(?=\s|$)))*)"
        rf"(?:(?:{_divisions()})\s+|§\s*)?(?:(?P<number>{_NUMBER})(?P<inner>{_INNER}))?(?=[.):]?(?:\s|$|[A-Z(]))",
        re.IGNORECASE,
    )


@cache
def _asked() -> re.Pattern[str]:
    """A number in a question, with its division and the code of its document before or behind it."""
    return re.compile(
        rf"(?:(?<!\w)(?P<before>(?-i:{_CODE}))\s+)?"
        rf"(?:(?:(?P<word>{_divisions()})\s+|(?P<sign>§+)\s*)(?P<label>{_NUMBER}|(?-i:[A-Z]))(?P<inner>{_INNER})"
        rf"|(?<![\w.])(?P<bare>\d+(?:\.\d+)+|(?-i:[A-Z]{{1,2}})\d+(?:\.\d+)+|\d+)(?P<bare_inner>{_INNER}))(?![\w%])"
        rf"(?:(?:\s+rules?)?\s+(?:of|in)\s+(?:the\s+)?(?P<behind>(?-i:{_CODE}))(?!\w))?",
        re.IGNORECASE,
    )


def printed_numbers(text: str) -> list[str]:
    """The numbers at the beginnings of a text's lines, with those above them, each once, in order.

    Returns:
        keys: "58", "58(1)", "3.2.1", "a4.3.2", "appendix 4".
    """
    return list(dict.fromkeys(key for line in _LINE.finditer(as_matched(text)) for key in _keys(line["line"])))


def _keys(line: str) -> Iterator[str]:
    found = _label().match(line)
    if found is None:
        return
    above = found["above"]
    for word, number in re.findall(rf"({'|'.join(_kind())})\s*([0-9A-Z]{{1,5}})", above, re.IGNORECASE):
        yield f"{_kind()[word.lower()]} {number.lower()}"
    if found["number"]:
        yield from _nested(found["number"], found["inner"])


def _nested(number: str, inner: str) -> Iterator[str]:
    """A number, and with each letter of a list below it."""
    key = number.lower()
    yield key
    for letter in _LIST.findall(inner or ""):
        key += f"({letter.lower()})"
        yield key


def asked_numbers(query: str) -> list[AskedNumber]:
    """The numbers that a question names, each once, in order."""
    return list(_numbers_in(query))


@lru_cache(KEPT_QUESTIONS)
def _numbers_in(query: str) -> tuple[AskedNumber, ...]:
    found = []
    for match in _asked().finditer(as_matched(query)):
        before, number = match["before"] or "", (match["label"] or match["bare"]).lower()
        kind = _kind().get((match["word"] or before).lower(), "")
        code = match["behind"] or ("" if before.lower() in _kind() else before)
        if number.isdigit() and not (match["word"] or match["sign"] or before):
            continue  # "30 days" is no provision
        *_, key = _nested(number, match["inner"] or match["bare_inner"] or "")
        found.append(AskedNumber(f"{kind} {key}" if kind else key, code))
    return tuple(dict.fromkeys(found))


def is_about_numbers(query: str, numbers: Sequence[AskedNumber]) -> bool:
    """Whether a question asks for the provisions whose numbers it names, and for little else."""
    if not numbers:
        return False
    own = _said_of_numbers().union(stems(" ".join(asked.code for asked in numbers)))
    beside = {stem for stem in read_words(query).weights if stem.isalpha() and len(stem) > 1}
    return len(beside - own) <= _MOST_BESIDE


@cache
def _said_of_numbers() -> frozenset[str]:
    """The stems of words that only ask, and of divisions: "which rule says"."""
    asking = read_table("asking").words("asking")
    return frozenset(stems(" ".join((*read_table("looking_up").phrases("divisions"), *asking))))


def coded_documents(code: str, versions: Iterable[DocumentVersion]) -> frozenset[str]:
    """Ids of the documents that are cited by a code."""
    from coditect.documents.profile.citations import codes_of  # few questions name a code

    return frozenset(each.document_id for each in versions if code in codes_of(each))
