"""Which conflicts, published or possible, bear on an answer: where documents differ, no quote alone answers."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from coditect.knowledge.review.doubts import possible_in
from coditect.schemas import ClaimKind, Hit
from coditect.store.view import View

__all__ = ["Conflicts"]

_DIFFERING: tuple[ClaimKind, ...] = ("conflict", "stricter")


class Conflicts:
    """The conflicts of a generation, those that are only possible among them, by the words that they cite."""

    def __init__(self, view: View, documents: frozenset[str] | None = None) -> None:
        """Index the conflicts of a generation.

        Args:
            view: the generation; its claims and their sections are read, nothing else.
            documents: ids of those that may answer: what differs from another paper is none of their conflicts; None: all.
        """
        sections = {each.section_id: each for each in view.sections}
        self._cited: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        self.texts: dict[str, str] = {}
        for claim in (*(view.claims[each] for each in view.summary.claims), *possible_in(view)):
            if claim.claim_kind not in _DIFFERING:
                continue
            quoted = [sections[each.section_id].content[each.part].citation for each in claim.citations]
            named = {cited.document_id for cited in quoted if cited is not None}
            if documents is not None and len(named) > 1 and len(named & documents) < 2:
                continue
            self.texts[claim.claim_id] = claim.text
            for cited in quoted:
                if cited is not None:
                    self._cited[cited.document_id].append((cited.char_start, cited.char_end, claim.claim_id))

    def on(self, hits: Sequence[Hit]) -> tuple[str, ...]:
        """Ids of the conflicts that cite words which answer a question, those that cite most of them first.

        Args:
            hits: the statements that speak to it, best first.
        """
        counts: Counter[str] = Counter()
        for hit in hits:
            item = hit.item
            start, end = item.char_offset_start, item.char_offset_end
            if start is not None and end is not None:
                cited = self._cited.get(item.document_id, ())
                counts.update({claim for left, right, claim in cited if left < end and start < right})
        return tuple(claim for claim, _ in counts.most_common())
