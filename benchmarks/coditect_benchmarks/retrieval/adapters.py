"""From folders as their authors publish them to retrieval sets.

Recognised by shape, wherever they lie: contracts (CUAD), policyqa (SQuAD format), chroma (the chunking evaluation),
scifact (claims and abstracts as CSV), rulebooks (ObliQA, as two sets), and folders in the plain format.
"""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from coditect.errors import SchemaError, UsageError
from coditect_benchmarks.retrieval.adapters_rulebooks import is_rulebooks, rulebook_passages, rulebooks
from coditect_benchmarks.retrieval.formats import (
    DOCUMENTS,
    QUERIES,
    Document,
    Gold,
    Query,
    RetrievalSet,
    is_plain,
    json_lines,
    read_plain,
)

__all__ = ["Found", "chroma", "contracts", "find_sets", "policyqa", "scifact"]

Reader = Callable[[Path], RetrievalSet]
Found = dict[str, tuple[Reader, Path]]

_PYTHON_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_NUMBER = re.compile(r"\d+")
_CSV_LIMIT = 2**31 - 1


_FIRST_PARTY = re.compile(r"Consider [^(]*\(\s*([^\s(\"“;,][^(\"“;,]{2,60})[(;,]")
"""The party that a question on a contract names first, without its legal form behind a comma."""


def find_sets(folder: Path) -> Found:
    """The sets that a folder is, or that its subfolders are, by name and in order of names.

    Raises:
        UsageError: there is none.
    """
    if not folder.is_dir():
        raise UsageError("no such folder", folder=str(folder), hint="Give --data an existing folder.")
    if is_rulebooks(folder):
        return {each.__name__: (each, folder) for each in (rulebook_passages, rulebooks)}
    reader = _reader_of(folder)
    if reader:
        return {_name(reader, folder): (reader, folder)}
    found: Found = {}
    for sub in sorted(path for path in folder.iterdir() if path.is_dir()):
        if is_rulebooks(sub):
            found |= find_sets(sub)
            continue
        reader = _reader_of(sub)
        if reader:
            name = _name(reader, sub)
            found[sub.name if name in found else name] = (reader, sub)
    if not found:
        raise UsageError(
            "no retrieval set in this folder",
            folder=str(folder),
            hint=f"A set is a folder with {DOCUMENTS} and {QUERIES} (benchmarks/retrieval/formats.py), or contracts, policyqa, "
            "chroma or scifact as published; or give the folder that holds such folders.",
        )
    return found


def contracts(folder: Path) -> RetrievalSet:
    """Contracts as text files, and questions with the file and the exact spans of the clause.

    Raises:
        SchemaError: a question names no file, or a span outside it.
    """
    texts = {path.stem: path.read_bytes().decode("utf-8") for path in sorted((folder / "docs").glob("*.txt"))}
    documents = tuple(Document(name, "", text) for name, text in texts.items())
    queries = []
    for line, row in json_lines(folder / QUERIES):
        name, spans, text = str(row.get("file")).removesuffix(".txt"), row.get("spans"), row.get("query")
        if name not in texts or not isinstance(spans, list) or not isinstance(text, str):
            raise _wrong(folder / QUERIES, line, "a question without text, spans or an existing file")
        gold = tuple(_span(folder / QUERIES, line, name, texts[name], span) for span in spans)
        # "Consider the <kind of agreement> (<parties>); <question>"
        bare = text.rpartition(";")[2].strip()
        party = _FIRST_PARTY.match(text)
        queries.append(Query(text, gold, bare=bare, brief=f"{party[1].strip()}: {bare}" if party else ""))
    return RetrievalSet("contracts", documents, tuple(queries), also_within=True)


def policyqa(folder: Path) -> RetrievalSet:
    """Questions on privacy policies, each asked of one policy; the same question's answers in all its paragraphs are its gold."""
    path = folder / "dev.json"
    documents: list[Document] = []
    gold: dict[tuple[str, str], dict[Gold, None]] = {}
    try:
        for policy in json.loads(path.read_text(encoding="utf-8"))["data"]:
            title, parts, offset = policy["title"], [], 0
            for paragraph in policy["paragraphs"]:
                for asked in paragraph["qas"]:
                    spans = gold.setdefault((title, asked["question"]), {})
                    for answer in asked["answers"]:
                        start = offset + answer["answer_start"]
                        spans[Gold(title, start, start + len(answer["text"]))] = None
                parts.append(paragraph["context"])
                offset += len(paragraph["context"]) + len(_BREAK)
            documents.append(Document(title, "", _BREAK.join(parts)))
    except (ValueError, KeyError, TypeError) as error:
        raise SchemaError("not the format of SQuAD", file=path.name, reason=repr(error)[:200]) from error
    queries = tuple(Query(text, tuple(spans), title) for (title, text), spans in gold.items() if spans)
    note = "each question is asked of its own policy; gold is every answer to it there"
    return RetrievalSet("policyqa", tuple(documents), queries, len(gold) - len(queries), note=note)


