"""Registers: Tier 3 sections that collect what auditors compare and chase, rather than what documents talk about.

* *measures*: what several documents fix for the same verb: how often to review, how soon to notify, how long to retain;
* *modality*: what one document requires and another only permits, or prohibits;
* *missing documents*: company documents that the corpus refers to and does not hold;
* *open points*: sentences and table rows that say something is undecided, overdue or without evidence.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from coditect.schemas import Chunk, DocumentVersion
from coditect.text.terms import terms
from coditect.tiers.conflicts import Conflict
from coditect.tiers.topics import Topic

__all__ = [
    "MEASURE_NAMES",
    "REGISTERS_VERSION",
    "find_registers",
    "known_names",
    "measure_name",
    "names_of",
    "resolves",
]

REGISTERS_VERSION = "registers/1"

MOST_MEASURES = 12
"""Measure sections of a corpus, those of the most documents first."""

MEASURE_NAMES = {"frequency": "how often", "deadline": "how soon", "duration": "how long", "version": "which version", "count": "how many"}

_SPLIT = re.compile(r"[\W_]+")


def find_registers(
    chunks: Sequence[Chunk], documents: Mapping[str, DocumentVersion], conflicts: Sequence[Conflict]
) -> tuple[Topic, ...]:
    """The registers that a corpus has, measures first; a function of the set of chunks and documents.

    Args:
        chunks: Tier 2 of the corpus.
        documents: its documents by id.
        conflicts: what documents disagree on; their measures come first, and both sides are quoted.
    """
    return (*_measures(chunks, conflicts), *_modality(conflicts), *_missing(chunks, documents), *_open(chunks))


def _measures(chunks: Iterable[Chunk], conflicts: Sequence[Conflict]) -> list[Topic]:
    disputed: dict[tuple[str, str], set[tuple[str, int]]] = defaultdict(set)
    for conflict in conflicts:
        disputed[conflict.kind, conflict.head] |= {conflict.first.place, conflict.second.place}
    speaking: dict[tuple[str, str], set[str]] = defaultdict(set)
    verbs: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for chunk in chunks:
        for sentence in chunk.selected_sentences:
            for measure in sentence.measures:
                speaking[measure.kind, measure.head].add(chunk.document_id)
                verbs[measure.kind, measure.head][measure.verb] += 1
    shared = [key for key, found in speaking.items() if len(found) > 1]
    shared.sort(key=lambda key: (not disputed[key], -len(speaking[key]), key))
    return [
        Topic(
            measure_name(kind, _verb(verbs[kind, head])),
            (),
            "measure",
            (kind, head),
            disputed=frozenset(disputed[kind, head]),
        )
        for kind, head in shared[:MOST_MEASURES]
    ]


def _modality(conflicts: Sequence[Conflict]) -> list[Topic]:
    places = frozenset(s.place for c in conflicts if c.kind == "modality" for s in (c.first, c.second))
    return [Topic("required here, optional or prohibited there", (), "modality", disputed=places)] if places else []


def measure_name(kind: str, verb: str) -> str:
    """What a measure section is called: "how often: review"."""
    return f"{MEASURE_NAMES[kind]}: {verb}"


def _verb(counts: Counter[str]) -> str:
    """The shortest printed form, which is the infinitive where it occurs."""
    return min(counts, key=lambda word: (len(word), word))


def _missing(chunks: Iterable[Chunk], documents: Mapping[str, DocumentVersion]) -> list[Topic]:
    known = known_names(documents.values())
    referred = {name for chunk in chunks for sentence in chunk.selected_sentences for name in sentence.documents}
    missing = frozenset(name for name in referred if not resolves(name, known))
    return (
        [Topic("documents referred to that are not in the corpus", (), "missing", documents=missing)] if missing else []
    )


def _open(chunks: Iterable[Chunk]) -> list[Topic]:
    found = any(sentence.open_point for chunk in chunks for sentence in chunk.selected_sentences)
    return [Topic("open points", (), "open")] if found else []


def names_of(version: DocumentVersion) -> list[str]:
    """What a document is called: its title, and its file name without folder and suffix."""
    stem = version.name.rsplit("/", 1)[-1].split(".", 1)[0]
    return [name for name in (version.title, " ".join(_SPLIT.split(stem))) if name.strip()]


def known_names(versions: Iterable[DocumentVersion]) -> list[frozenset[str]]:
    """The stems of every name of every document."""
    return sorted({frozenset(terms(name)) for version in versions for name in names_of(version)}, key=sorted)


def resolves(name: str, known: Sequence[frozenset[str]]) -> bool:
    """Whether a named document is in the corpus: all content words of the name stand in a document's name."""
    wanted = frozenset(terms(name))
    return any(wanted <= have for have in known) if wanted else True
