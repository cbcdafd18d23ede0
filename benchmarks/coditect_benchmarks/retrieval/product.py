"""The product through its public interface: files in a folder, ingested and built, asked as a program asks it."""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from coditect import BuildSettings, Settings, open_knowledge
from coditect.knowledge.service import Knowledge
from coditect.schemas import Granularity, Hit, Passage, PassageSettings, QueryResult, SearchFilters, SearchOptions
from coditect_benchmarks.retrieval.alignment import Alignment
from coditect_benchmarks.retrieval.formats import Document
from coditect_benchmarks.retrieval.system import Span

__all__ = ["Product", "ProductSearch", "file_names", "ways"]

CORPUS = "bench"
_BUILT = "built.json"
_UNSAFE = re.compile(r"[^\w .,&()'-]+")
_NAME_BYTES = 120


class Product:
    """One built corpus, which several ways to search share.

    Args:
        folder: for files, store and replica; what an earlier run built there from the same documents is used again.
        embedder: as ``Settings.embedder``.
        build: settings of the build.
    """

    def __init__(self, folder: Path, embedder: str, build: BuildSettings | None = None) -> None:
        self._folder = folder
        self._embedder = embedder
        self._build = build or BuildSettings()
        self._stack = ExitStack()
        self._knowledge: Knowledge | None = None
        self._ids: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._aligned: dict[str, Alignment] = {}
        self.index_s = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def knowledge(self) -> Knowledge:
        """The open store."""
        assert self._knowledge is not None, "index first"
        return self._knowledge

    def index(self, documents: Sequence[Document]) -> float:
        """Ingest and build, once for all ways to search; seconds that it took, or had taken when it was built."""
        if self._knowledge is not None:
            return self.index_s
        self._names = file_names(documents)
        self._ids = {name: id_ for id_, name in self._names.items()}
        self._aligned = {document.id: Alignment.of(document) for document in documents}
        place = self._folder / self._key(documents)
        settings = Settings(store=f"lmdb://{place / 'store'}", cache=place / "cache", embedder=self._embedder)
        built_s = self._built(place, settings, documents)
        self._knowledge = self._stack.enter_context(open_knowledge(settings))
        # Vectors are made when they are first needed. Claims are not asked for here.
        marker = place / f"{hashlib.sha256(self._embedder.encode()).hexdigest()[:16]}.json"
        if not marker.exists():
            began = time.perf_counter()
            self.ask("anything", 1, SearchOptions(gate=False))
            marker.write_text(json.dumps({"index_s": time.perf_counter() - began}), encoding="utf-8")
        self.index_s = built_s + _seconds(marker)
        return self.index_s

    def _built(self, place: Path, settings: Settings, documents: Sequence[Document]) -> float:
        """Ingest and build, unless an earlier run did; seconds. A build has no vectors: all embedders share it."""
        marker = place / _BUILT
        if marker.exists():
            return _seconds(marker)
        files = place / "files"
        files.mkdir(parents=True, exist_ok=True)
        for document in documents:
            text = self._aligned[document.id].text
            if text and not text.isspace():
                (files / self._names[document.id]).write_text(text, encoding="utf-8", newline="")
        began = time.perf_counter()
        plain = settings if self._semantic else settings.model_copy(update={"embedder": "none"})
        with open_knowledge(plain) as knowledge:
            knowledge.ingest(CORPUS, [files])
            knowledge.build(CORPUS, self._build)
        seconds = time.perf_counter() - began
        marker.write_text(json.dumps({"index_s": seconds}), encoding="utf-8")
        return seconds

    @property
    def levels(self) -> int:
        """How many sizes of passages there are."""
        return len((self._build.passages or PassageSettings()).chunk_levels)

    @property
    def _semantic(self) -> bool:
        """Whether the embedder says where passages end."""
        passages = self._build.passages
        return passages is not None and passages.boundaries == "semantic"

    def passages(self, documents: Sequence[Document]) -> list[Span]:
        """The smallest passages that the product cut, for peers."""
        view = self.knowledge.view(CORPUS)
        wanted = {document.id for document in documents}
        found = []
        for document_id, version in view.documents.items():
            name = self._ids[Path(version.name).name]
            if name in wanted:
                own = _smallest(view.passages(document_id))
                found += [self.span(name, passage.char_offset_start, passage.char_offset_end) for passage in own]
        return [span for span in found if span.start < span.end]

    def passages_by_id(self) -> Iterator[tuple[str, Span]]:
        """The smallest passages with their ids, as spans of the set's documents."""
        view = self.knowledge.view(CORPUS)
        for document_id, version in view.documents.items():
            name = self._ids[Path(version.name).name]
            for each in _smallest(view.passages(document_id)):
                yield each.passage_id, self.span(name, each.char_offset_start, each.char_offset_end)

    def statements(self, documents: Sequence[Document]) -> list[Span]:
        """The Tier 1 statements that the product found, for peers."""
        view = self.knowledge.view(CORPUS)
        wanted = {document.id for document in documents}
        found = []
        for document_id, version in view.documents.items():
            name = self._ids[Path(version.name).name]
            if name in wanted:
                own = view.extractions(document_id)
                found += [self.span(name, each.char_offset_start, each.char_offset_end) for each in own]
        return [span for span in found if span.start < span.end]

    def ask(self, query: str, k: int, options: SearchOptions, tier: Granularity = "passage") -> QueryResult:
        """Ask the product."""
        return self.knowledge.query(CORPUS, query, tier=tier, limit=k, options=options)

    def search(
        self, query: str, k: int, within: str | None, options: SearchOptions, *, focused: bool = False
    ) -> list[Span]:
        """Ask the product for passages; spans of the documents as the set has them.

        Args:
            query: the question.
            k: how many.
            within: the only document to search; None: all.
            options: of the search.
            focused: take what of each passage answers, where the product says it.
        """
        if within is not None:
            options = options.model_copy(update={"filters": self.only(within)})
        return [self.found(hit, focused=focused) for hit in self.ask(query, k, options).hits]

    def only(self, document: str) -> SearchFilters:
        """What lets one of the set's documents through."""
        return SearchFilters(documents=(self._names[document],))

    def found(self, hit: Hit, *, focused: bool = False) -> Span:
        """A hit, or its focus where it has one, as a span of the set's document."""
        item = hit.focus if focused and hit.focus is not None else hit.item
        name = self._ids[Path(item.document_name).name]
        return self.span(name, item.char_offset_start or 0, item.char_offset_end or 0, hit.score)

    def span(self, document: str, start: int, end: int, score: float = 0.0) -> Span:
        """A span of a file as one of the set's document."""
        aligned = self._aligned[document]
        return Span(document, aligned.original(start), aligned.original(end), score)

    def _key(self, documents: Sequence[Document]) -> str:
        """A folder's name for these documents and settings, and the embedder where it has a say in them."""
        cut_by = self._embedder if self._semantic else ""
        digest = hashlib.sha256(f"{cut_by}\0{self._build.model_dump_json()}".encode())
        for document in documents:
            digest.update(f"\0{document.id}\0{self._aligned[document.id].text}".encode())
        return digest.hexdigest()[:16]


