"""What an assistant may ask: each question goes to one use case, and comes back small, cited and fenced."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from coditect.assistants.answers import (
    ChainAnswer,
    ChangesAnswer,
    CorporaAnswer,
    CorpusOffered,
    CrosswalkAnswer,
    DocumentOffered,
    DocumentsAnswer,
    EvidenceLink,
    FoundItem,
    ReadAnswer,
    SearchAnswer,
    VerifyAnswer,
)
from coditect.assistants.citing import Citing, is_quote, shortened
from coditect.assistants.comparing import changes_answer, checked_sentence, crosswalk_answer
from coditect.assistants.fencing import fenced
from coditect.assistants.paging import page_after
from coditect.assistants.places import document_uri, item_uri
from coditect.errors import NotFound, UsageError
from coditect.schemas import DocumentVersion, Granularity, SearchFilters, SearchOptions, Source
from coditect.server.access.callers import ModelUse
from coditect.store.view import View

if TYPE_CHECKING:
    from coditect.knowledge.model_roles.on_request.examiner import Examiner
    from coditect.knowledge.service import Knowledge
    from coditect.server.access.callers import Caller, Permission

__all__ = ["MOST_READ", "MOST_VERIFIED", "AssistantDesk"]

MOST_FOUND = 20
MOST_CITED = 4
"""Citations of one item that was found, at most: the chain has all."""

MOST_LINKS = 60
MOST_READ = 20_000
"""Code points that are read at one time."""

MOST_VERIFIED = 20_000
"""Code points of a text that is checked at one time."""


@dataclass(frozen=True, slots=True)
class AssistantDesk:
    """Answers one caller. Raises the errors of the use cases; NotFound alike for what is not there and what the caller may not see.

    Attributes:
        knowledge: of the caller's tenant, in the caller's name.
        caller: who asks.
        cache: a folder for comparisons.
        model_use: who may spend the budget of the operator's language model.
    """

    knowledge: Knowledge
    caller: Caller
    cache: Path
    model_use: ModelUse = field(default_factory=ModelUse)

    def corpora(self) -> CorporaAnswer:
        """The corpora that the caller may ask."""
        offered = []
        for corpus in self.knowledge.store.corpora():
            if self.caller.knows(corpus.corpus_id):
                offered.append(
                    CorpusOffered(
                        corpus_id=corpus.corpus_id,
                        name=fenced(corpus.name),
                        generation=corpus.generation,
                        documents=corpus.document_count,
                    )
                )
        return CorporaAnswer(corpora=tuple(offered))

    def documents(self, corpus_id: str, cursor: str, limit: int, generation: int | None) -> DocumentsAnswer:
        """A page of the documents of a corpus, by name."""
        view = self.view(corpus_id, "read", generation)
        self.knowledge.note_read(corpus_id, "documents", view.generation)
        every = sorted(view.documents.values(), key=lambda each: each.name)
        page, following = page_after(every, cursor, limit)
        return DocumentsAnswer(
            corpus_id=corpus_id,
            generation=view.generation,
            documents=tuple(self._offered(view, each) for each in page),
            next_cursor=following,
        )

    def _offered(self, view: View, version: DocumentVersion) -> DocumentOffered:
        profile = view.profiles.get(version.document_id)
        role = profile.role.value if profile is not None and profile.role is not None else ""
        return DocumentOffered(
            uri=document_uri(view.corpus_id, view.generation, version.version_id),
            document=version.name,
            version_id=version.version_id,
            role=role,
            characters=version.text_length,
        )

    def search(
        self,
        corpus_id: str,
        question: str,
        tier: Granularity,
        limit: int,
        documents: Sequence[str],
        generation: int | None,
    ) -> SearchAnswer:
        """What answers a question, with the words that each answer rests on."""
        self._allowed(corpus_id, "read")
        options = SearchOptions(filters=SearchFilters(documents=tuple(documents)))
        found = self.knowledge.query(
            corpus_id,
            question,
            tier=tier,
            include_sources=True,
            limit=min(limit, MOST_FOUND),
            as_of=generation,
            options=options,
        )
        citing = Citing(corpus_id, found.generation)
        items = []
        for hit in found.hits:
            text, cut = shortened(hit.item.text, hit.item.span_of(hit.focus))
            items.append(
                FoundItem(
                    uri=item_uri(corpus_id, found.generation, hit.item.item_id),
                    item_id=hit.item.item_id,
                    kind=hit.item.kind,
                    text=text,
                    cut=cut,
                    relevance=hit.relevance or "",
                    mark=hit.mark,
                    decided="" if hit.item.decided is None else hit.item.decided.decision,
                    citations=citing.of_leaves([hit.focus] if hit.focus is not None else [hit.item], MOST_CITED),
                )
            )
        return SearchAnswer(corpus_id=corpus_id, generation=found.generation, items=tuple(items), note=found.note)

    def read(self, corpus_id: str, document: str, start: int, length: int, generation: int | None) -> ReadAnswer:
        """A part of a document's text, fenced.

        Args:
            corpus_id: the corpus.
            document: its name, or the id of it or of its version.
            start: first code point of its canonical text.
            length: code points, at most; no more than ``MOST_READ`` are given.
            generation: of the corpus; None: the current one.

        Raises:
            NotFound: no such corpus, generation or document, or the caller may not know of it.
            UsageError: the document ends before ``start``.
        """
        view = self.view(corpus_id, "read", generation)
        version = self._version(view, document)
        if start >= version.text_length:
            raise UsageError(
                "the document ends before that", document=version.name, start=start, characters=version.text_length
            )
        end = min(start + min(length, MOST_READ), version.text_length)
        self.knowledge.note_read(corpus_id, "document", view.generation, [version.version_id])
        return ReadAnswer(
            uri=document_uri(corpus_id, view.generation, version.version_id, start, end),
            document=version.name,
            generation=view.generation,
            start=start,
            end=end,
            of=version.text_length,
            text=fenced(view.text_of(version)[start:end]),
            next_start=end if end < version.text_length else None,
        )

    def words(self, corpus_id: str, generation: int, version_id: str, start: int | None, end: int | None) -> str:
        """The words behind the address of a document, fenced.

        Args:
            corpus_id: the corpus.
            generation: of the corpus.
            version_id: the document's version.
            start: first code point of its canonical text; None: its first.
            end: one past the last; None: its end.

        Raises:
            NotFound: no such corpus, generation, document or place, or the caller may not know of it.
            UsageError: they are more than ``MOST_READ``.
        """
        view = self.view(corpus_id, "read", generation)
        version = self._version(view, version_id)
        first, last = start or 0, version.text_length if end is None else end
        if not 0 <= first < last <= version.text_length:
            raise NotFound("the document has no such place", document=version.name, characters=version.text_length)
        if last - first > MOST_READ:
            raise UsageError(
                "too much at one time", characters=last - first, hint=f"At most {MOST_READ}: name start and end."
            )
        self.knowledge.note_read(corpus_id, "document", view.generation, [version.version_id])
        return fenced(view.text_of(version)[first:last])

    def chain(self, corpus_id: str, item_id: str, generation: int | None) -> ChainAnswer:
        """What an item was derived from."""
        view = self.view(corpus_id, "read", generation)
        source = self.knowledge.chain(item_id, corpus_id=corpus_id, as_of=view.generation)
        citing, every = Citing(corpus_id, view.generation), _steps(source)
        links = tuple(self._link(depth, each, citing) for depth, each in islice(every, MOST_LINKS))
        return ChainAnswer(corpus_id=corpus_id, generation=view.generation, links=links, left_out=sum(1 for _ in every))

    def _link(self, depth: int, source: Source, citing: Citing) -> EvidenceLink:
        return EvidenceLink(
            depth=depth,
            tier=source.tier,
            kind=source.kind,
            item_id=source.item_id,
            text=shortened(source.text)[0],
            citation=citing.of_source(source) if is_quote(source) else None,
        )

    def verify(self, corpus_id: str, text: str, generation: int | None, *, llm: bool = False) -> VerifyAnswer:
        """A text, checked sentence by sentence.

        Args:
            corpus_id: the corpus.
            text: what is checked.
            generation: of the corpus; None: the current one.
            llm: whether a language model reads what waits for a person.

        Raises:
            NotFound: no such corpus or generation, or the caller may not know of it.
            UsageError: the operator has not switched a model on for assistants, or the caller's role may not spend its budget.
        """
        self._allowed(corpus_id, "analyse")
        with self._examiner(corpus_id, llm=llm) as examiner:
            found = self.knowledge.verify(corpus_id, text, as_of=generation, examiner=examiner)
        citing = Citing(corpus_id, found.generation)
        return VerifyAnswer(
            corpus_id=corpus_id,
            generation=found.generation,
            label=found.label,
            counts=found.counts(),
            examiner=found.examiner,
            sentences=tuple(checked_sentence(each, citing) for each in found.sentences),
        )

    @contextmanager
    def _examiner(self, corpus_id: str, *, llm: bool) -> Iterator[Examiner | None]:
        """The language model, for as long as a text is checked; None where none is asked for."""
        if not llm:
            yield None
            return
        why_not = self.model_use.why_not(self.caller)
        if not self.model_use.by_assistants:
            why_not = "The operator has not switched a language model on for assistants."
        if why_not:
            raise UsageError("no language model reads this text", hint=f"{why_not} Ask without llm.")
        with self.knowledge.examiner(corpus_id) as examiner:
            yield examiner

    def crosswalk(
        self,
        corpus_id: str,
        framework: str,
        framework_corpus: str,
        labels: Sequence[str],
        cursor: str,
        limit: int,
        columns: str = "",
    ) -> CrosswalkAnswer:
        """A page of a framework's requirements beside what the documents of a corpus say.

        Args:
            corpus_id: the corpus of the documents.
            framework: the framework's document, or a pattern with ``*``; "": all of its corpus.
            framework_corpus: which holds it; "": the same.
            labels: of the rows that are wanted; none: all.
            cursor: from the page before; "": the first page.
            limit: rows of a page, at most.
            columns: of the framework's tables; "": guessed from their heads.

        Raises:
            NotFound: no such corpus or document, or the caller may not know of it.
            UsageError: no framework is named, it asks nothing, or the columns cannot be read.
        """
        from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk
        from coditect.knowledge.report.crosswalk.framework.tables import read_columns

        view = self.view(corpus_id, "analyse", None)
        beside = view if framework_corpus in ("", corpus_id) else self.view(framework_corpus, "analyse", None)
        if beside is view and not framework:
            raise UsageError("which framework?", hint="Name its document, or the corpus that holds it.")
        self.knowledge.note_read(corpus_id, "crosswalk", view.generation)
        compared = compare_with_framework(
            beside,
            view,
            self.knowledge.models.ranking(),
            frameworks=(framework,) if framework else (),
            columns=read_columns(columns) if columns else None,
            cache=self.cache,
        )
        return crosswalk_answer(
            make_crosswalk(compared, self.knowledge.clock()[:10]),
            Citing(corpus_id, view.generation),
            labels,
            cursor,
            limit,
        )

    def changes(self, corpus_id: str, before: int | None, after: int | None, cursor: str, limit: int) -> ChangesAnswer:
        """A page of what differs between two generations."""
        self._allowed(corpus_id, "read")
        found = self.knowledge.changes(corpus_id, before=before, after=after)
        self.knowledge.note_read(corpus_id, "changes", found.after)
        return changes_answer(found, cursor, limit)

    def _allowed(self, corpus_id: str, permission: Permission) -> None:
        """See to it that the corpus is there, the caller may know of it, and the role allows it."""
        if not self.caller.may(permission):
            raise UsageError("the role does not allow it", role=self.caller.role, needed=permission)
        known = self.caller.knows(corpus_id)
        try:
            self.knowledge.store.corpus(corpus_id if known else "")
        except NotFound:
            known = False
        if not known:
            raise NotFound("unknown corpus", corpus_id=corpus_id, hint="The tool 'corpora' lists what may be asked.")

    def view(self, corpus_id: str, permission: Permission, generation: int | None) -> View:
        """A generation of a corpus that the caller may know of, where the role allows what it is wanted for."""
        self._allowed(corpus_id, permission)
        return self.knowledge.view(corpus_id, generation)

    def _version(self, view: View, document: str) -> DocumentVersion:
        for version in view.documents.values():
            if document in (version.name, version.document_id, version.version_id):
                return version
        raise NotFound("unknown document", document=document, hint="The tool 'documents' lists them.")


def _steps(source: Source, depth: int = 0) -> Iterator[tuple[int, Source]]:
    yield depth, source
    for each in source.sources:
        yield from _steps(each, depth + 1)
