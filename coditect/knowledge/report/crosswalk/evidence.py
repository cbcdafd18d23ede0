"""What the statements of one document say of the requirements of a framework; kept by content, so that nothing is asked twice.

Each statement of a document asks the framework for requirements, and not the other way round. What comes of a document is then a
function of that document and the framework alone: a changed policy changes its own answers and no other document's, and a run with
a cache gives what a run without one gives.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from coditect.knowledge.report.crosswalk.requirements import Framework, RequirementPart
from coditect.language.provisions.composed import ComposedText
from coditect.language.reading.sentence import read_sentence
from coditect.retrieve.port import Filter, Request, Searcher
from coditect.schemas import Extraction, NormData
from coditect.schemas.crosswalk import CrosswalkEvidence
from coditect.store.view import View
from coditect.verify.requirements.decision import DECISION_VERSION, Force, decide

__all__ = ["METHOD", "Inquiry", "PartEvidence"]

METHOD = f"crosswalk/1 {DECISION_VERSION}"

STATEMENTS = frozenset(("obligation", "prohibition", "permission", "proposition"))
_FORCES: dict[str, Force] = {
    "obligation": "binds",
    "prohibition": "prohibits",
    "permission": "permits",
    "proposition": "states",
}

HITS = 24
"""Places of the framework that a statement asks for."""

REQUIREMENTS = 8
"""Requirements of these that it is compared with."""

_SHARED = 2
"""Words of substance that a part and a statement share before they are compared."""

_LONGEST = 1_000
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class PartEvidence:
    """What a statement says of a part.

    Attributes:
        part_id: of the framework.
        evidence: the statement with its label.
    """

    part_id: str
    evidence: CrosswalkEvidence


class Inquiry:
    """Asks a framework what the statements of documents answer.

    Args:
        framework: its parts.
        framework_view: the generation that they were read from.
        searcher: finds places of it.
        view: the documents' generation.
        cache: a folder where answers are kept, or None; may be deleted at any time.
    """

    def __init__(
        self, framework: Framework, framework_view: View, searcher: Searcher, view: View, cache: Path | None = None
    ) -> None:
        self._framework = framework
        self._framework_view = framework_view
        self._searcher = searcher
        self._view = view
        self._only = Filter(documents=framework.documents)
        parts = [(each.part_id, each.wording.text, each.wording.parameters) for each in framework.parts]
        self._digest = hashlib.sha256(orjson.dumps([METHOD, framework_view.manifest.build_id, parts])).hexdigest()
        self._folder = cache / "crosswalk" / self._digest[:32] if cache is not None else None
        self._keys: dict[str, frozenset[str]] = {}
        self.asked = 0

    def of_document(self, document_id: str) -> list[PartEvidence]:
        """What the statements of a document say, in the order of its text; from the cache where that has it."""
        entry = self._view.entries[document_id]
        seed = [entry.version_id, list(entry.extractions), self._view.documents[document_id].name]
        name = hashlib.sha256(orjson.dumps(seed)).hexdigest()[:32] + ".json"
        path = self._folder / name if self._folder is not None else None
        kept = _read(path) if path is not None else None
        if kept is None:
            kept = list(self._asked(document_id))
            if path is not None:
                _write(path, kept)
        return kept

    def _asked(self, document_id: str) -> Iterator[PartEvidence]:
        version = self._view.document(document_id)
        text = ""
        for item in self._view.each_extraction(document_id):
            if item.extraction_kind not in STATEMENTS or len(item.source_text.split()) < _SHORTEST:
                continue
            spans = item.tier1_data.spans if isinstance(item.tier1_data, NormData) else None
            words = item.source_text
            if spans:
                text = text or self._view.text(document_id)
                places = [(span.start, span.end) for span in spans]
                words = ComposedText(text, places[:-1], places[-1:]).text
            for part in self._candidates(item, words):
                decision = decide(part.wording, words[:_LONGEST], _FORCES[item.extraction_kind], item.source_text)
                if decision is not None:
                    yield PartEvidence(
                        part.part_id,
                        CrosswalkEvidence(
                            label=decision.label,
                            probability=decision.probability,
                            held=decision.held,
                            reason=decision.reason,
                            item_id=item.extraction_id,
                            document=version.name,
                            version_id=version.version_id,
                            locator=item.locator,
                            heading=item.heading,
                            text=item.source_text,
                            composed=words if spans else "",
                            char_start=item.char_offset_start,
                            char_end=item.char_offset_end,
                        ),
                    )

    def requirements_near(self, item: Extraction, words: str) -> list[tuple[RequirementPart, ...]]:
        """The requirements that a statement asks for, best first, each with its parts."""
        self.asked += 1
        query = f"{item.heading}. {words}"[:_LONGEST]
        answer = self._searcher.search(self._framework_view, Request(query, "extraction", HITS, only=self._only))
        items = self._framework_view.items(
            Extraction, [each.item_id for each in answer.found], [each.document_id for each in answer.found]
        )
        near: dict[tuple[str, str], tuple[RequirementPart, ...]] = {}
        for each in items:
            parts = self._framework.at(each.document_id, each.char_offset_start)
            if parts:
                near.setdefault((each.document_id, parts[0].requirement_id), tuple(parts))
        return list(near.values())[:REQUIREMENTS]

    def _candidates(self, item: Extraction, words: str) -> Iterator[RequirementPart]:
        own = read_sentence(words).keys
        for parts in self.requirements_near(item, words):
            for part in parts:
                keys = self._keys.get(part.part_id)
                if keys is None:
                    keys = self._keys[part.part_id] = read_sentence(part.wording.text).keys
                if len(own & keys) >= _SHARED:
                    yield part


def _read(path: Path) -> list[PartEvidence] | None:
    """What was kept; None for nothing, or for what was not written whole."""
    try:
        rows = orjson.loads(path.read_bytes())
        return [PartEvidence(part, CrosswalkEvidence.model_validate(each)) for part, each in rows]
    except (OSError, ValueError, TypeError):
        return None


def _write(path: Path, found: list[PartEvidence]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_bytes(orjson.dumps([(each.part_id, each.evidence.model_dump(mode="json")) for each in found]))
    partial.replace(path)
