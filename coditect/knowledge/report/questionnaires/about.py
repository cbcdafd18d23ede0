"""Questions about a document itself, who owns it, when it is reviewed: its profile answers, with the line that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain

from coditect.documents.layout import page_of
from coditect.knowledge.derivation.source import stored_source
from coditect.knowledge.report.questionnaires.admitting import AdmittedPapers
from coditect.language.tables import read_table
from coditect.language.terms import STOPWORDS
from coditect.retrieve.words import stems
from coditect.schemas import AnsweredQuestion, ProfileFact, QuotedAnswer
from coditect.store.view import View

__all__ = ["DocumentFacts"]

_DOCUMENT = (
    r"(?P<title>(?:(?!(?:do|does|did|is|are|was|were|in|by|under|with|must|shall|should|can)\b)[\w&’'/-]+\s+){0,10}?"
    rf"(?:{read_table('documents').pattern('kinds')}))\b"
)
_END = r"(?:\s+(?:(?:that|which)\s+)?(?:is\s+)?(?:currently\s+)?(?:in\s+force|in\s+effect|in\s+use|current))?[?.\s]*\Z"
"""Nothing else is asked."""
_ASKED: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("owner", re.compile(rf"\bwho\s+(?:owns|is\s+the\s+(?:owner|author)\s+of)\s+{_DOCUMENT}{_END}", re.IGNORECASE)),
    ("owner", re.compile(rf"\bowner\s+of\s+{_DOCUMENT}{_END}", re.IGNORECASE)),
    (
        "next_review",
        re.compile(
            rf"\bwhen\s+(?:is|will|does|must)\s+{_DOCUMENT}\s+(?:\w+\s+){{0,3}}?(?:next|due)"
            r"(?:\s+(?:to\s+be\s+)?(?:reviewed|review|for\s+review))?[?.\s]*\Z",
            re.IGNORECASE,
        ),
    ),
    (
        "effective_from",
        re.compile(
            rf"\bwhen\s+did\s+{_DOCUMENT}\s+(?:take\s+effect|come\s+into\s+(?:force|effect))[?.\s]*\Z", re.IGNORECASE
        ),
    ),
    ("edition", re.compile(rf"\b(?:which|what)\s+(?:version|edition)\s+of\s+{_DOCUMENT}{_END}", re.IGNORECASE)),
)
_OWN = re.compile(r"^(?:the|your|our|its|their|this)\s+", re.IGNORECASE)
_NAMES = {"owner": "owner", "next_review": "next review", "effective_from": "first day in force", "edition": "edition"}


class DocumentFacts:
    """What the documents of a generation tell of themselves.

    Args:
        view: the generation.
        admission: which documents may answer, and which of them are in force; None: all.
    """

    def __init__(self, view: View, admission: AdmittedPapers | None = None) -> None:
        self._view = view
        self._admission = admission

    def answer(self, sheet: str, row: int, question: str) -> AnsweredQuestion | None:
        """What a document's own lines answer; None where the question asks no such thing, or no document is called so.

        Args:
            sheet: the question's sheet.
            row: its row.
            question: as it is printed.
        """
        for name, pattern in _ASKED:
            found = pattern.search(" ".join(question.split()))
            told = list(self._told(name, _OWN.sub("", found["title"].strip()))) if found else []
            if told:
                told.sort(key=lambda each: bool(each[1].standing))
                binding = [each for each in told if not each[1].standing] or told  # a former edition has another owner
                values = sorted({fact.value for fact, _ in binding})
                status = "answered" if len(values) == 1 and not told[0][1].standing else "person"
                where = "" if len(values) == 1 else "; several documents are called so"
                where += f"; the document is {told[0][1].standing[0]}" if told[0][1].standing else ""
                return AnsweredQuestion(
                    sheet=sheet,
                    row=row,
                    question=question,
                    status=status,
                    reason=f"the {_NAMES[name]} that the document names: {', '.join(values)}{where}",
                    quotes=tuple(quote for _, quote in told),
                )
        return None

    def _told(self, name: str, called: str) -> Iterator[tuple[ProfileFact, QuotedAnswer]]:
        """The fact in the documents whose titles are the words of the question, with the statement that says it."""
        wanted = frozenset(stems(called)) - _kinds()
        for document_id, version in sorted(self._view.documents.items(), key=lambda each: each[1].name):
            profile = self._view.profiles.get(document_id)
            fact = None if profile is None else getattr(profile, name)
            if self._admission is not None and not self._admission.admits(document_id):
                continue
            if fact is None or fact.char_start is None or not wanted:
                continue
            title = profile.title.value if profile is not None and profile.title is not None else version.title
            if frozenset(stems(title)) - _kinds() == wanted and (quote := self._quote(document_id, fact)) is not None:
                yield fact, quote

    def _quote(self, document_id: str, fact: ProfileFact) -> QuotedAnswer | None:
        """The words that state a fact, by the statement or else by the smallest passage that holds them."""
        start, end = fact.char_start or 0, fact.char_end or 0
        version = self._view.documents[document_id]
        statements = self._view.each_extraction(document_id)
        leaves = (each for each in self._view.passages(document_id) if each.level == 0)
        spans = chain(
            ((each.extraction_id, each.char_offset_start, each.char_offset_end) for each in statements),
            ((each.passage_id, each.char_offset_start, each.char_offset_end) for each in leaves),
        )
        item_id = next((own for own, first, after in spans if first <= start and end <= after), "")
        if not item_id:
            return None
        pages = stored_source(self._view.store, version).pages
        admission = self._admission
        return QuotedAnswer(
            item_id=item_id,
            document=version.name,
            page=page_of(pages, start) if pages else None,
            text=fact.quote,
            char_start=start,
            char_end=end,
            role="" if admission is None else admission.role(document_id),
            standing=() if admission is None else admission.standing(document_id),
        )


@cache
def _kinds() -> frozenset[str]:
    """Stems of what documents are called by kind, and of articles: "the Incident Reporting Policy" is "Incident Reporting"."""
    return frozenset(stems(" ".join((*read_table("documents").words("kinds"), *STOPWORDS))))
