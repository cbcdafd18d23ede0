"""What is asked: questions at two tiers, chains of evidence, documents and their texts, each over HTTP and in Python."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from coditect.knowledge.report.registers.rows import register_rows
from coditect.knowledge.report.registers.selection import RegisterFilters
from coditect.knowledge.service import Knowledge

__all__ = ["Asked", "Operation", "Questions", "items_only", "mixed"]

SHARES = {"query sections": 3, "query extractions": 3, "chain": 8, "document": 4, "text": 1}
"""How often each is asked: of 19 requests 6 are questions, as a person reads more than he searches."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, as a client sends it.

    Attributes:
        name: of its kind.
        method: of HTTP.
        path: with its query.
        body: bytes.
    """

    name: str
    method: str
    path: str
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Operation:
    """One request, and the same in Python.

    Attributes:
        asked: the request.
        call: the same in Python, the JSON included, as the server makes it.
    """

    asked: Asked
    call: Callable[[], Any]


class Questions:
    """Makes operations on a corpus.

    Args:
        knowledge: opened.
        corpus_id: of the corpus.
        queries: questions.
        seed: of the choice.
    """

    def __init__(self, knowledge: Knowledge, corpus_id: str, queries: Sequence[str], seed: int) -> None:
        self._knowledge = knowledge
        self._corpus_id = corpus_id
        self._queries = queries
        self._chance = random.Random(seed)  # noqa: S311 - no secret
        view = knowledge.view(corpus_id)
        rows = register_rows(view, RegisterFilters(), knowledge.clock()[:10])
        self._items = [each.item_id for each in islice(rows, 5000)]
        self._documents = sorted(view.documents)
        self._root = f"/api/v1/corpora/{quote(corpus_id, safe='')}"

    def make(self, name: str) -> Operation:
        """An operation of a kind."""
        return {
            "query sections": lambda: self._query(name, "section"),
            "query extractions": lambda: self._query(name, "extraction"),
            "chain": self._chain,
            "document": self._document,
            "text": self._text,
        }[name]()

    def _query(self, name: str, tier: Any) -> Operation:  # noqa: ANN401 - a literal
        words, corpus_id, knowledge = self._chance.choice(self._queries), self._corpus_id, self._knowledge
        path = f"{self._root}/query?{urlencode({'query': words, 'tier': tier})}"
        return Operation(Asked(name, "GET", path), lambda: _json(knowledge.query(corpus_id, words, tier=tier)))

    def _chain(self) -> Operation:
        item, corpus_id, knowledge = self._chance.choice(self._items), self._corpus_id, self._knowledge
        path = f"{self._root}/items/{item}/chain"
        return Operation(Asked("chain", "GET", path), lambda: _json(knowledge.chain(item, corpus_id=corpus_id)))

    def _document(self) -> Operation:
        document, corpus_id, knowledge = self._chance.choice(self._documents), self._corpus_id, self._knowledge
        path = f"{self._root}/documents/{quote(document, safe='')}"
        return Operation(Asked("document", "GET", path), lambda: _json(knowledge.view(corpus_id).documents[document]))

    def _text(self) -> Operation:
        document, corpus_id, knowledge = self._chance.choice(self._documents), self._corpus_id, self._knowledge
        path = f"{self._root}/documents/{quote(document, safe='')}/text"

        def call() -> bytes:
            found = knowledge.view(corpus_id).documents[document]
            return knowledge.store.get_blob(corpus_id, found.text_sha256, found.text_bytes)

        return Operation(Asked("text", "GET", path), call)


def mixed(questions: Questions, count: int, seed: int) -> list[Operation]:
    """Operations in the shares of :data:`SHARES`."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    names = chance.choices(list(SHARES), list(SHARES.values()), k=count)
    return [questions.make(name) for name in names]


def items_only(questions: Questions, count: int) -> list[Operation]:
    """Chains of evidence alone."""
    return [questions.make("chain") for _ in range(count)]


def _json(value: Any) -> bytes:  # noqa: ANN401 - a record
    return orjson.dumps(value.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
