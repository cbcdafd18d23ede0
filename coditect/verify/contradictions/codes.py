"""Contradictions in the numbers of things that are called by letters and a number: "AES-128", "AES-256"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from coditect.language.reading.sentence import SentenceReading, Token
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.kinds import Contradiction, contradiction

__all__ = ["find_codes"]

_CODE = re.compile(r"[A-Z]{2,6}")
_SEVERITY = 0.9
"""Refutes nothing alone: a text may speak of more than one of a kind."""


def find_codes(pair: AlignedPair) -> Iterator[Contradiction]:
    """Codes of the claim for which the evidence has the same letters with another number.

    Args:
        pair: the claim beside its evidence.
    """
    mine, theirs = _codes(pair.claim), _codes(pair.evidence)
    known = {(letters.low, number.low) for letters, number in theirs}
    own = {(letters.low, number.low) for letters, number in mine}
    for letters, number in mine:
        others = [each for each in theirs if each[0].low == letters.low]
        if not others or (letters.low, number.low) in known or any((a.low, b.low) in own for a, b in others):
            continue
        rival = others[0][1]
        said, meant = (f"{letters.low.upper()}-{each.low}" for each in (number, rival))
        detail = f"the claim says “{said}”, the evidence “{meant}”"
        yield contradiction(pair, "number", _SEVERITY, number, rival, detail)


def _codes(reading: SentenceReading) -> Sequence[tuple[Token, Token]]:
    """The letters and the number of each code of a sentence."""
    return [
        (letters, number)
        for letters, number in pairwise(reading.tokens)
        if number.low.isdigit()
        and reading.text[letters.end : number.start] in ("-", "‑", "–")
        and _CODE.fullmatch(reading.text[letters.start : letters.end])
    ]
