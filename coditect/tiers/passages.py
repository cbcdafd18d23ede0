"""Parent-child passages of one document: pure functions from its reading to records, and back to a tree."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

import numpy as np

from coditect.documents.passages.checks import check_passages, require_passage
from coditect.documents.passages.context import PassageContext
from coditect.documents.passages.hierarchy import Cut, Level, Merging, anchored, cut
from coditect.documents.passages.tree import PassageTree
from coditect.documents.sentences import Span
from coditect.documents.structure.outline import printed
from coditect.errors import UsageError
from coditect.language.matched import as_matched
from coditect.models.port import Embedder, FloatArray, Tokenizer
from coditect.schemas.document import DocumentVersion
from coditect.schemas.extraction import Extraction
from coditect.schemas.passage import ChunkType, Passage, PassageSettings
from coditect.tiers.extractions.document import DocumentReading

__all__ = [
    "CONTEXT_TOKENS",
    "PASSAGES_VERSION",
    "PassageTree",
    "StatementPlace",
    "check_passages",
    "is_statement",
    "passage_records",
    "require_passage",
]

PASSAGES_VERSION = "passages/3"

CONTEXT_TOKENS = 60
"""Tokens of a passage's context, at most."""

HEADING_CHARS = 80
"""Characters of one heading in a context, at most."""

LEAD_CHARS = 120
"""Characters of a sentence before a list in a context, at most."""

_ORDER = {"definition": 0, "obligation": 0, "prohibition": 0, "permission": 1, "proposition": 2}
"""Statements that may stand for a passage, and which go first."""


def is_statement(record: Extraction) -> bool:
    """Whether an extraction says something by itself, as an amount or a reference does not."""
    return record.extraction_kind in _ORDER


@dataclass(frozen=True, slots=True)
class StatementPlace:
    """What a passage needs to know of a statement of Tier 1, of which a long document has more than can be held as records.

    Attributes:
        kind: of the extraction.
        start: first code point, of the text as it is read.
        end: one past the last.
        confidence: 0..1.
        extraction_id: of the record.
    """

    kind: str
    start: int
    end: int
    confidence: float
    extraction_id: str

    @classmethod
    def of(cls, record: Extraction, reading: DocumentReading) -> StatementPlace:
        """The place of an extraction as it is stored."""
        start, end = (reading.matched.position(at) for at in (record.char_offset_start, record.char_offset_end))
        return cls(record.extraction_kind, start, end, record.confidence, record.extraction_id)


def passage_records(
    version: DocumentVersion,
    reading: DocumentReading,
    derivation_id: str,
    statements: Iterable[StatementPlace | Extraction],
    settings: PassageSettings,
    tokenizer: Tokenizer,
    embedder: Embedder | None = None,
    merging: Merging | None = None,
) -> Iterator[Passage]:
    """All passages of a document, the largest level first, each level in the order of the text; made as they are asked for.

    Args:
        version: the version of the document.
        reading: its text, outline and sentences.
        derivation_id: what its passages are made under.
        statements: Tier 1 of the document.
        settings: sizes, overlap, boundaries, propositions.
        tokenizer: counts the tokens by which sizes are meant.
        embedder: compares neighbouring sentences; needed for semantic boundaries only.
        merging: how eagerly small neighbours are joined; the usual if None.
    Yields:
        records; parents come before their children. None for a blank document.
    Raises:
        UsageError: semantic boundaries without an embedder.
        ModelError: the embedder failed.
    """
    text = reading.source.text
    similarity = _similarity(reading, embedder) if settings.boundaries == "semantic" else None
    tokens = tokenizer.starts(text)
    levels = cut(reading.source, reading.sections, reading.sentences, tokens, settings, similarity, merging)
    del tokens
    writer = _Writer(version, reading, derivation_id, tokenizer, settings, statements)
    parents: list[str] = []
    for level in reversed(levels):
        written: list[str] = []
        for record in writer.write(level, parents):
            written.append(record.passage_id)
            yield record
        parents = written


def _similarity(reading: DocumentReading, embedder: Embedder | None) -> FloatArray:
    """Cosine of each sentence with the next one."""
    if embedder is None:
        raise UsageError("semantic boundaries need an embedder", hint="choose 'sentence' boundaries, or an embedder")
    text = reading.source.text
    vectors = embedder.embed([text[span.start : span.end] for span in reading.sentences])
    similarity: FloatArray = np.sum(vectors[:-1] * vectors[1:], axis=1, dtype=np.float32)
    return similarity


