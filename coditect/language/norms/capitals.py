"""Modal verbs with a capital in the middle of a composed sentence: those with which an item of a list goes on."""

from __future__ import annotations

import re

from coditect.language.norms.imperatives import is_plain_verb

__all__ = ["in_small_letters"]

# "The judge: (1) May not refuse": in the middle of a composed sentence.
_CAPITAL_MODAL = re.compile(
    r"[MSWIA](?:ay|ust|hall|hould|ill|(?:s|re)(?=\s(?:not\s+)?(?:required|responsible|entitled|prohibited|permitted)\b))(?=\s(?P<act>[a-z]+))"
)
_SHOUTED = re.compile(r"[A-Z](?<!\w[A-Z])[A-Z]+\s+[A-Z]{2,}\s+[A-Z]{2,}\b")
_MOST_SHOUTED = 0.85
"""Share of capitals among the letters of a sentence above which they tell nothing."""
_BEFORE_MODAL = re.compile(r"[\w)\],:–—-]\s")
_BEHIND_MODALS = (
    "not",
    "be",
    "also",
    "only",
    "either",
    "never",
    "required",
    "responsible",
    "entitled",
    "prohibited",
    "permitted",
)


def in_small_letters(text: str, start: int, end: int) -> str:
    """A text with such modal verbs of one sentence in small letters, as many code points long; a sentence in capitals with all.

    Args:
        text: the text.
        start: first code point of the sentence, whose own capital stays.
        end: one past its last.
    """
    if _SHOUTED.search(text, start, end) and text[start:end].isascii() and _is_shouted(text[start:end]):
        return text[:start] + text[start:end].lower() + text[end:]
    if _CAPITAL_MODAL.search(text, start + 1, end) is None:
        return text
    return text[: start + 1] + _CAPITAL_MODAL.sub(_small, text[start + 1 : end]) + text[end:]


def _is_shouted(words: str) -> bool:
    """Whether nearly all letters are capitals, as in the clauses of contracts on liability."""
    letters = [char for char in words if char.isalpha()]
    return sum(char.isupper() for char in letters) > _MOST_SHOUTED * len(letters)


def _small(modal: re.Match[str]) -> str:
    """A modal verb with which an item of a list goes on, in small letters where an act follows."""
    within = _BEFORE_MODAL.fullmatch(modal.string, modal.start() - 2, modal.start()) if modal.start() > 1 else None
    acts = modal["act"] in _BEHIND_MODALS or is_plain_verb(modal["act"])
    return modal[0].lower() if within and acts else modal[0]
