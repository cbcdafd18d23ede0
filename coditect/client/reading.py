"""What a corpus of a server answers; nothing here changes it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote

import orjson
from pydantic import TypeAdapter

from coditect.client.tables import RemoteTables
from coditect.schemas import (
    AgreementRow,
    ConflictRow,
    CorpusStatus,
    DecisionStatus,
    DocumentVersion,
    DrillDown,
    ExaminerReads,
    ExtractionKind,
    Granularity,
    ListedDocument,
    PendingReview,
    QueryResult,
    RegisterRow,
    SearchMode,
    Source,
    TextReport,
    WaiverRow,
    WaiverStatus,
)

__all__ = ["RemoteReading"]


class RemoteReading(RemoteTables):
    """The part of :class:`coditect.client.corpus.RemoteCorpus` that asks. Safe for threads.

    ``as_of`` is a generation, None the current one; ``today`` a day, None the server's.
    """

    def status(self) -> CorpusStatus:
        """What is in it, what is pending, what failed, and its generations."""
        return CorpusStatus.model_validate_json(self._wire.get(self._root))

    def query(
        self,
        query: str,
        tier: Granularity = "section",
        *,
        limit: int = 10,
        include_sources: bool = False,
        mode: SearchMode = "hybrid",
        gate: bool = True,
        explain: bool = False,
        documents: Sequence[str] = (),
        topics: Sequence[str] = (),
        kinds: Sequence[ExtractionKind] = (),
        today: str | None = None,
        as_of: int | None = None,
    ) -> QueryResult:
        """Answer a question at one tier; as :meth:`coditect.Knowledge.query`."""
        asked: dict[str, Any] = {
            "query": query, "tier": tier, "limit": limit, "include_sources": include_sources, "mode": mode, "gate": gate,
            "explain": explain, "document": list(documents), "topic": list(topics), "kind": list(kinds), "today": today,
            "as_of": as_of,
        }  # fmt: skip
        return QueryResult.model_validate_json(self._wire.get(f"{self._root}/query", asked))

    def item(self, item_id: str, *, as_of: int | None = None) -> Mapping[str, Any]:
        """An item of any kind as it is stored: its record, as JSON has it."""
        found: dict[str, Any] = orjson.loads(self._wire.get(f"{self._root}/items/{item_id}", {"as_of": as_of}))
        return found

    def chain(self, item_id: str, *, as_of: int | None = None) -> Source:
        """An item with its whole chain of evidence, down to the characters of files."""
        return Source.model_validate_json(self._wire.get(f"{self._root}/items/{item_id}/chain", {"as_of": as_of}))

    def sources(self, item_id: str, *, as_of: int | None = None) -> DrillDown:
        """An item itself, and the items one tier below it; as :meth:`coditect.Knowledge.drill_down_from`."""
        return DrillDown.model_validate_json(self._wire.get(f"{self._root}/items/{item_id}/sources", {"as_of": as_of}))

    def documents(self, *, today: str | None = None, as_of: int | None = None) -> tuple[ListedDocument, ...]:
        """The documents by name; as :meth:`coditect.Knowledge.documents`. Each is read as the JSON that it came from, too."""
        listed = self._rows("documents", "documents", {"today": today, "as_of": as_of, "limit": 1000})
        return tuple(map(_listed, listed))

    def document(self, document_id: str, *, as_of: int | None = None) -> DocumentVersion:
        """What is stored about a document, losses in reading included.

        Args:
            document_id: of the document or of a version of it, or its name in the corpus.
            as_of: a generation; None: the current one.
        """
        return DocumentVersion.model_validate_json(self._wire.get(self._document(document_id, as_of), {"as_of": as_of}))

    def text(self, document_id: str, *, as_of: int | None = None) -> str:
        """The canonical text of a document, the one that all offsets refer to; arguments as for :meth:`document`."""
        return self._wire.get(f"{self._document(document_id, as_of)}/text", {"as_of": as_of}).decode()

    def original(self, document_id: str, *, as_of: int | None = None) -> bytes:
        """The bytes of a document's file, as they were given; arguments as for :meth:`document`."""
        return self._wire.get(f"{self._document(document_id, as_of)}/original", {"as_of": as_of})

    def register(
        self,
        register: Literal["all", "obligations", "definitions", "deadlines", "claims"] = "all",
        *,
        page_rows: int = 500,
        **filters: Any,  # noqa: ANN401 - as the API names them
    ) -> Iterator[RegisterRow]:
        """The rows of a register, page by page as they are read.

        Args:
            register: which.
            page_rows: of a page, from 1 to 1000.
            filters: by the API's names: actor, document, modality, topic, contains, due_within, severity, kind, permissions,
                several, in_force, today, as_of.

        Raises:
            UsageError: the corpus was built anew in between: begin again, or name a generation with ``as_of``.
        """
        for each in self._rows(f"registers/{register}", "rows", {**filters, "limit": page_rows}):
            yield RegisterRow.model_validate(each)

    def agreements(
        self,
        *,
        documents: Sequence[str] = (),
        ends_within: str = "",
        today: str | None = None,
        as_of: int | None = None,
        page_rows: int = 100,
    ) -> Iterator[AgreementRow]:
        """Contracts with their parties, days, term, renewal, notice, law and leave, page by page as they are read.

        Args:
            documents: names, or patterns with ``*``, whatever their role; none: every document that is a contract.
            ends_within: "90 days", "6 months": only what ends, or whose notice is due, so soon after ``today``; "": all.
            today: ISO 8601; None: the server's.
            as_of: a generation; None: the current one.
            page_rows: of a page, from 1 to 1000.
        """
        asked = {
            "document": list(documents),
            "ends_within": ends_within,
            "today": today,
            "as_of": as_of,
            "limit": page_rows,
        }
        for each in self._rows("agreements", "agreements", asked):
            yield AgreementRow.model_validate(each)

    def waivers(
        self,
        *,
        documents: Sequence[str] = (),
        statuses: Sequence[WaiverStatus] = (),
        ends_within: str = "",
        rules: bool = False,
        today: str | None = None,
        as_of: int | None = None,
        page_rows: int = 100,
    ) -> Iterator[WaiverRow]:
        """Exceptions and waivers: who is excused from what, by whom, until when, page by page as they are read.

        Args:
            documents: names, or patterns with ``*``; none: every document.
            statuses: only what stands so on that day; none: whatever its status.
            ends_within: "90 days", "6 months": only what ends so soon after ``today``; "": all.
            rules: also rules about exceptions.
            today: ISO 8601; None: the server's.
            as_of: a generation; None: the current one.
            page_rows: of a page, from 1 to 1000.
        """
        asked = {
            "document": list(documents),
            "status": list(statuses),
            "ends_within": ends_within,
            "rules": rules,
            "today": today,
            "as_of": as_of,
            "limit": page_rows,
        }
        for each in self._rows("waivers", "waivers", asked):
            yield WaiverRow.model_validate(each)

    def conflicts(
        self, *, documents: Sequence[str] = (), limit: int = 20, today: str | None = None, as_of: int | None = None
    ) -> tuple[ConflictRow, ...]:
        """Possible conflicts: pairs of sentences near in meaning that fix different things, nearest first, for a person to read.

        Args:
            documents: names, or patterns with ``*``, of which each pair has at least one; none: every document.
            limit: pairs, 1 to 500.
            today: ISO 8601; None: the server's.
            as_of: a generation; None: the current one.
        """
        asked = {"document": list(documents), "limit": limit, "today": today, "as_of": as_of}
        listed = orjson.loads(self._wire.get(f"{self._root}/conflicts", asked))["conflicts"]
        return tuple(ConflictRow.model_validate(each) for each in listed)

    def verify(
        self,
        text: str,
        *,
        minimum_support: float | None = None,
        as_of: int | None = None,
        reads: ExaminerReads | None = None,
    ) -> TextReport:
        """Check a text; it is sent to the server, not kept there. With ``reads`` the server's language model reads that."""
        body = {"text": text} | ({} if minimum_support is None else {"minimum_support": minimum_support})
        body |= {} if reads is None else {"llm": "claude", "llm_reads": reads}
        asked = {} if as_of is None else {"as_of": as_of}
        answered = self._wire.post(f"{self._root}/verify", lambda: {"json": body, "params": asked})
        return TextReport.model_validate_json(answered)

    def pending_reviews(self, *, as_of: int | None = None, page_rows: int | None = None) -> tuple[PendingReview, ...]:
        """What is left to a person.

        Args:
            as_of: a generation; None: the current one.
            page_rows: read in pages of so many, 1 to 1000; None: in one answer.

        Raises:
            UsageError: somebody decided between two pages, so that the list is another one: ask again.
        """
        return TypeAdapter(tuple[PendingReview, ...]).validate_json(
            self._reviews("reviews/pending", "pending", as_of, page_rows)
        )

    def reviews(self, *, as_of: int | None = None, page_rows: int | None = None) -> tuple[DecisionStatus, ...]:
        """What persons decided, by time, and what became of it; arguments and errors as for :meth:`pending_reviews`."""
        return TypeAdapter(tuple[DecisionStatus, ...]).validate_json(
            self._reviews("reviews", "reviews", as_of, page_rows)
        )

    def _reviews(self, path: str, name: str, as_of: int | None, page_rows: int | None) -> bytes:
        """A list of reviews as JSON, at once or page by page."""
        if page_rows is None:
            return self._wire.get(f"{self._root}/{path}", {"as_of": as_of})
        pages = self._pages(path, {"as_of": as_of}, page_rows)
        return orjson.dumps([each for page in pages for each in page[name]])

    def report(self, *, today: str | None = None, as_of: int | None = None) -> bytes:
        """The audit report of a generation, as JSON."""
        return self._wire.get(f"{self._root}/report", {"today": today, "as_of": as_of})

    def prove(
        self,
        subject: Literal["claim", "section", "document"],
        item_id: str,
        *,
        sources: bool = True,
        as_of: int | None = None,
    ) -> bytes:
        """An evidence bundle, that ``coditect-verify`` checks without this program."""
        asked = {"sources": sources, "as_of": as_of}
        return self._wire.get(f"{self._root}/proofs/{subject}/{quote(item_id, safe='')}", asked)

    def _document(self, document_id: str, as_of: int | None) -> str:
        if "/" in document_id:  # a name: no address has a slash inside of its parts
            asked = {"name": [document_id], "as_of": as_of, "limit": 1}
            document_id = next(each["document_id"] for each in self._rows("documents", "documents", asked))
        return f"{self._root}/documents/{quote(document_id, safe='')}"


def _listed(told: Mapping[str, Any]) -> ListedDocument:
    """A document of a list; what a later server tells beside is passed over."""
    return ListedDocument.model_validate({name: told[name] for name in ListedDocument.model_fields if name in told})