class _Writer:
    """Makes the passage records of one document, level by level."""

    def __init__(
        self,
        version: DocumentVersion,
        reading: DocumentReading,
        derivation_id: str,
        tokenizer: Tokenizer,
        settings: PassageSettings,
        statements: Iterable[StatementPlace | Extraction],
    ) -> None:
        self.version = version
        title = as_matched(version.title) or PurePosixPath(version.name).stem
        self.title = _short(title, HEADING_CHARS)
        self.reading = reading
        self.derivation_id = derivation_id
        self.tokenizer = tokenizer
        self.settings = settings
        self.surroundings = PassageContext(reading.source, reading.sections, reading.sentences)
        found = [each if isinstance(each, StatementPlace) else StatementPlace.of(each, reading) for each in statements]
        self.statements = _outermost(found)
        self.statement_starts = [each.start for each in self.statements]
        self.definitions = _starts(found, ("definition",))
        self.requirements = _starts(found, ("obligation", "prohibition"))
        self.contexts: dict[tuple[str, ...], str] = {}
        self.shortened: dict[Span, str] = {}

    def write(self, level: Level, parents: Sequence[str]) -> Iterator[Passage]:
        """The records of a level, given the ids of those of the next larger one."""
        next_statement = 0
        for ordinal, each in enumerate(level.cuts):
            proposition_ids: tuple[str, ...] = ()
            if level.level == 0:
                first = max(next_statement, bisect_left(self.statement_starts, each.start))
                next_statement = max(first, bisect_left(self.statement_starts, each.end))
                proposition_ids = self._propositions(self.statements[first:next_statement])
            section = self.reading.sections[self.reading.section_at(each.start, each.end)]
            start, end = self.reading.matched.span(each.start, each.end)
            yield Passage.create(
                corpus_id=self.version.corpus_id,
                document_id=self.version.document_id,
                version_id=self.version.version_id,
                derivation_id=self.derivation_id,
                level=level.level,
                level_tokens=level.size,
                ordinal=ordinal,
                parent_id=parents[each.parent] if parents else "",
                first_child=each.first_child,
                child_count=each.child_count,
                section_id=section.section_id,
                heading=printed(section),
                parent_chain=section.parent_chain,
                chunk_type=self._chunk_type(each),
                char_offset_start=start,
                char_offset_end=end,
                token_count=each.tokens,
                context=self._context((*section.parent_chain, printed(section)), each, level.level),
                proposition_ids=proposition_ids,
            )

    def _chunk_type(self, each: Cut) -> ChunkType:
        if _any_in(self.definitions, each):
            return "definition"
        if _any_in(self.requirements, each):
            return "requirement"
        return self.surroundings.body_kind(each.start, each.end)

    def _propositions(self, inside: Sequence[StatementPlace]) -> tuple[str, ...]:
        """The statements that stand for a smallest passage, in document order."""
        if len(inside) < self.settings.min_propositions:
            return ()
        best = sorted(inside, key=_telling)[: self.settings.max_propositions]
        return tuple(each.extraction_id for each in sorted(best, key=_place))

    def _context(self, chain: Sequence[str], each: Cut, level: int) -> str:
        leads = self.surroundings.leads(each.start) if level == 0 else []
        said = [self._shortened(lead) for lead in leads]
        headings = [self.title, *(_short(part, HEADING_CHARS) for part in chain)]
        told = [part for part in headings if part and not any(lead.startswith(part.removesuffix("…")) for lead in said)]
        key = tuple(dict.fromkeys([*told, *said]))
        if key not in self.contexts:
            self.contexts[key] = self._fitted(key)
        return self.contexts[key]

    def _shortened(self, lead: Span) -> str:
        """The beginning of a sentence; looked for once, for the head of a table may be long and leads to all of its rows."""
        if lead not in self.shortened:
            self.shortened[lead] = _short(self.reading.source.text[lead.start : lead.end], LEAD_CHARS)
        return self.shortened[lead]

    def _fitted(self, parts: Sequence[str]) -> str:
        """As many parts as fit, the first and the innermost above all; a last one that does not fit is cut."""
        kept = list(parts)
        while True:
            context = " > ".join(kept)
            tokens = self.tokenizer.starts(context)
            if len(tokens) <= CONTEXT_TOKENS:
                return context
            if len(kept) <= 2:
                return context[: anchored(context, tokens)[CONTEXT_TOKENS]].rstrip(" >")
            del kept[1]


def _short(words: str, most: int) -> str:
    line = " ".join(words.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def _starts(statements: Sequence[StatementPlace], kinds: Sequence[str]) -> list[int]:
    return sorted(each.start for each in statements if each.kind in kinds)


def _any_in(starts: Sequence[int], each: Cut) -> bool:
    return bisect_left(starts, each.start) < bisect_left(starts, each.end)


def _place(each: StatementPlace) -> tuple[int, int, str]:
    return each.start, -each.end, each.extraction_id


def _telling(each: StatementPlace) -> tuple[int, float, int, int]:
    return _ORDER[each.kind], -each.confidence, each.start - each.end, each.start


def _outermost(found: Sequence[StatementPlace]) -> list[StatementPlace]:
    """Statements that lie in no other, one for each stretch of text, in document order."""
    statements = [each for each in found if each.kind in _ORDER]
    statements.sort(key=lambda each: (each.start, -each.end, _telling(each), each.extraction_id))
    kept: list[StatementPlace] = []
    for each in statements:
        if not kept or each.end > kept[-1].end:
            kept.append(each)
    return kept
