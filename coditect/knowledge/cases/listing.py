"""Lists and tables over a whole generation: documents, what they refer to, crosswalks, grids, and questionnaires."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from coditect.knowledge.cases.asking import AskingCases
from coditect.knowledge.progress import Progress, silent
from coditect.schemas.day import require_day

if TYPE_CHECKING:
    from coditect.schemas import (
        AbsentTarget,
        AnsweredQuestionnaire,
        AskedQuestion,
        ContractGrid,
        Crosswalk,
        DocumentRole,
        ListedDocument,
    )

# What only some use cases need is imported where it is used: a question need not wait for what a build loads.

__all__ = ["ListingCases"]

MOST_LOOKED_AT = 25
"""Statements that are looked at for a question of a questionnaire."""


class ListingCases(AskingCases):
    """What a corpus holds as a whole, and what it says to tables of others."""

    def documents(
        self, corpus_id: str, *, as_of: int | None = None, today: str | None = None
    ) -> tuple[ListedDocument, ...]:
        """The documents of a generation by name, with what is known of each and what its dates say on a day.

        Args:
            corpus_id: of the corpus.
            as_of: a generation; None is the current one.
            today: the day that dates are held against, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus or generation.
            UsageError: there is no such day.
        """
        from coditect.knowledge.report.shapes import listed_documents
        from coditect.knowledge.report.standing import standing_of

        require_day("today", today)
        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "documents", view.generation)
        return listed_documents(view, standing_of(view, today or self.clock()[:10]))

    def references(self, corpus_id: str, *, as_of: int | None = None) -> tuple[AbsentTarget, ...]:
        """What the documents refer to and the corpus does not hold, the most cited first.

        Args:
            corpus_id: of the corpus.
            as_of: a generation; None is the current one.
        Raises:
            NotFound: no such corpus or generation.
        """
        from coditect.knowledge.report.absent import absent_targets

        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "references", view.generation)
        return absent_targets(view)

    def crosswalk(
        self,
        corpus_id: str,
        *,
        frameworks: Sequence[str] = (),
        framework_corpus: str | None = None,
        columns: str | None = None,
        documents: Sequence[str] = (),
        as_of: int | None = None,
        today: str | None = None,
        cache: Path | None = None,
        progress: Progress = silent,
    ) -> Crosswalk:
        """Requirements of a framework beside the sentences that speak to them, each with a label and a reason, by rules alone.

        Args:
            corpus_id: the corpus whose documents are compared.
            frameworks: names of the framework's documents, or patterns with ``*``; none: all of its corpus.
            framework_corpus: which holds them; None: the same.
            columns: of a framework that is a table: "id=HEAD,statement=HEAD"; None: guessed from the heads.
            documents: names, or patterns, of what is compared; none: all others that are in force.
            as_of: the generation of the documents; None is the current one.
            today: the day by which accepted risks expire, ISO 8601; None is that of the clock.
            cache: a folder where comparisons are kept; None: none are.
            progress: told as documents are done.
        Raises:
            NotFound: no such corpus, generation or document.
            UsageError: no framework is named, it asks nothing, or the columns cannot be told.
        """
        from coditect.errors import UsageError
        from coditect.knowledge.report.crosswalk.assembly import compare_with_framework, make_crosswalk
        from coditect.knowledge.report.crosswalk.framework.tables import read_columns

        require_day("today", today)
        if not frameworks and framework_corpus in (None, corpus_id):
            raise UsageError("which framework?", hint="Name its documents, or the corpus that holds it.")
        told = None if columns is None else read_columns(columns)
        view = self.view(corpus_id, as_of)
        beside = view if framework_corpus in (None, corpus_id) else self.view(str(framework_corpus))
        self.note_read(corpus_id, "crosswalk", view.generation)
        compared = compare_with_framework(
            beside,
            view,
            self.models.ranking(),
            frameworks=frameworks,
            documents=documents,
            columns=told,
            cache=cache,
            progress=progress,
        )
        return make_crosswalk(compared, today or self.clock()[:10])

    def grid(
        self, corpus_id: str, standard: str, *, documents: Sequence[str] = (), as_of: int | None = None
    ) -> ContractGrid:
        """Contracts held against a standard text, clause by clause.

        Args:
            corpus_id: the corpus that holds them all.
            standard: name of the standard text's document.
            documents: names of the contracts, or patterns with ``*``; none: all others whose role is that of a contract.
            as_of: a generation; None is the current one.
        Raises:
            NotFound: no such corpus, generation or document.
            UsageError: no contracts are left, or the standard text has no clauses.
        """
        from coditect.knowledge.report.changes.grid import contract_grid

        view = self.view(corpus_id, as_of)
        self.note_read(corpus_id, "grid", view.generation)
        return contract_grid(view, standard, self.models.ranking(), documents=documents)

    def answer_questions(
        self,
        corpus_id: str,
        questions: Sequence[AskedQuestion | str],
        *,
        documents: Sequence[str] = (),
        roles: Sequence[DocumentRole] = (),
        as_of: int | None = None,
        today: str | None = None,
    ) -> AnsweredQuestionnaire:
        """Questions with the documents' own words: what speaks to each, "not found", or why a person has to look.

        Args:
            corpus_id: the corpus whose documents answer.
            questions: in their order; a text is one without a place.
            documents: names, or patterns with ``*``, of those that may answer; none: all.
            roles: what those that may answer are; none: whatever they are.
            as_of: a generation; None is the current one.
            today: the day that documents' dates are held against, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation or document, or none of such a role.
            UsageError: there is no such day.
        """
        from coditect.knowledge.report.questionnaires.admitting import AdmittedPapers, answering_documents
        from coditect.knowledge.report.questionnaires.answering import AnswerGrounds, answers
        from coditect.schemas import AnsweredQuestionnaire, AskedQuestion, SearchFilters, SearchOptions

        require_day("today", today)
        view = self.view(corpus_id, as_of)
        day = today or self.clock()[:10]
        chosen = answering_documents(view, documents, roles)
        filters = SearchFilters(documents=() if chosen is None else tuple(sorted(chosen)))
        asked = [
            AskedQuestion(row=number, question=each) if isinstance(each, str) else each
            for number, each in enumerate(questions, 1)
        ]
        found = answers(
            asked,
            lambda words: self.query(
                corpus_id,
                words,
                tier="extraction",
                limit=MOST_LOOKED_AT,
                as_of=view.generation,
                options=SearchOptions(filters=filters),
            ),
            AnswerGrounds.of(view, AdmittedPapers(view, day, chosen)),
        )
        return AnsweredQuestionnaire(
            corpus_id=corpus_id,
            generation=view.generation,
            build_id=view.manifest.build_id,
            today=day,
            documents=() if chosen is None else tuple(sorted(view.documents[each].name for each in chosen)),
            questions=tuple(found),
        )

    def questionnaire(
        self,
        corpus_id: str,
        workbook: bytes,
        *,
        name: str = "questionnaire.xlsx",
        sheet: str | None = None,
        column: str | None = None,
        documents: Sequence[str] = (),
        roles: Sequence[DocumentRole] = (),
        as_of: int | None = None,
        today: str | None = None,
    ) -> tuple[AnsweredQuestionnaire, bytes]:
        """The questions of a workbook with their answers, and the workbook with these in it, in its own formatting.

        Args:
            corpus_id: the corpus whose documents answer.
            workbook: the bytes of an .xlsx or .xlsm file.
            name: of the file, for errors.
            sheet: only this sheet; None: every sheet with a column of questions.
            column: letter of the questions' column; None: the one whose head says so.
            documents: as :meth:`answer_questions` has it.
            roles: as :meth:`answer_questions` has it.
            as_of: a generation; None is the current one.
            today: the day that documents' dates are held against, ISO 8601; None is that of the clock.
        Raises:
            NotFound: no such corpus, generation or document, or none of such a role.
            ReadError: no workbook, or none of its sheets has a column of questions.
            UsageError: there is no such day.
        """
        from coditect.reports.questionnaires.answered import answered_workbook

        require_day("today", today)
        return answered_workbook(
            workbook,
            name,
            lambda asked: self.answer_questions(
                corpus_id, asked, documents=documents, roles=roles, as_of=as_of, today=today
            ),
            sheet=sheet,
            column=column,
        )
