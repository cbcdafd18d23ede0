"""How the words of two provisions differ."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from coditect.schemas import ChangedWords
from coditect.tiers.changes.provisions import Provision

__all__ = ["changed_words", "differ_in_wording_only"]

_WORD = re.compile(r"\S+")
_MARKS = re.compile(r"[^\w\s%$€£§]+")
_LONGEST = 1200
"""Words of a provision above which its words are compared as a set of lines would be: without looking for the best match."""


def changed_words(old: Provision, new: Provision) -> tuple[ChangedWords, ...]:
    """The words that were replaced, added and left out, in order, as printed; runs that stand next to each other are one.

    Args:
        old: the provision as it was.
        new: as it is.
    """
    ours, theirs = (_WORD.findall(each.text) for each in (old, new))
    plain = [_plain(word) for word in ours], [_plain(word) for word in theirs]
    matcher = SequenceMatcher(None, plain[0], plain[1], autojunk=max(map(len, plain)) > _LONGEST)
    return tuple(
        ChangedWords(before=" ".join(ours[a:b]), after=" ".join(theirs[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    )


def differ_in_wording_only(old: Provision, new: Provision) -> bool:
    """Whether two texts that differ have the same content words in the same order: case, marks and function words aside."""
    return old.words == new.words


def _plain(word: str) -> str:
    return _MARKS.sub("", word).casefold() or word
