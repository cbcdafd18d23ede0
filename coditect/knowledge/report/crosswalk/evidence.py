"""What the statements of one document say of the requirements of a framework; kept by content, so that nothing is asked twice.

Each statement of a document asks the framework for requirements, and not the other way round. What comes of a document is then a
function of that document and the framework alone: a changed policy changes its own answers and no other document's, and a run with
a cache gives what a run without one gives.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import orjson

from coditect.knowledge.report.crosswalk.framework.parts import Framework
from coditect.knowledge.report.crosswalk.nearness import (
    NEARNESS,
    RequirementIndex,
    RequirementText,
    Scores,
    nearest,
    speaks_to,
)
from coditect.knowledge.report.crosswalk.statements import PolicySentence, statements_of
from coditect.knowledge.report.proposed import proposals_of, proposed_in
from coditect.language.reading.sentence import read_sentence
from coditect.models.port import Embedder
from coditect.schemas.crosswalk import CrosswalkEvidence
from coditect.store.view import View
from coditect.verify.requirements.decision import DECISION_VERSION, AskedByPart, Decision, decide
from coditect.verify.requirements.measures import Rarity
from coditect.verify.requirements.terms import as_compared

__all__ = ["METHOD", "Inquiry", "PartEvidence", "rarity_in", "requirement_texts"]

METHOD = f"crosswalk/2 {NEARNESS} {DECISION_VERSION}"

REQUIREMENTS = 10
"""Requirements that a statement is compared with, the nearest first."""

_BATCH = 256
"""Statements that are ranked at once: bounds memory to some MB for the largest frameworks."""


@dataclass(frozen=True, slots=True)
class PartEvidence:
    """What a statement says of a part.

    Attributes:
        part: number of the part in the framework.
        evidence: the statement with its label.
    """

    part: int
    evidence: CrosswalkEvidence


class Inquiry:
    """Asks a framework what the statements of documents answer.

    Args:
        framework: its parts; at least one.
        view: the documents' generation.
        embedder: for meaning; None leaves it out.
        cache: a folder where answers are kept, or None; may be deleted at any time.

    Attributes:
        asked: documents that were compared and not found in the cache.
    """

    def __init__(
        self, framework: Framework, view: View, embedder: Embedder | None = None, cache: Path | None = None
    ) -> None:
        self._framework = framework
        self._view = view
        self._embedder = embedder
        model = embedder.card.model_id if embedder is not None else ""
        parts = [
            (
                p.requirement_id,
                p.part_id,
                p.family,
                p.title,
                p.matter,
                p.wording.text,
                p.wording.bound,
                p.read_with,
                p.text,
            )
            for p in framework.parts
        ]
        self._digest = hashlib.sha256(orjson.dumps([METHOD, model, parts])).hexdigest()
        self._folder = cache / "crosswalk" / self._digest[:32] if cache is not None else None
        self._numbers = {id(part): number for number, part in enumerate(framework.parts)}
        self._requirements = list(framework.by_requirement.values())
        self.asked = 0
        self._proposed = lru_cache(1)(lambda document_id: proposals_of(view, view.documents[document_id]))

    @cached_property
    def index(self) -> RequirementIndex:
        """The requirements, ready to be ranked."""
        return RequirementIndex(requirement_texts(self._framework), self._embedder)

    @cached_property
    def _rarity(self) -> Rarity:
        return rarity_in(self._framework)

    def nearness(self, document_id: str) -> Scores:
        """How near a whole document is to each requirement, in the framework's order: shape (requirements,), higher is nearer."""
        version = self._view.documents[document_id]
        whole = as_compared(self._view.text_of(version))
        return np.asarray(self.index.scores([whole], [as_compared(version.title or version.name)])[0])

    def of_document(self, document_id: str) -> list[PartEvidence]:
        """What the statements of a document say, in the order of its text; from the cache where that has it."""
        entry = self._view.entries[document_id]
        version = self._view.documents[document_id]
        seed = [entry.version_id, list(entry.extractions), list(entry.profile), version.name]
        name = hashlib.sha256(orjson.dumps(seed)).hexdigest()[:32] + ".json"
        path = self._folder / name if self._folder is not None else None
        kept = _read(path) if path is not None else None
        if kept is None:
            self.asked += 1
            kept = list(self._asked(document_id))
            if path is not None:
                _write(path, kept)
        return kept

    def _asked(self, document_id: str) -> Iterator[PartEvidence]:
        statements = list(statements_of(self._view, document_id))
        if not statements:
            return
        likely = speaks_to(self.nearness(document_id))
        for first in range(0, len(statements), _BATCH):
            some = statements[first : first + _BATCH]
            near = self.index.scores(
                [as_compared(each.said.text) for each in some], [as_compared(each.said.around) for each in some]
            )
            for statement, scores in zip(some, near, strict=True):
                for number in nearest(scores, REQUIREMENTS):
                    yield from self._compared(document_id, statement, number, float(likely[number]))

    def _compared(
        self, document_id: str, statement: PolicySentence, number: int, likely: float
    ) -> Iterator[PartEvidence]:
        said = replace(statement.said, likely=likely)
        for part in self._requirements[number]:
            decision = decide(AskedByPart(part.wording, part.matter, part.requirement_id), said, self._rarity)
            if decision is not None and part.read_with:
                decision = replace(decision, reason=f"{decision.reason}; read with {part.read_with}")
            if decision is not None:
                found = self._evidence(document_id, statement, decision, likely)
                yield PartEvidence(self._numbers[id(part)], found)

    def _evidence(
        self, document_id: str, statement: PolicySentence, decision: Decision, likely: float
    ) -> CrosswalkEvidence:
        item, version = statement.item, self._view.documents[document_id]
        proposed = proposed_in(item, self._proposed(document_id))
        return CrosswalkEvidence(
            label=decision.label,
            document_probability=round(likely, 4),
            held=decision.held,
            reason=f"{decision.reason}; only proposed, in a tracked change: {proposed}"
            if proposed
            else decision.reason,
            item_id=item.extraction_id,
            document=version.name,
            version_id=version.version_id,
            locator=item.locator,
            heading=item.heading,
            text=item.source_text,
            composed=statement.composed,
            char_start=item.char_offset_start,
            char_end=item.char_offset_end,
        )


