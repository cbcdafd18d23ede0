"""Hits: what was found, with its sources, what of it answers, and what was asked for beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from coditect.knowledge.query.items import Ranked, items_of, text_of
from coditect.knowledge.query.opened import Opened
from coditect.knowledge.query.shown.beside import ShownAs
from coditect.knowledge.query.small_to_big import Ancestor
from coditect.retrieve.focus import NAMING, FocusableHit, Stretch, focuses
from coditect.retrieve.port import Answer, Found
from coditect.retrieve.spoken import BESIDE, spoken_beside
from coditect.retrieve.words import read_words
from coditect.schemas import Hit, Item, PartScore, Passage, SearchOptions, Source

__all__ = ["Hits"]


@dataclass(frozen=True, slots=True)
class Hits:
    """Makes the hits of one answer.

    Attributes:
        opened: the generation.
        query: the question.
        options: what the caller wants to know of each hit.
        answer: the searcher's answer to the question.
        ancestors: with small-to-big retrieval the passages that are returned, by id; else empty.
        deep: whether each hit comes with its chain of evidence down to Tier 1.
        marks: of what is no answer itself, by item id.
    """

    opened: Opened
    query: str
    options: SearchOptions
    answer: Answer
    ancestors: Mapping[str, Ancestor]
    deep: bool
    marks: Mapping[str, ShownAs] = field(default_factory=dict)

    def of(self, ranked: Ranked, items: list[Item]) -> tuple[Hit, ...]:
        """The hits, ranked from 1.

        Args:
            ranked: best first.
            items: of these, in order.
        """
        rows = zip(ranked, items, self._focuses(ranked, items), strict=True)
        answering = self._answering()
        return tuple(
            self._hit(number, found, item, (focus, answering.get(found.item_id)), is_exact=is_exact)
            for number, ((found, is_exact), item, focus) in enumerate(rows, 1)
        )

    def _answering(self) -> dict[str, Source | None]:
        """Of what is no answer itself the sentences that answer in its passage, by item id."""
        hits = {mark.passage.item.item_id: mark.passage for mark in self.marks.values()}
        if not hits or not self.options.focus:
            return {}
        found = [Found(each.item.item_id, each.item.document_id, each.score) for each in hits.values()]
        passages = [each for each in items_of(self.opened.view, "passage", found) if isinstance(each, Passage)]
        candidates = [FocusableHit(text_of(self.opened, p), hits[p.passage_id].score, None) for p in passages]
        focused = dict(zip((p.passage_id for p in passages), self._focused(passages, candidates), strict=True))
        return {item_id: focused.get(mark.passage.item.item_id) for item_id, mark in self.marks.items()}

    def _hit(
        self, number: int, found: Found, item: Item, focuses: tuple[Source | None, Source | None], *, is_exact: bool
    ) -> Hit:
        mode = self.answer.mode
        ranked_by: Literal["lexical", "dense", "hybrid"] = "hybrid" if mode == "exact" else mode
        passage = item if isinstance(item, Passage) else None
        ancestor = self.ancestors.get(found.item_id)
        matched = None if passage is None else passage.level if ancestor is None else ancestor.matched_level
        options, opened = self.options, self.opened
        mark = self.marks.get(found.item_id)
        return Hit(
            rank=number,
            score=found.score,
            matched_by="exact" if is_exact else ranked_by,
            item=opened.sources.source(item, deep=self.deep),
            relevance=found.relevance,
            probability=found.probability,
            mark="" if mark is None else mark.words,
            answered_by=None if mark is None else mark.passage.item,
            answered_focus=focuses[1],
            token_count=None if passage is None else passage.token_count,
            matched_at_level=matched,
            returned_at_level=None if passage is None else passage.level,
            matched_child_ids=() if ancestor is None else ancestor.children,
            focus=focuses[0],
            parts=tuple(
                PartScore(part=p.name, rank=p.rank, score=p.score, weight=p.weight, contribution=p.contribution)
                for p in found.parts
            )
            if options.explain
            else (),
            context=() if options.expand is None else opened.enclosures.around(item, options.expand),
            references=() if not options.follow else opened.links.follow(item),
        )

    def _focuses(self, ranked: Ranked, items: list[Item]) -> list[Source | None]:
        """What of each hit answers; None for all that is no passage."""
        passages = [item for item in items if isinstance(item, Passage)]
        if not self.options.focus or len(passages) < len(items):
            return [None] * len(items)
        candidates = [
            FocusableHit(text_of(self.opened, passage), found.score, matched)
            for (found, _), passage, matched in zip(ranked, passages, self._matched(passages), strict=True)
        ]
        return self._focused(passages, candidates)

    def _focused(self, passages: list[Passage], candidates: list[FocusableHit]) -> list[Source | None]:
        asked = read_words(self.query).weighted(dict.fromkeys(self.answer.naming, NAMING))
        words = spoken_beside(asked, self.answer.spoken, BESIDE)
        return [
            None if stretch is None else self._stretch(passage, stretch)
            for passage, stretch in zip(passages, focuses(words, candidates), strict=True)
        ]

    def _matched(self, passages: list[Passage]) -> list[Stretch | None]:
        """Where the best child stands in each passage that was not matched itself."""
        if not self.ancestors:
            return [None] * len(passages)
        best = [self.ancestors[passage.passage_id].children[0] for passage in passages]
        children = self.opened.enclosures.passages(best, [passage.document_id for passage in passages])
        return [
            (child.char_offset_start - passage.char_offset_start, child.char_offset_end - passage.char_offset_start)
            for passage, child in zip(passages, children, strict=True)
        ]

    def _stretch(self, passage: Passage, stretch: Stretch) -> Source:
        start, end = (passage.char_offset_start + each for each in stretch)
        return self.opened.sources.stretch(
            passage.document_id, "focus", passage.passage_id, passage.heading, start, end
        )
