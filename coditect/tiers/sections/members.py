"""Members of registers: which chunks speak to a register, found by what their sentences measure and where they stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from coditect.schemas import Chunk
from coditect.tiers.sections.composition import Member
from coditect.tiers.sections.topics import Topic

__all__ = ["Speaking"]


class Speaking:
    """The chunks of a corpus by the measures that their sentences fix, and by the places of these.

    Args:
        chunks: of the corpus.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._by_measure: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
        self._by_place: dict[tuple[str, int], list[int]] = defaultdict(list)
        for number, chunk in enumerate(chunks):
            for sentence in chunk.selected_sentences:
                self._by_place[chunk.document_id, sentence.char_start].append(number)
                for measure in sentence.measures:
                    self._by_measure[measure.kind, measure.head][number] = None

    def to(self, register: Topic) -> list[Member]:
        """The chunks that hold a sentence which a register admits (:meth:`Topic.admits`), in their order.

        Args:
            register: of any kind but "topic".
        """
        if register.kind == "measure":
            numbers = set(self._by_measure.get(register.measure, ()))
        else:
            numbers = {number for place in register.disputed for number in self._by_place.get(place, ())}
        return [Member(self._chunks[number], 1.0) for number in sorted(numbers)]