def chroma(folder: Path) -> RetrievalSet:
    """The chunking evaluation: five texts searched at once, excerpts as gold."""
    path = next(iter(sorted(folder.rglob("questions_df.csv"))))
    documents = []
    for file in sorted((path.parent / "corpora").glob("*.md")):
        # The offsets were taken from text read with universal newlines.
        with file.open(encoding="utf-8") as text:
            documents.append(Document(file.stem, "", text.read()))
    texts = {document.id: document.text for document in documents}
    queries = []
    for line, row in _csv_rows(path, ("question", "references", "corpus_id")):
        name = row["corpus_id"]
        if name not in texts:
            raise _wrong(path, line, "a question of an unknown text")
        gold = []
        for reference in _json(path, line, row["references"]):
            span = [reference.get("start_index"), reference.get("end_index")]
            gold.append(_span(path, line, name, texts[name], span))
        queries.append(Query(row["question"], tuple(gold)))
    return RetrievalSet("chroma", tuple(documents), tuple(queries))


def scifact(folder: Path) -> RetrievalSet:
    """Scientific claims; gold are the abstracts that a claim was written from, as BEIR counts."""
    path = folder / "corpus_train.csv"
    documents = []
    for _, row in _csv_rows(path, ("doc_id", "title", "abstract")):
        sentences = " ".join(str(ast.literal_eval(text)) for text in _PYTHON_STRING.findall(row["abstract"]))
        documents.append(Document(row["doc_id"], "", f"{row['title']}\n\n{sentences}"))
    known = {document.id for document in documents}
    claims: dict[str, tuple[str, dict[Gold, None]]] = {}
    path = folder / "claims_train.csv"
    for line, row in _csv_rows(path, ("id", "claim", "cited_doc_ids")):
        _, gold = claims.setdefault(row["id"], (row["claim"], {}))
        for name in _NUMBER.findall(row["cited_doc_ids"]):
            if name not in known:
                raise _wrong(path, line, "a claim cites an unknown abstract")
            gold[Gold(name)] = None
    queries = tuple(Query(text, tuple(gold)) for text, gold in claims.values() if gold)
    return RetrievalSet("scifact", tuple(documents), queries, len(claims) - len(queries))


_BREAK = "\n\n"


def _reader_of(folder: Path) -> Reader | None:
    if is_plain(folder):
        return read_plain
    if (folder / "docs").is_dir() and (folder / QUERIES).is_file():
        return contracts
    if (folder / "corpus_train.csv").is_file() and (folder / "claims_train.csv").is_file():
        return scifact
    if (folder / "dev.json").is_file():
        with (folder / "dev.json").open(encoding="utf-8", errors="replace") as file:
            # Other sets are called dev.json, too: SQuAD's shape shows in its first few thousand characters.
            if '"qas"' in file.read(65_536):
                return policyqa
    nested = (path for path in folder.rglob("questions_df.csv") if (path.parent / "corpora").is_dir())
    return chroma if next(nested, None) and not _holds_sets(folder) else None


def _holds_sets(folder: Path) -> bool:
    """Whether a folder is one of sets, not a set: several of its subfolders are recognised."""
    return sum(_reader_of(sub) is not None for sub in folder.iterdir() if sub.is_dir()) > 1


def _name(reader: Reader, folder: Path) -> str:
    return folder.resolve().name if reader is read_plain else reader.__name__


def _csv_rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows with the line that each ends on."""
    csv.field_size_limit(_CSV_LIMIT)
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        missing = [name for name in columns if name not in (rows.fieldnames or ())]
        if missing:
            raise SchemaError("a table lacks columns", file=path.name, missing=missing)
        for row in rows:
            yield rows.line_num, {name: row[name] or "" for name in columns}


def _json(path: Path, line: int, text: str) -> list[Any]:
    try:
        found = json.loads(text or "[]")
    except ValueError as error:
        raise _wrong(path, line, "a field is not a JSON list") from error
    if not isinstance(found, list):
        raise _wrong(path, line, "a field is not a JSON list")
    return found


def _span(path: Path, line: int, name: str, text: str, span: object) -> Gold:
    match span:
        case [int(start), int(end)] if 0 <= start < end <= len(text):
            return Gold(name, start, end)
    raise _wrong(path, line, "a gold span is empty or outside its document", span=span)


def _wrong(path: Path, line: int, message: str, *, span: object = None) -> SchemaError:
    extra: dict[str, Any] = {} if span is None else {"span": span}
    return SchemaError(message, file=path.name, line=line, **extra)