def requirement_texts(framework: Framework) -> list[RequirementText]:
    """What each requirement of a framework says, in order, in the words in which both sides are compared."""
    return [
        RequirementText(
            as_compared(" ".join(part.wording.item or part.wording.text for part in parts)),
            as_compared(parts[0].title),
            as_compared(parts[0].family),
        )
        for parts in framework.by_requirement.values()
    ]


def rarity_in(framework: Framework) -> Rarity:
    """How much a stem tells in a framework: 1 for one that a single part has, near 0 for one that nearly all have."""
    counts = Counter(key for part in framework.parts for key in read_sentence(as_compared(part.wording.text)).keys)
    whole = math.log(len(framework.parts) + 1.0)
    if len(framework.parts) < _FEW:
        return lambda key: 1.0
    return lambda key: min(1.0, math.log((len(framework.parts) + 1.0) / (counts[key] + 0.5)) / whole)


_FEW = 20
"""Of fewer parts than this the frequency of words tells nothing."""


def _read(path: Path) -> list[PartEvidence] | None:
    """What was kept; None for nothing, or for what was not written whole."""
    try:
        rows = orjson.loads(path.read_bytes())
        return [PartEvidence(int(part), CrosswalkEvidence.model_validate(each)) for part, each in rows]
    except (OSError, ValueError, TypeError):
        return None


def _write(path: Path, found: list[PartEvidence]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(orjson.dumps([(each.part, each.evidence.model_dump(mode="json")) for each in found]))
    partial.replace(path)