class ProductSearch:
    """One way to search a built corpus.

    Args:
        name: for the table.
        product: shared.
        options: mode, fusion and the rest; filters are set by the question.
        focused: measure what of each passage answers, not the whole passage.
    """

    most_queries: int | None = None

    def __init__(self, name: str, product: Product, options: SearchOptions, *, focused: bool = False) -> None:
        self.name = name
        self._product = product
        self._options = options
        self._focused = focused

    def index(self, documents: Sequence[Document]) -> float:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        return self._product.index(documents)

    def search(self, query: str, k: int, within: str | None = None) -> list[Span]:
        """See :class:`coditect_benchmarks.retrieval.system.System`."""
        return self._product.search(query, k, within, self._options, focused=self._focused)


def ways(product: Product, default: str, lexical: str, dense: str) -> list[ProductSearch]:
    """The product's ways to search, under these names: the default, its parts, and the fusion by ranks that it offers.

    The default is measured by its whole passages, and by what of them answers; the latter also of the passages one level above
    those that were matched. The relevance gate is off: an empty answer has no rank to measure.
    """
    larger = [
        ProductSearch("coditect small-to-big, focus", product, SearchOptions(gate=False, return_level=1), focused=True)
    ]
    return [
        ProductSearch(default, product, SearchOptions(gate=False)),
        ProductSearch("coditect hybrid, focus", product, SearchOptions(gate=False), focused=True),
        *(larger if product.levels > 1 else []),
        ProductSearch(lexical, product, SearchOptions(mode="lexical", gate=False)),
        ProductSearch(dense, product, SearchOptions(mode="dense", gate=False)),
        ProductSearch("coditect hybrid, rank fusion", product, SearchOptions(fusion="rrf", gate=False)),
    ]


def file_names(documents: Sequence[Document]) -> dict[str, str]:
    """A file name for each document, by id: its id where that can be one, else made so; all different."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for document in documents:
        stem = _UNSAFE.sub(" ", document.id).strip(" .").encode()[:_NAME_BYTES].decode("utf-8", "ignore") or "document"
        name, number = f"{stem}.txt", 1
        while name.casefold() in taken:
            number += 1
            name = f"{stem} ({number}).txt"
        taken.add(name.casefold())
        names[document.id] = name
    return names


def _seconds(marker: Path) -> float:
    return float(json.loads(marker.read_text(encoding="utf-8"))["index_s"])


def _smallest(passages: Sequence[Passage]) -> list[Passage]:
    return [passage for passage in passages if passage.level == 0]
