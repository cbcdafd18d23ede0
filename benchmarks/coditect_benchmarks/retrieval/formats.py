"""What a retrieval set is, and the plain format that any set can be brought into.

A folder in the plain format holds two files of JSON lines::

    documents.jsonl   {"id": "a", "title": "Leave policy", "text": "..."}
    queries.jsonl     {"query": "...", "gold": [{"document": "a", "start": 10, "end": 42}], "within": "a"}

``title`` and ``within`` may be left out. A gold without ``start`` and ``end`` means the whole document. Offsets are code
points into ``text``, half-open. ``within`` restricts the search to one document.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coditect.errors import SchemaError

__all__ = ["DOCUMENTS", "QUERIES", "Document", "Gold", "Query", "RetrievalSet", "is_plain", "json_lines", "read_plain"]

DOCUMENTS = "documents.jsonl"
QUERIES = "queries.jsonl"


@dataclass(frozen=True, slots=True)
class Document:
    """A document to search.

    Attributes:
        id: unique in its set.
        title: what people call it, or "".
        text: what gold offsets count in.
    """

    id: str
    title: str
    text: str

    @property
    def label(self) -> str:
        """What a system is told the document is called: its title, else its id."""
        return self.title or self.id


@dataclass(frozen=True, slots=True)
class Gold:
    """What answers a question: a span of a document, or the whole of it.

    Attributes:
        document: its id.
        start: code points into the document's text; None for the whole document.
        end: half-open; None for the whole document.
    """

    document: str
    start: int | None = None
    end: int | None = None

    @property
    def whole(self) -> bool:
        """Whether no span is named."""
        return self.start is None


@dataclass(frozen=True, slots=True)
class Query:
    """A question.

    Attributes:
        text: as asked.
        gold: what answers it, at least one.
        within: the only document to search, or "" for all.
        bare: the question without the words that only say which document is meant, where a set tells them apart, or "".
        brief: the question as one asks in a hurry, with one party's name for the document, or "".
    """

    text: str
    gold: tuple[Gold, ...]
    within: str = ""
    bare: str = ""
    brief: str = ""


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Documents and questions.

    Attributes:
        name: for people and ``--sets``.
        documents: all that is searched.
        queries: those that can be scored.
        unscored: questions left out because they have no gold.
        also_within: ask every question once more inside the document of its gold.
        note: what a reader of the figures must know.
    """

    name: str
    documents: tuple[Document, ...]
    queries: tuple[Query, ...]
    unscored: int = 0
    also_within: bool = False
    note: str = ""


def is_plain(folder: Path) -> bool:
    """Whether a folder holds both files of the plain format."""
    return (folder / DOCUMENTS).is_file() and (folder / QUERIES).is_file()


def read_plain(folder: Path) -> RetrievalSet:
    """Read a folder in the plain format; the set is called as the folder.

    Raises:
        SchemaError: a line is not as the format says; ``file`` and ``line`` say which.
    """
    documents: dict[str, Document] = {}
    for line, row in json_lines(folder / DOCUMENTS):
        where = _Place(folder / DOCUMENTS, line)
        document = Document(where.text(row, "id"), where.text(row, "title", ""), where.text(row, "text"))
        if not document.id:
            raise where.wrong("a document's id is empty")
        if document.id in documents:
            raise where.wrong("two documents have the same id", id=document.id)
        documents[document.id] = document
    if not documents:
        raise SchemaError("the set has no documents", file=DOCUMENTS, hint="One JSON object a line: id, title, text.")
    queries, unscored = [], 0
    for line, row in json_lines(folder / QUERIES):
        query = _query(row, _Place(folder / QUERIES, line), documents)
        if query.gold:
            queries.append(query)
        else:
            unscored += 1
    if not queries:
        raise SchemaError("no query of the set has gold", file=QUERIES, hint="One JSON object a line: query, gold.")
    return RetrievalSet(folder.resolve().name, tuple(documents.values()), tuple(queries), unscored)


def json_lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The objects of a file of JSON lines, each with its 1-based line number; blank lines are skipped.

    Raises:
        SchemaError: not UTF-8, or a line that is not a JSON object.
    """
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            if not raw.strip():
                continue
            where = _Place(path, number)
            try:
                row = json.loads(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
            except (ValueError, RecursionError) as error:
                raise where.wrong("not a line of JSON in UTF-8", reason=str(error)[:200]) from error
            if not isinstance(row, dict):
                raise where.wrong("a line is not a JSON object")
            yield number, row


def _query(row: Mapping[str, Any], where: _Place, documents: Mapping[str, Document]) -> Query:
    listed = row.get("gold")
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise where.wrong("'gold' is not a list")
    gold = []
    for item in listed:
        if not isinstance(item, dict):
            raise where.wrong("an item of 'gold' is not an object")
        gold.append(_gold(item, where, documents))
    within = where.text(row, "within", "")
    if within and within not in documents:
        raise where.wrong("'within' names no document", document=within)
    return Query(where.text(row, "query"), tuple(dict.fromkeys(gold)), within)


def _gold(item: Mapping[str, Any], where: _Place, documents: Mapping[str, Document]) -> Gold:
    name = where.text(item, "document")
    if name not in documents:
        raise where.wrong("gold names no document", document=name)
    start, end = item.get("start"), item.get("end")
    if start is None and end is None:
        return Gold(name)
    # bool is an int to Python, not to a reader of the file.
    if type(start) is not int or type(end) is not int:
        raise where.wrong("'start' and 'end' are not both whole numbers", document=name)
    length = len(documents[name].text)
    if not 0 <= start < end <= length:
        raise where.wrong("a gold span is empty or outside its document", start=start, end=end, length=length)
    return Gold(name, start, end)


@dataclass(frozen=True, slots=True)
class _Place:
    """A line of a file, for messages."""

    path: Path
    line: int

    def wrong(self, message: str, **context: object) -> SchemaError:
        """The error that says what is wrong with the line."""
        return SchemaError(
            message,
            file=self.path.name,
            line=self.line,
            hint="The format is described in benchmarks/retrieval/formats.py.",
            **context,
        )

    def text(self, row: Mapping[str, Any], field: str, default: str | None = None) -> str:
        """A field that is text; None counts as left out."""
        value = row.get(field)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise self.wrong("a field is missing or not text", field=field)
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.wrong("a field holds half of a surrogate pair", field=field) from None
        return value
