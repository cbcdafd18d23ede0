"""Contradictions in places: section, control and law ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from coditect.language.reading.sentence import Token
from coditect.language.tables import read_table
from coditect.verify.alignment.pairs import AlignedPair
from coditect.verify.contradictions.kinds import Contradiction, contradiction

__all__ = ["find_reference_contradictions", "speaks_of_itself"]

_OWN = re.compile(rf"\b(?:{read_table('documents').pattern('of_its_own')})\b", re.IGNORECASE)
_TIGHT = 0.6
"""Closeness from which the name of a law is more than a remark."""
_MOST_READ = 400
"""Other sentences of the evidence that are read for a place."""


def find_reference_contradictions(pair: AlignedPair) -> Iterator[Contradiction]:
    """Section, control and law ids in the claim that the evidence does not have.

    Args:
        pair: the claim beside its evidence.
    """
    close = pair.closeness()
    theirs = [token for token in pair.evidence.tokens if token.role == "reference"]
    known, own = {token.key for token in theirs}, {token.key for token in pair.claim.tokens}
    others = [token for token in theirs if token.key not in own]
    for at, token in enumerate(pair.claim.tokens):
        if token.role != "reference" or token.key in known or _written(token, pair.evidence.text.casefold()):
            continue
        severity = 1.0 if others else (0.3 if _written(token, pair.index.folded) else 0.9)
        if close < _TIGHT and not any(c.isdigit() for c in token.key):
            severity = min(severity, 0.4)  # the name of a law, in a claim of other words
        if _is_own_name(token, pair):
            severity = min(severity, 0.3)
        near = [pair.evidence.tokens[n] for n in pair.slot(at, 5)]
        rival = next((other for other in near if other in others), others[0] if others else None)
        detail = f"“{_said(token)}” is not in the evidence"
        if rival is not None:
            detail = f"the claim refers to “{_said(token)}”, the evidence to “{_said(rival)}”"
        yield contradiction(pair, "reference", severity, token, rival, detail)


def speaks_of_itself(text: str) -> bool:
    """Whether a text speaks of the document that it stands in, which others call by its name: "under this part"."""
    return _OWN.search(text) is not None


def _is_own_name(token: Token, pair: AlignedPair) -> bool:
    """Whether a claim calls by its name what its statement calls "this part", and another one says "this part, known as"."""
    if any(map(str.isdigit, token.low)) or not speaks_of_itself(pair.evidence.text):
        return False
    texts = (each.reading.text for each in pair.index.sentences[:_MOST_READ])
    return any(_written(token, text.casefold()) and speaks_of_itself(text) for text in texts)


def _written(token: Token, folded: str) -> bool:
    """Whether a place's label stands in a casefolded text, white space left out; a bare letter or number with its word."""
    label = token.key[1:]
    if label.isalnum():
        whole = rf"(?<!\w){re.escape(_said(token))}(?!\w)"  # "5" is not in "2015"
        return re.search(whole, " ".join(folded.split())) is not None
    return any(label in "".join(line.split()) for line in folded.splitlines())


def _said(token: Token) -> str:
    return " ".join(token.low.split())
