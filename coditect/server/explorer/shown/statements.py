"""Where the statements of a document stand, without their words: small enough to be kept for long documents."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from coditect.schemas import Extraction
from coditect.server.explorer.visit import Visit

__all__ = ["Resting", "ShownStatement", "Statements", "resting_claims", "statements_of"]


class ShownStatement(NamedTuple):
    """An extraction, by where it stands.

    Attributes:
        start: first code point.
        end: one past the last.
        kind: of the extraction.
        item_id: its id.
        terms: (start, end) of the defined terms that it uses.
    """

    start: int
    end: int
    kind: str
    item_id: str
    terms: tuple[tuple[int, int], ...]


class Statements:
    """The statements of one document in its order.

    Args:
        found: the statements, in any order.
    """

    def __init__(self, found: Iterable[ShownStatement]) -> None:
        self._ordered = sorted(found, key=lambda s: (s.start, -s.end, s.item_id))
        self._starts = [each.start for each in self._ordered]
        self._reached = list(accumulate((each.end for each in self._ordered), max))  # ascending
        self.counts: Mapping[str, int] = Counter(each.kind for each in self._ordered)

    def between(self, start: int, end: int) -> Sequence[ShownStatement]:
        """The statements that reach into a stretch."""
        first = bisect_right(self._reached, start)
        last = bisect_left(self._starts, end)
        return [each for each in self._ordered[first:last] if each.end > start]


def statements_of(visit: Visit, document_id: str) -> Statements:
    """The statements of a document of the generation; kept between requests."""

    def read() -> Statements:
        return Statements(map(_statement, visit.view.each_extraction(document_id)))

    return visit.remember(("statements", document_id), read)


def _statement(extraction: Extraction) -> ShownStatement:
    terms = tuple((e.char_offset_start, e.char_offset_end) for e in extraction.entities if e.kind == "defined_term")
    return ShownStatement(
        extraction.char_offset_start,
        extraction.char_offset_end,
        extraction.extraction_kind,
        extraction.extraction_id,
        terms,
    )


class Resting(NamedTuple):
    """A quote that a published claim rests on."""

    start: int
    end: int
    claim_id: str
    section_id: str
    part: int


def resting_claims(visit: Visit) -> Mapping[str, Sequence[Resting]]:
    """By document id, the quotes that published claims rest on; kept between requests."""

    def read() -> Mapping[str, Sequence[Resting]]:
        found: dict[str, list[Resting]] = defaultdict(list)
        view = visit.view
        for claim_id in view.summary.claims:
            for cited in view.claims[claim_id].citations:
                section = view.section_by_id.get(cited.section_id)
                citation = section.content[cited.part].citation if section is not None else None
                if citation is not None:
                    place = Resting(citation.char_start, citation.char_end, claim_id, cited.section_id, cited.part)
                    found[citation.document_id].append(place)
        return {each: sorted(places) for each, places in found.items()}

    return visit.remember("resting claims", read)
