"""Questions: answers at any tier, registers, changes, and the chain of evidence down to a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from coditect.errors import NotFound
from coditect.knowledge.cases.base import KnowledgeBase
from coditect.knowledge.progress import Progress, silent
from coditect.knowledge.query.drilldown import chain, drill_down, drill_down_from, read_item
from coditect.knowledge.query.pages.desk import WIDTH_PX
from coditect.knowledge.query.search import run_query
from coditect.schemas.day import require_day

if TYPE_CHECKING:
    from coditect.knowledge.report.registers.selection import RegisterFilters
    from coditect.schemas import (
        AgreementRow,
        ConflictPage,
        ConflictRow,
        CorpusChanges,
        DocumentVersion,
        DrillDown,
        DutyHistory,
        Granularity,
        Item,
        PageRectangles,
        QueryResult,
        RegisterRow,
        SearchOptions,
        Source,
        WaiverRow,
        WaiverStatus,
    )

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["AskingCases"]

LOOKED_BACK = 3
"""Generations that may answer where search of the current one is not made; as many replicas stay beside the newest."""


class AskingCases(KnowledgeBase):
    """What a corpus says, and what that rests on."""

    def searched_generation(self, corpus_id: str) -> int:
        """The newest generation of which search is made: the current one, or one of the few before it.

        A generation that another machine built is not searched here before its replica is made, which takes minutes where it is
        large. What was erased since counts: a replica that still holds it is none of the generation any more.

        Args:
            corpus_id: the corpus.
        Returns:
            The current one, too, where search of none of them is made.
        Raises:
            NotFound: no such corpus, or it was never built.
        """
        current = self.view(corpus_id).generation
        for number in range(current, max(0, current - LOOKED_BACK), -1):
            with suppress(NotFound):  # a generation that was removed
                if self.searcher.is_ready(self.view(corpus_id, number)):
                    return number
        return current

    def query(
        self,
        corpus_id: str,
        query: str,
        *,
        tier: Granularity = "section",
        include_sources: bool = False,
        limit: int = 10,
        as_of: int | None = None,
        options: SearchOptions | None = None,
    ) -> QueryResult:
        """Answer a question from one granularity of one generation. No hits is an answer.

        Args:
            corpus_id: the corpus.
            query: words; phrases in quotation marks must stand verbatim in an exact match.
            tier: which items answer: one of the four tiers, passages, or propositions.
            include_sources: fill in the chain of evidence of each hit, down to Tier 1.
            limit: hits, 1 to 1000.
            as_of: the generation that answers; None is the current one.
            options: mode, filters, gate and what else is wanted; None: the defaults.
        Raises:
            UsageError: an empty query, an unknown tier, a limit or level out of range, dense search without an embedder.
            NotFound: no such corpus or generation, or a filter names what is not there.
            Corrupt: the search replica does not fit the store.
        """
        opened, is_calibrated = self._opened_now(corpus_id, as_of)
        result = run_query(
            opened,
            self.searcher,
            query,
            tier=tier,
            include_sources=include_sources,
            limit=limit,
            options=options,
            is_calibrated=is_calibrated,
        )
        if self._reads is not None:
            self.note_read(corpus_id, "query", opened.view.generation, [hit.item.item_id for hit in result.hits], query)
        return result

    def register(
        self,
        corpus_id: str,
        filters: RegisterFilters | None = None,
        *,
        as_of: int | None = None,
        today: str | None = None,
    ) -> Iterator[RegisterRow]:
        """What the documents say, statement by statement, in the order of documents and texts; behind them the published claims.

        Args:
            corpus_id: of the corpus.
            filters: which rows; None: all.
            as_of: a generation; None is the current one.
            today: the day that documents' dates are held against, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation, document or topic.
            UsageError: there is no such day.
        """
        from coditect.knowledge.report.registers.rows import register_rows
        from coditect.knowledge.report.registers.selection import RegisterFilters

        require_day("today", today)
        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "register", view.generation)
        return register_rows(view, filters or RegisterFilters(), today or self.clock()[:10])

    def agreements(
        self, corpus_id: str, *, documents: Sequence[str] = (), as_of: int | None = None, today: str | None = None
    ) -> Iterator[AgreementRow]:
        """Contracts with their parties, days, term, renewal, notice, law and leave, each with its sentence, by name.

        Args:
            corpus_id: of the corpus.
            documents: names, or patterns with ``*``, whatever their role; none: every document that is a contract.
            as_of: a generation; None is the current one.
            today: the day up to which automatic renewals are counted, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation or document.
            UsageError: there is no such day.
        """
        from coditect.knowledge.report.registers.agreements import agreement_rows

        require_day("today", today)
        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "register", view.generation)
        return agreement_rows(view, today or self.clock()[:10], documents=documents)

    def waivers(
        self,
        corpus_id: str,
        *,
        documents: Sequence[str] = (),
        statuses: Sequence[WaiverStatus] = (),
        rules: bool = False,
        as_of: int | None = None,
        today: str | None = None,
    ) -> Iterator[WaiverRow]:
        """Exceptions and waivers: who is excused from what, by whom, until when, each with its sentence, in the order of the texts.

        Args:
            corpus_id: of the corpus.
            documents: names, or patterns with ``*``; none: every document.
            statuses: only what stands so on the day; none: whatever its status.
            rules: whether rules about exceptions are listed, too.
            as_of: a generation; None is the current one.
            today: the day on which they are looked at, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation or document.
            UsageError: there is no such day.
        """
        from coditect.knowledge.report.registers.waivers import waiver_rows

        require_day("today", today)
        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "register", view.generation)
        return waiver_rows(view, today or self.clock()[:10], documents=documents, statuses=statuses, rules=rules)

    def conflicts(
        self,
        corpus_id: str,
        *,
        documents: Sequence[str] = (),
        limit: int = 20,
        as_of: int | None = None,
        today: str | None = None,
        progress: Progress = silent,
    ) -> list[ConflictRow]:
        """Possible conflicts: pairs of sentences near in meaning that fix different things, nearest first, for a person to read.

        Args:
            corpus_id: of the corpus.
            documents: names, or patterns with ``*``, of which each pair has at least one; none: every document.
            limit: pairs, 1 to 500.
            as_of: a generation; None is the current one.
            today: the day that decides which documents are in force, ISO 8601; None is that of the clock.
            progress: told as documents are read and sentences compared.
        Raises:
            NotFound: no such corpus, generation or document.
            UsageError: there is no such day; the limit is out of range; no embedder is configured.
        """
        page = self.conflict_page(
            corpus_id, documents=documents, limit=limit, as_of=as_of, today=today, progress=progress
        )
        return list(page.rows)

    def conflict_page(
        self,
        corpus_id: str,
        *,
        documents: Sequence[str] = (),
        first: int = 0,
        limit: int = 20,
        as_of: int | None = None,
        today: str | None = None,
        progress: Progress = silent,
    ) -> ConflictPage:
        """Some of the possible conflicts, and how many there are. As :meth:`conflicts` otherwise.

        Args:
            corpus_id: of the corpus.
            documents: as :meth:`conflicts` has it.
            first: pairs that are passed over.
            limit: pairs, 1 to 500.
            as_of: a generation; None is the current one.
            today: as :meth:`conflicts` has it.
            progress: told as documents are read and sentences compared.
        """
        from coditect.knowledge.report.registers.conflicts import conflict_page

        require_day("today", today)
        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "register", view.generation)
        return conflict_page(
            view,
            self.models.ranking(),
            today or self.clock()[:10],
            documents=documents,
            first=first,
            most=limit,
            progress=progress,
        )

    def changes(
        self,
        corpus_id: str,
        *,
        before: int | str | None = None,
        after: int | str | None = None,
        documents: Sequence[str] = (),
        today: str | None = None,
    ) -> CorpusChanges:
        """What differs between two states of a corpus, provision by provision, and what rests on it.

        Args:
            corpus_id: of the corpus.
            before: a generation, or a day, ISO 8601: the generation that was current at its end; None: the one before ``after``.
            after: the same; None: the current one.
            documents: names, or patterns with ``*``, that restrict it.
            today: the day on which decisions are in force, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation or document, or none before that day.
            UsageError: neither a generation nor a day; or nothing lies between the two.
        """
        from coditect.knowledge.cases.comparing import states_compared

        return states_compared(self, corpus_id, before=before, after=after, documents=documents, today=today).changes

    def changes_between(
        self, corpus_id: str, old: str, new: str, *, as_of: int | None = None, today: str | None = None
    ) -> CorpusChanges:
        """What differs between two documents of one generation, such as two editions of a framework, and what rests on it.

        Args:
            corpus_id: of the corpus.
            old: name of the earlier edition.
            new: name of the later one.
            as_of: the generation; None is the current one.
            today: the day on which decisions are in force, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation or document.
            UsageError: there is no such day.
        """
        from coditect.knowledge.cases.comparing import documents_compared

        return documents_compared(self, corpus_id, old, new, as_of=as_of, today=today).changes

    def duty_history(
        self,
        corpus_id: str,
        *,
        before: int | str | None = None,
        after: int | str | None = None,
        documents: Sequence[str] = (),
        editions: Sequence[str] = (),
    ) -> DutyHistory:
        """How many duties came, went, or became stricter, looser or other, from each state of a corpus to the next.

        Args:
            corpus_id: of the corpus.
            before: the state that it begins with, a generation, or a day, ISO 8601; None: the first.
            after: the state that it ends with; None: the current one.
            documents: names, or patterns with ``*``, that restrict it.
            editions: instead of generations: documents of the generation ``after`` that are editions of one, or patterns.
        Raises:
            NotFound: no such corpus, generation or document, or none before that day.
            UsageError: neither a generation nor a day; or a single edition.
        """
        from coditect.knowledge.report.changes.history import duties_of_editions, duties_of_generations
        from coditect.knowledge.report.changes.states import generation_of
        from coditect.store.generations import generations

        last = generation_of(self.store, corpus_id, after)
        view = self.view(corpus_id, last)
        if editions:
            return duties_of_editions(view, editions)
        first = 1 if before is None else generation_of(self.store, corpus_id, before)
        states = [each for each in generations(self.store, corpus_id) if first <= each.generation <= last]
        if not states:
            raise NotFound("nothing lies between these states", corpus_id=corpus_id, before=first, after=last)
        return duties_of_generations(corpus_id, states, lambda number: self.view(corpus_id, number), documents)

    def drill_down(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> list[Source]:
        """The items one tier below an item, by its id alone; none below Tier 1.

        Args:
            item_id: of a claim, section, chunk, extraction or passage; the corpus is found from it.
            corpus_id: look in this corpus only.
            as_of: a generation; None is the current one, or the newest that holds the item.
        Raises:
            UsageError: not an item id.
            NotFound: no such item.
        """
        self._note_item(item_id, corpus_id, as_of)
        return drill_down(self.store, item_id, corpus_id=corpus_id, as_of=as_of, views=self.view)

    def drill_down_from(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> DrillDown:
        """An item itself, with its words, place and file hash, and the items one tier below. As :meth:`drill_down` otherwise."""
        self._note_item(item_id, corpus_id, as_of)
        return drill_down_from(self.store, item_id, corpus_id=corpus_id, as_of=as_of, views=self.view)

    def _note_item(self, item_id: str, corpus_id: str | None, as_of: int | None) -> None:
        """Keep the read of an item, whose corpus its id tells."""
        if self._reads is not None:
            from coditect.store.item_ids import locate

            found = corpus_id or next((corpus for corpus, _ in locate(self.store, item_id)), "")
            self.note_read(found, "drill down", as_of or 0, [item_id])

    def chain(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> Source:
        """An item with its whole chain of evidence, down to characters, page and file hash. As :meth:`drill_down` otherwise."""
        self._note_item(item_id, corpus_id, as_of)
        return chain(self.store, item_id, corpus_id=corpus_id, as_of=as_of, views=self.view)

    def item(self, item_id: str, *, corpus_id: str | None = None, as_of: int | None = None) -> Item:
        """An item of any kind as it is stored, by its id alone. As :meth:`drill_down` otherwise."""
        self._note_item(item_id, corpus_id, as_of)
        return read_item(self.store, item_id, corpus_id=corpus_id, as_of=as_of, views=self.view)

    def rectangles(
        self, corpus_id: str, document: str, start: int, end: int, *, as_of: int | None = None
    ) -> list[PageRectangles]:
        """Where some words stand on the pages of a document, in points; whole words, a rectangle for each line or cell of a table.

        Args:
            corpus_id: the corpus.
            document: id of the document, or of its version.
            start: first code point of its canonical text.
            end: one past the last.
            as_of: a generation; None is the current one.
        Returns:
            A page after the other; [] where the format has no pages, or where its words were not placed when it was read and
            the file does not give the same text again.

        Raises:
            NotFound: no such corpus, generation or document.
            UsageError: its text has no such span.
        """
        return self.page_desk.rectangles(self.store, self._shown_document(corpus_id, document, as_of), start, end)

    def page_image(
        self, corpus_id: str, document: str, page: int, *, width_px: int = WIDTH_PX, as_of: int | None = None
    ) -> bytes:
        """A page of a PDF as it looks: PNG, the same bytes each time, drawn in a process of its own.

        Args:
            corpus_id: the corpus.
            document: id of the document, or of its version.
            page: 1-based physical page.
            width_px: of the picture, 200 to 2,400; a page of very odd proportions is drawn smaller.
            as_of: a generation; None is the current one.

        Raises:
            NotFound: no such corpus, generation, document or page.
            UsageError: the document is no PDF.
            ReadError: the page cannot be drawn within the budget of reading.
        """
        version = self._shown_document(corpus_id, document, as_of)
        return self.page_desk.picture(self.store, version, page, width_px)

    def _shown_document(self, corpus_id: str, document: str, as_of: int | None) -> DocumentVersion:
        """A document of a generation, and the note that it was read."""
        view = self.view(corpus_id, as_of)
        found = next((v for v in view.documents.values() if document in (v.document_id, v.version_id)), None)
        if found is None:
            raise NotFound("unknown document", document_id=document, corpus_id=corpus_id)
        self.note_read(corpus_id, "document", view.generation, [found.version_id])
        return found
