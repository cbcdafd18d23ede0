"""Where a quote stands in a text: to the letter, or else but for how it is set.

A model retypes what it quotes: typographic quotation marks become straight ones, a line break becomes a blank, a word that is
divided at the end of a line becomes whole. Such a quote is found in a normal form of the text and given the offsets of the
original. Case and wording are never touched: what then differs is not a quote.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from coditect.language.quotes.normal import NormalText, normal_text

__all__ = ["LONGEST_QUOTE", "Location", "LocationMethod", "Rejection", "RejectionReason", "locate", "normalised"]

LocationMethod = Literal["exact", "normalised"]
RejectionReason = Literal["empty", "too long", "not found", "ambiguous"]

LONGEST_QUOTE = 20_000
"""Code points of a quote, at most."""

_CONTEXT = 200
_LEAST_CONTEXT = 8
# Places looked at x code points of the quote: keeps the time linear where a quote matches everywhere, overlapping itself.
_WORK = 2_000_000


@dataclass(frozen=True, slots=True)
class Location:
    """Where a quote stands.

    Attributes:
        start: first code point of the text.
        end: one past the last, > start.
        method: "exact" if the text has the quote to the letter.
    """

    start: int
    end: int
    method: LocationMethod


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a quote has no place.

    Attributes:
        reason: the same few words for the same cause.
    """

    reason: RejectionReason


def normalised(text: str) -> str:
    """``text`` as quotes are compared.

    Runs of white space are one blank, and none at either end; all quotation marks are alike, and all dashes; soft hyphens
    and other invisible characters are gone, as are dashes between two letters, together with a line break after them; the
    rest is in NFKC. Case stays.
    """
    return normal_text(text).text.strip()


def locate(
    quote: str, text: str, *, within: tuple[int, int] | None = None, before: str = "", after: str = ""
) -> Location | Rejection:
    """Find a quote, exactly if possible, otherwise as :func:`normalised`. Takes time linear in ``text``.

    Args:
        quote: white space around it does not count.
        text: the canonical text.
        within: (first code point, one past the last) that the quote must lie in; None: anywhere.
        before: what stands before it, as far as known; tells apart several places.
        after: what stands after it.

    Returns:
        The only place, or the only one that agrees best with ``before`` and ``after``; otherwise why there is none.
        ``normalised(text[start:end]) == normalised(quote)`` for every place.
    """
    quote = quote.strip()
    if len(quote) > LONGEST_QUOTE:
        return Rejection("too long")
    wanted = normalised(quote)
    if not wanted:
        return Rejection("empty")
    low, high = (0, len(text)) if within is None else (max(0, within[0]), max(0, min(len(text), within[1])))
    context = _Context(normalised(before[-2 * _CONTEXT :])[-_CONTEXT:], normalised(after[: 2 * _CONTEXT])[:_CONTEXT])
    found = _choose(_exact(quote, text, low, high), text, context, len(quote))
    if found is None:
        found = _choose(_normal(wanted, _remembered(text), low, high), text, context, len(wanted), "normalised")
    return found or Rejection("not found")


@lru_cache(maxsize=4)
def _remembered(text: str) -> NormalText:
    """Many quotes are looked for in one text, one after the other."""
    return normal_text(text)


def _exact(quote: str, text: str, low: int, high: int) -> Iterator[tuple[int, int]]:
    at = text.find(quote, low, high)
    while at >= 0:
        yield at, at + len(quote)
        at = text.find(quote, at + 1, high)


def _normal(wanted: str, normal: NormalText, low: int, high: int) -> Iterator[tuple[int, int] | None]:
    """Places of a normalised quote; None for one that is not made of whole characters of the text."""
    at = normal.text.find(wanted, normal.position(low))
    while at >= 0:
        start, end = normal.start(at), normal.end(at + len(wanted))
        if start is None or end is None or start < low:
            yield None
        elif end > high:
            return
        else:
            yield start, end
        at = normal.text.find(wanted, at + 1)


@dataclass(frozen=True, slots=True)
class _Context:
    """What stands around a quote, normalised."""

    before: str
    after: str

    def agreement(self, normal: NormalText, place: tuple[int, int]) -> int:
        """Characters next to a place that are as they should be."""
        start, end = normal.position(place[0]), normal.position(place[1])
        ahead = normal.text[max(0, start - _CONTEXT - 1) : start].rstrip(" ")
        behind = normal.text[end : end + _CONTEXT + 1].lstrip(" ")
        return _agreeing(ahead[::-1], self.before[::-1]) + _agreeing(behind, self.after)


def _agreeing(one: str, other: str) -> int:
    """How many code points two texts have in common at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _choose(
    places: Iterator[tuple[int, int]] | Iterator[tuple[int, int] | None],
    text: str,
    context: _Context,
    length: int,
    method: LocationMethod = "exact",
) -> Location | Rejection | None:
    """The one place; of several, the one whose context agrees best; None where there is none."""
    known = len(context.before) + len(context.after)
    first: tuple[int, int] | None = None
    best, best_agreement, rivals = first, -1, 0
    for looked_at, place in enumerate(places, start=1):
        if looked_at * (length + 50) > _WORK + 10 * length:
            return Rejection("ambiguous")
        if place is None:
            continue
        if first is None:
            first = best = place
            continue
        if not known:
            return Rejection("ambiguous")
        if best_agreement < 0:
            best_agreement = context.agreement(_remembered(text), first)
        agreement = context.agreement(_remembered(text), place)
        if agreement > best_agreement:
            best, best_agreement, rivals = place, agreement, 0
        elif agreement == best_agreement:
            rivals += 1
    if best is None:
        return None
    if best_agreement >= 0 and (rivals or best_agreement < min(_LEAST_CONTEXT, known)):
        return Rejection("ambiguous")
    return Location(*best, method)
