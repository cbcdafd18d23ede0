"""Where else the documents have the words that a finding is about: what is called missing may stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from coditect.schemas import Claim
from coditect.store.view import View

__all__ = ["Elsewhere", "thing_of"]

MOST_SHOWN = 6
"""Places that are shown of a finding."""

AROUND = 120
"""Code points on either side of the words."""

NEAR = 60
"""Code points within which two words are taken to be said of one thing."""

SEARCHED_CHARS = 20_000_000
"""Code points that are searched, in the order of the documents' names: a bound for large corpora."""

_NAMES = ("words", "name", "label", "term", "thing", "role", "code", "title")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LONG = 4
_STEM = 6


def thing_of(claim: Claim) -> str:
    """The words that a finding is about; "" where it is about none in particular."""
    if claim.claim_kind != "gap" or claim.recipe.get("kind") in ("dated", "open", "empty", "owner"):
        return ""
    return next((str(claim.recipe[name]) for name in _NAMES if name in claim.recipe), "")


class Elsewhere:
    """Finds words in the documents of a draft, read once for all findings.

    Args:
        view: the draft.
        things: the words of each finding, by its claim's id.
    """

    def __init__(self, view: View, things: Mapping[str, str]) -> None:
        self._found: dict[str, list[tuple[str, str]]] = {each: [] for each in things}
        wanted = {each: patterns for each, thing in things.items() if (patterns := _patterns(thing))}
        room = SEARCHED_CHARS
        versions = sorted(view.documents.values(), key=lambda each: (each.name, each.document_id)) if wanted else []
        for version in versions:
            text = view.text_of(version)
            room -= len(text)
            if room < 0:
                break
            for claim_id, patterns in wanted.items():
                self._found[claim_id] += [(version.name, around) for around in _places(text, patterns)]

    def shown(self, claim: Claim, quoted: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """(document, words around) of places that have a finding's words, but for those in its own quotes.

        Args:
            claim: the finding.
            quoted: (document, text) of its quotes.
        """
        found: dict[tuple[str, str], None] = {}
        own = {(name, " ".join(text.split())) for name, text in quoted}
        for name, around in self._found.get(claim.claim_id, ()):
            if not any(name == document and (text in around or around in text) for document, text in own):
                found.setdefault((name, around))
        return tuple(found)[:MOST_SHOWN]


def _patterns(thing: str) -> list[re.Pattern[str]]:
    """How words are looked for: as they are printed, then the two longest of them near each other."""
    words = _WORD.findall(thing)
    if not words:
        return []
    exact = re.compile(r"\b" + r"\W+".join(map(re.escape, words)) + r"\b", re.IGNORECASE)
    telling = sorted({each.casefold() for each in words if len(each) >= _LONG}, key=lambda each: (-len(each), each))
    if len(telling) < 2:
        return [exact]
    one, other = (re.escape(each[: max(_LONG, min(len(each) - 1, _STEM))]) for each in telling[:2])
    near = rf"\b{one}.{{0,{NEAR}}}?\b{other}|\b{other}.{{0,{NEAR}}}?\b{one}"
    return [exact, re.compile(near, re.IGNORECASE | re.DOTALL)]


def _places(text: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[str]:
    """What stands around the first places of each pattern."""
    taken: list[tuple[int, int]] = []
    for pattern in patterns:
        for count, match in enumerate(pattern.finditer(text)):
            if count >= MOST_SHOWN:
                break
            start, end = match.span()
            if any(a < end and start < b for a, b in taken):
                continue
            taken.append((start, end))
            yield " ".join(text[max(0, start - AROUND) : end + AROUND].split())
