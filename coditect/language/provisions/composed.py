"""A reading composed of pieces of a text that do not stand beside each other, and the way back to where each stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from functools import lru_cache

__all__ = ["ASIDE_LAST", "CASE_FIRST", "ComposedText", "Place"]

Place = tuple[int, int]

# What stands at the end of a piece only because another follows: "shall:", "; and", a dash.
_LEAD_END = re.compile(r"\s*(?:[:—–]|--|(?<=\s)-)\W*\Z")
_ITEM_END = re.compile(
    r"\s*(?:[;,]\s*(?P<word>and/or|and|or|but)?|(?<=\S)\s(?P<bare>and/or|and|or))\s*[,;:]?\s*\Z", re.IGNORECASE
)
_ASIDE_OPEN = re.compile(
    r"\b(?:shall|must|may|will|should)(?:\s+not)?(?:,[^,;]*|\s+(?:(?!comply|apply|supply|reply|rely)[a-z]+ly\s+)?(?:upon|on|by|at|in|with|without|within|prior\s+to|before|after|following)\b[^,;]*)\Z",
    re.IGNORECASE,
)
# "shall include, to the extent possible:" leads on to what is included, and the aside ends where an item begins.
ASIDE_LAST = re.compile(
    r",\s+(?:to\s+the\s+extent\s+(?:reasonably\s+)?(?:possible|known|applicable|practicable|available)|(?:where|if|as|when)\s+(?:it\s+is\s+)?(?:known|applicable|available|appropriate|relevant|possible|practicable)"
    r"|at\s+a\s+minimum|at\s+(?:the\s+)?(?:very\s+)?least|as\s+a\s+minimum)\s*\Z",
    re.IGNORECASE,
)
"""An aside with which a lead-in ends."""
CASE_FIRST = re.compile(
    r"(?:if|where|when|whenever|unless|in\s+(?:the\s+)?case|in\s+the\s+event)\b[^;:]{3,400}?,\s+[a-z]", re.IGNORECASE
)
"""A case with which an item begins that goes on with an act: "If it is late, delay the notice"."""
_MODAL_LAST = re.compile(r"\b(?:shall|must|may|will|should)(?:\s+not)?\s*\Z", re.IGNORECASE)
_LEADS_ON = re.compile(r":\s*\Z")
_STOP = re.compile(r"\s*\.\s*\Z")


class ComposedText:
    """Pieces of a text as one sentence, joined as a reader's eye joins them; immutable.

    Attributes:
        text: the composed words; each piece verbatim but for what stood at its end only because another follows.
        places: where each piece stands, in order.
        starts: where each piece begins in :attr:`text`.
    """

    __slots__ = ("places", "starts", "text")

    def __init__(
        self,
        text: str,
        leads: Sequence[Place],
        items: Sequence[Place],
        tails: Sequence[Place] = (),
        *,
        adjunct: bool = False,
    ) -> None:
        """Compose.

        Args:
            text: what the places are of.
            leads: of lead-ins, outermost first, without markers.
            items: of items, without markers; several are joined by the words that join them, or by commas.
            tails: what belongs to all of them, innermost first.
            adjunct: whether the lead-in only says when or for what, so that a comma parts it from its item.
        """
        parts: list[str] = []
        places: list[Place] = []
        starts: list[int] = []
        size = 0
        between = ""
        for number, (start, end) in enumerate([*leads, *items, *tails]):
            words = text[start:end]
            is_lead = number < len(leads)
            is_item = not is_lead and number < len(leads) + len(items)
            more = number + 1 < len(leads) + len(items) + len(tails)
            cut, joint = _without_end(
                words, lead=is_lead, item=is_item, more=more, last=number + 1 == len(leads) + len(items)
            )
            words = words[:cut].rstrip()
            if not words:
                between = joint or between
                continue
            if parts:
                parts.append(between)
                size += len(between)
            starts.append(size)
            places.append((start, start + len(words)))
            parts.append(words)
            size += len(words)
            between = ", " if adjunct and number + 1 == len(leads) and joint == " " else joint
            if is_lead and joint == " " and _MODAL_LAST.search(words) and number + 1 < len(leads) + len(items):
                first, stop = [*leads, *items][number + 1]  # "shall:" / "If it is in writing, delay the notice"
                between = ", " if CASE_FIRST.match(text, first, stop) else joint
        self.text = "".join(parts)
        self.places = tuple(places)
        self.starts = tuple(starts)

    def stretches(self, *, without: Collection[int]) -> list[Place]:
        """Where the pieces stand in :attr:`text` that do not begin at any of these code points of the source, in order."""
        pieces = zip(self.starts, self.places, strict=True)
        return [(start, start + hi - lo) for start, (lo, hi) in pieces if lo not in without]

    def extent(self, first: Collection[int]) -> Place:
        """From where to where in :attr:`text` the pieces stand that begin at these code points of the source; (0, 0) for none."""
        inside = [start for start, place in zip(self.starts, self.places, strict=True) if place[0] in first]
        if not inside:
            return 0, 0
        behind = bisect_right(self.starts, inside[-1])
        return inside[0], self.starts[behind] if behind < len(self.starts) else len(self.text)

    def piece(self, at: int) -> int:
        """Index of the piece that holds a position of :attr:`text`, or of the one before the gap that does."""
        return max(0, bisect_right(self.starts, at) - 1)

    def place(self, at: int) -> int:
        """The code point of the source that a position of :attr:`text` stands for; the end of a piece for a gap."""
        number = self.piece(at)
        start, end = self.places[number]
        return min(start + at - self.starts[number], end)

    def spans(self, start: int, end: int) -> list[Place]:
        """The places of the source that ``text[start:end]`` consists of, in order; one for each piece that it touches."""
        found = []
        for number in range(self.piece(start), len(self.places)):
            begin = self.starts[number]
            if begin >= end:
                break
            place, stop = self.places[number]
            lo, hi = max(start, begin) - begin, min(end, begin + stop - place) - begin
            if lo < hi:
                found.append((place + lo, place + hi))
        return found


@lru_cache(maxsize=1 << 12)
def _without_end(words: str, *, lead: bool, item: bool, more: bool, last: bool) -> tuple[int, str]:
    """How much of a piece stays, and what joins it to the next."""
    if not more:
        return len(words), ""
    if lead or (item and _LEADS_ON.search(words)):  # "(b) either:" leads in the items below it
        found = _LEAD_END.search(words)
        cut = found.start() if found else len(words)
        # "may, by written notice:" the words behind the comma end where the item begins.
        aside = _ASIDE_OPEN.search(words, 0, cut) or ASIDE_LAST.search(words, 0, cut)
        return cut, ", " if aside else " "
    found = _ITEM_END.search(words)
    if found is None:
        stop = _STOP.search(words)
        return (stop.start() if stop else len(words)), ", "
    word = found["word"] or found["bare"]
    return found.start(), (f" {word} " if word and item and not last else ", ")
