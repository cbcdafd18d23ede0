"""What the product reads in the documents of the gold, in the shape of labels."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, cast

from coditect.documents.source import SourceText
from coditect.schemas import DocumentVersion, Extraction
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from coditect_benchmarks.gold.records import Norm, Span, Time
from coditect_benchmarks.gold.store import GoldUnit

__all__ = ["ReadNorm", "Reading", "read_documents", "readings_of", "version_named"]

_WORDS = re.compile(r"\S+")
# What extractions name their document by; of a version nothing else is read but its name.
_VERSION: dict[str, Any] = {"corpus_id": "gold", "document_id": "document", "version_id": "version"}
_SIGNS = string.punctuation.replace("(", "").replace(")", "") + "–—“”"
_BLANK = " \t\n\r\xa0\u200b\u200e\u200f\u2060"
_UNSEEN = "\u200b\u200e\u200f\u2060"


@dataclass(frozen=True, slots=True)
class ReadNorm:
    """A norm that the product found: in the shape of a label, with the path that it gives as one string, and as it was read."""

    norm: Norm[Span]
    locator: str
    confidence: float
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """What the product read of a unit.

    Attributes:
        norms: those whose own words lie in the unit, the greater part of them.
        definitions: term and the span of its statement.
    """

    norms: tuple[ReadNorm, ...]
    definitions: tuple[tuple[str, Span], ...]


def read_documents(gold: Sequence[GoldUnit], sources: Mapping[str, SourceText]) -> dict[str, Reading]:
    """Read each document once; what lies in each unit, by the unit's id."""
    found: dict[str, Reading] = {}
    for name in sorted({each.unit.document for each in gold}):
        source = sources[name]
        extractions = extraction_records(version_named(name), read_document(source), "derivation")
        found |= readings_of([each for each in gold if each.unit.document == name], source.text, extractions)
    return found


def version_named(name: str) -> DocumentVersion:
    """A document version of which nothing is known but its name."""
    return DocumentVersion.model_construct(**_VERSION, name=name)


def readings_of(gold: Sequence[GoldUnit], text: str, extractions: Iterable[Extraction]) -> dict[str, Reading]:
    """What lies in each unit of one document, by the unit's id.

    Args:
        gold: units of the document.
        text: its canonical text.
        extractions: of Tier 1.
    """
    told = [e for e in extractions if e.extraction_kind in NORMATIVE or e.extraction_kind == "definition"]
    return {each.unit.id: _in_unit(text, each.unit.span, told) for each in gold}


def _in_unit(text: str, span: Span, extractions: Iterable[Extraction]) -> Reading:
    norms, definitions = [], []
    for each in extractions:
        if each.char_offset_end <= span[0] or each.char_offset_start >= span[1]:
            continue
        own = each.char_offset_start, each.char_offset_end
        data = each.tier1_data.fields()
        if each.extraction_kind == "definition":
            if _shared(own, span) * 2 >= min(own[1] - own[0], span[1] - span[0]):
                definitions.append((str(data.get("term", "")), own))
            continue
        norm = _norm(text, own, data, each.extraction_kind)
        clause = norm.text[-1] if len(norm.text) == 1 else max(norm.text, key=lambda part: _shared(part, span))
        if _shared(clause, span) * 2 >= clause[1] - clause[0]:
            norms.append(ReadNorm(norm, getattr(each, "locator", ""), each.confidence, data))
    return Reading(tuple(norms), tuple(definitions))


def _shared(first: Span, second: Span) -> int:
    return max(0, min(first[1], second[1]) - max(first[0], second[0]))


def _norm(text: str, own: Span, data: dict[str, Any], kind: str) -> Norm[Span]:
    clause = data.get("clause")
    spans: list[Span] = [(each["start"], each["end"]) for each in data.get("spans", ())]
    spans = spans or [(clause["start"], clause["end"]) if clause else own]
    fine = data.get("position", kind)
    if kind == "permission" and str(data.get("modality", "")).endswith(("not required to", "need not")):
        fine = "exemption"
    times = []
    for name in ("deadline", "further_deadlines", "frequency", "further_frequencies"):
        for part in _each(data.get(name)):
            trigger = part.get("trigger")
            times.append(
                Time[Span](
                    text=[(part["start"], part["end"])],
                    kind="frequency" if name.endswith(("frequency", "frequencies")) else "deadline",
                    trigger=list(_places(text, trigger, [(part["start"], part["end"]), *spans, own]))
                    if trigger
                    else [],
                )
            )
    action = data.get("action")
    return Norm[Span].model_construct(
        kind=fine,
        force=data.get("strength") or "mandatory",
        polarity="negative" if fine in ("prohibition", "exemption") else "positive",
        text=tuple(spans),
        holder=tuple(_places(text, data.get("actor"), [*spans, own, (max(0, own[0] - 4000), own[0])])),
        action=tuple(_places(text, action, [*spans, own])),
        object=tuple(_places(text, data.get("object"), [*spans, own])),
        times=tuple(times),
        conditions=tuple(p for c in _strings(data, "condition") for p in _places(text, c, [*spans, own])),
        exceptions=tuple(p for c in _strings(data, "exception") for p in _places(text, c, [*spans, own])),
        counterparty=tuple(_places(text, data.get("counterparty"), [*spans, own])),
    )


def _each(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _each(each)


def _strings(data: dict[str, Any], name: str) -> list[str]:
    value = data.get(name) or data.get(name + "s") or []
    return [value] if isinstance(value, str) else cast("list[str]", list(value))


def _places(text: str, words: str | None, spans: Sequence[Span]) -> Iterator[Span]:
    """Where words stand that were read from some spans: in the first that holds all of them, else piece by piece."""
    if not words:
        return
    for start, end in spans:
        found = text.find(words, start, end) if end - start < 4000 else text.rfind(words, start, end)
        if found >= 0:
            yield found, found + len(words)
            return
    yield from _pieces(text, words, spans)


def _pieces(text: str, words: str, spans: Sequence[Span]) -> Iterator[Span]:
    """The runs of a composed reading's words in the spans that it was composed of; what joined its pieces stands in none."""
    there: list[Span] = []
    for start, end in spans:
        if not any(start < stop and begin < end for begin, stop in there):
            there += [found.span() for found in _WORDS.finditer(text, start, end)]
    there.sort()
    alike = SequenceMatcher(
        None, [_bare(text[lo:hi]) for lo, hi in there], [_bare(word) for word in _WORDS.findall(words)], autojunk=False
    )
    run: Span | None = None
    for piece in (there[at + k] for at, _, size in alike.get_matching_blocks() for k in range(size)):
        if run is not None and text[run[1] : piece[0]].strip(_BLANK):
            yield run
            run = None
        run = (run[0] if run else piece[0], piece[1])
    if run is not None:
        yield run


def _bare(word: str) -> str:
    """A word without what nobody sees and without the signs at its edges, which a composed reading may have put there."""
    return word.strip(_SIGNS + _UNSEEN) or word
