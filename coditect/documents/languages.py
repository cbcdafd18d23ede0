"""Whether a text is in another language than English, which is all that registers, findings and checks read.

Function words tell a language (Cavnar and Trenkle 1994 do it by letters): where those of other European languages outnumber the
English ones, or where most letters are no letters of English, a text is not in English. A table of names has neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from coditect.language.tables import read_table

__all__ = ["NOT_ENGLISH", "describe_language", "is_in_another_language"]

NOT_ENGLISH = "it does not seem to be in English"
"""How the warning begins."""

_LOOKED_AT = 4_000
"""Code points from the beginning that are looked at."""

_WORD = re.compile(r"[^\W\d_]+")
_OTHER_LETTER = re.compile(r"[^\W\d_A-Za-z]")
_ENGLISH = frozenset(read_table("stop_words").words("function_words"))
_FOREIGN = frozenset(w for w in read_table("other_languages").words("words") if len(w) > 1 and w not in _ENGLISH)
_FEWEST = 5
"""Words from which on a language is told."""

_SHARE = 8
"""One word in so many is a function word of another language, at least, in a text of that language."""

_OTHER = 0.25
"""Share of letters that English has not, from which on a text is hardly English: names have some."""


def is_in_another_language(warnings: Iterable[str]) -> bool:
    """Whether the warnings of a file say that its text is not in English."""
    return any(each.startswith(NOT_ENGLISH) for each in warnings)


def describe_language(text: str) -> tuple[str, ...]:
    """A sentence for the warnings of a file whose text is not in English; nothing of any other.

    Args:
        text: canonical.
    """
    words = [each.lower() for each in _WORD.findall(text[:_LOOKED_AT])]
    if len(words) < _FEWEST:
        return ()
    met = [each for each in words if each in _FOREIGN]
    foreign, english = len(met), sum(each in _ENGLISH for each in words)
    letters = sum(map(len, words))
    other = sum(len(_OTHER_LETTER.findall(each)) for each in words if not each.isascii())
    # "Door" is a Dutch word, too: one alone tells nothing in a table of names.
    is_foreign = foreign > english and foreign * _SHARE >= len(words) and (len(set(met)) > 1 or other > 0)
    if not is_foreign and other < _OTHER * letters:
        return ()
    return (
        f"{NOT_ENGLISH}: registers, findings and checks read English alone and pass it over; search finds its words",
    )
