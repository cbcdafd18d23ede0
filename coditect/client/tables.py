"""What a server's corpus says to tables of others, and in lists over all of it; nothing here changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

import orjson
from pydantic import BaseModel, ConfigDict

from coditect.client.paging import changes_of, crosswalk_of, paged
from coditect.client.wire import Wire
from coditect.errors import UsageError
from coditect.schemas import (
    AbsentTarget,
    AnsweredQuestionnaire,
    AskedQuestion,
    ContractGrid,
    CorpusChanges,
    Crosswalk,
    DocumentRole,
    Erasure,
    ErasureCertificate,
    LegalHold,
)

__all__ = ["LoggedErasure", "RemoteTables"]

_QUESTIONS = 200
"""Of one request, at most."""


class LoggedErasure(BaseModel):
    """An erasure with its certificate, and where the log tells of it.

    Attributes:
        log_index: of the log's entry; None of an erasure of another store.
        erasure: who asked for what, and why.
        certificate: what went; None while it waits.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    log_index: int | None
    erasure: Erasure
    certificate: ErasureCertificate | None


class RemoteTables:
    """The part of :class:`coditect.client.corpus.RemoteCorpus` that answers in tables. Safe for threads.

    ``as_of`` is a generation, None the current one; ``today`` a day, None the server's.
    """

    def __init__(self, wire: Wire, corpus_id: str) -> None:
        self.corpus_id = corpus_id
        self._wire = wire
        self._root = f"/api/v1/corpora/{quote(corpus_id, safe='')}"

    def absent(self, *, as_of: int | None = None) -> tuple[AbsentTarget, ...]:
        """The same as :meth:`references`, by its former name."""
        return self.references(as_of=as_of)

    def references(self, *, as_of: int | None = None) -> tuple[AbsentTarget, ...]:
        """What the documents refer to and the corpus does not hold; as :meth:`coditect.Knowledge.references`."""
        listed = orjson.loads(self._wire.get(f"{self._root}/references", {"as_of": as_of}))["absent"]
        return tuple(AbsentTarget.model_validate(each) for each in listed)

    def changes(
        self,
        *,
        before: str | None = None,
        after: str | None = None,
        documents: Sequence[str] = (),
        today: str | None = None,
        page_rows: int | None = None,
    ) -> CorpusChanges:
        """What differs between two states, provision by provision, and what rests on it.

        Args:
            before: a generation, or a day, ISO 8601; None: the generation before ``after``.
            after: the same; None: the current one.
            documents: names, or patterns with ``*``, that restrict it.
            today: ISO 8601; None: the server's.
            page_rows: read in pages of so many changes and lines of the work list, 1 to 1000; None: in one answer.

        Raises:
            UsageError: neither a generation nor a day; or the work list is another one since a decision: ask again.
        """
        asked = {"before": before, "after": after, "document": list(documents), "today": today}
        if page_rows is None:
            return CorpusChanges.model_validate_json(self._wire.get(f"{self._root}/changes", asked))
        pages = self._pages(
            "changes", asked, page_rows, lambda page: {"before": page["before"], "after": page["after"]}
        )
        return CorpusChanges.model_validate(changes_of(pages))

    def crosswalk(
        self,
        *,
        frameworks: Sequence[str] = (),
        framework_corpus: str | None = None,
        columns: str | None = None,
        documents: Sequence[str] = (),
        as_of: int | None = None,
        page_rows: int | None = None,
    ) -> Crosswalk:
        """Requirements beside the sentences that speak to them, while the caller waits; long ones are better jobs.

        Args:
            frameworks: names of the framework's documents, or patterns with ``*``; none: all of ``framework_corpus``.
            framework_corpus: the corpus that holds it; None: the same.
            columns: of a framework that is a table: "id=HEAD,statement=HEAD"; None: guessed from the heads.
            documents: names, or patterns, of what is compared; none: all others that are in force.
            as_of: a generation; None: the current one.
            page_rows: read in pages of so many rows, 1 to 1000; None: in one answer.
        """
        asked = {
            "framework": list(frameworks), "framework_corpus": framework_corpus, "columns": columns,
            "document": list(documents), "as_of": as_of,
        }  # fmt: skip
        if page_rows is None:
            return Crosswalk.model_validate_json(self._wire.get(f"{self._root}/crosswalk", asked))

        def pinned(page: Mapping[str, Any]) -> Mapping[str, Any]:
            beside = framework_corpus not in (None, self.corpus_id)
            other = {"framework_as_of": page["framework_generation"]} if beside else {}
            return {"as_of": page["generation"], **other}

        return Crosswalk.model_validate(crosswalk_of(self._pages("crosswalk", asked, page_rows, pinned)))

    def grid(self, standard: str, *, documents: Sequence[str] = (), as_of: int | None = None) -> ContractGrid:
        """Contracts held against a standard text, clause by clause; as :meth:`coditect.Knowledge.grid`."""
        asked = {"standard": standard, "document": list(documents), "as_of": as_of}
        return ContractGrid.model_validate_json(self._wire.get(f"{self._root}/grid", asked))

    def answer_questions(
        self,
        questions: Sequence[AskedQuestion | str],
        *,
        documents: Sequence[str] = (),
        roles: Sequence[DocumentRole] = (),
        today: str | None = None,
        as_of: int | None = None,
    ) -> AnsweredQuestionnaire:
        """Questions with the documents' own words; as :meth:`coditect.Knowledge.answer_questions`, 200 in a request."""
        asked = [
            AskedQuestion(row=number, question=each) if isinstance(each, str) else each
            for number, each in enumerate(questions, 1)
        ]
        if not asked:
            raise UsageError("no questions", hint="Give one or more.")
        made: AnsweredQuestionnaire | None = None
        for first in range(0, len(asked), _QUESTIONS):
            body = {
                "questions": [each.model_dump(mode="json") for each in asked[first : first + _QUESTIONS]],
                "documents": list(documents), "roles": list(roles), "today": today,
            }  # fmt: skip
            where = as_of if made is None else made.generation
            params = {} if where is None else {"as_of": where}
            told = self._wire.post(f"{self._root}/questionnaires", _given(body, params))
            found = AnsweredQuestionnaire.model_validate_json(told)
            made = found if made is None else made.model_copy(update={"questions": (*made.questions, *found.questions)})
        assert made is not None  # noqa: S101 - there were questions
        return made

    def questionnaire(
        self,
        workbook: bytes,
        *,
        name: str = "questionnaire.xlsx",
        sheet: str | None = None,
        column: str | None = None,
        documents: Sequence[str] = (),
        roles: Sequence[DocumentRole] = (),
        today: str | None = None,
        as_of: int | None = None,
    ) -> tuple[AnsweredQuestionnaire, bytes]:
        """The questions of a workbook with their answers, and the workbook with these in it; only the questions are sent.

        As :meth:`coditect.Knowledge.questionnaire`.
        """
        from coditect.reports.questionnaires.answered import answered_workbook

        return answered_workbook(
            workbook,
            name,
            lambda asked: self.answer_questions(asked, documents=documents, roles=roles, today=today, as_of=as_of),
            sheet=sheet,
            column=column,
        )

    def holds(self, *, page_rows: int = 100) -> Iterator[LegalHold]:
        """The legal holds that are in force, the oldest first, page by page as they are read; for auditors.

        Args:
            page_rows: of a page, from 1 to 1000.
        """
        for each in self._rows("holds", "holds", {"limit": page_rows}):
            yield LegalHold.model_validate(each)

    def erasures(self, *, page_rows: int = 100) -> Iterator[LoggedErasure]:
        """Erasures with their certificates, the oldest first, page by page as they are read; for auditors.

        Args:
            page_rows: of a page, from 1 to 1000.
        """
        for each in self._rows("erasures", "erasures", {"limit": page_rows}):
            yield LoggedErasure.model_validate(each)

    def _pages(
        self,
        path: str,
        asked: Mapping[str, Any],
        page_rows: int,
        pinned: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda page: {"as_of": page["generation"]},
    ) -> Iterator[dict[str, Any]]:
        """The pages of an answer, all of the generations that the first one is of; see :func:`coditect.client.paging.paged`."""

        def ask(more: Mapping[str, Any]) -> dict[str, Any]:
            page: dict[str, Any] = orjson.loads(self._wire.get(f"{self._root}/{path}", {**asked, **more}))
            return page

        return paged(ask, page_rows, pinned)

    def _rows(self, path: str, name: str, asked: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """What a list holds under a name, page by page as it is read."""
        cursor = ""
        while True:
            page = orjson.loads(self._wire.get(f"{self._root}/{path}", {**asked, "cursor": cursor}))
            yield from page[name]
            cursor = page.get("next", "")  # a server of before gives all documents at once
            if not cursor:
                return


def _given(body: Mapping[str, Any], params: Mapping[str, Any]) -> Callable[[], Mapping[str, Any]]:
    return lambda: {"json": body, "params": params}
