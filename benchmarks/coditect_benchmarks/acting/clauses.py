"""What the fit learns from: clauses of documents without labels, and norms whose holder somebody labelled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coditect.documents.readers import read_source
from coditect.errors import CoditectError
from coditect.language.norms.actors.agents import heads, is_agent, known_to_act
from coditect.schemas import DocumentVersion
from coditect.tiers.extractions.document import NORMATIVE, extraction_records, read_document
from coditect_benchmarks.gold.agreement import pair_norms
from coditect_benchmarks.gold.readings import read_documents
from coditect_benchmarks.gold.scoring import bare_words
from coditect_benchmarks.gold.sources import Library
from coditect_benchmarks.gold.store import GoldUnit

__all__ = ["ActingClause", "LabelledClause", "clauses_of", "labelled_clauses"]

_VERSION: dict[str, Any] = {"corpus_id": "acting", "document_id": "document", "version_id": "version"}


@dataclass(frozen=True, slots=True)
class ActingClause:
    """Who is to do what in an active clause.

    Attributes:
        name: the subject.
        act: what it is to do, its verb first.
        modality: the words of force, as rules name them.
    """

    name: str
    act: str
    modality: str

    @property
    def known(self) -> bool | None:
        """Whether tables know the subject for somebody who acts (True), for a thing (False), or not at all."""
        told = [known_to_act(each) for each in heads(self.name)]
        if any(told):
            return True
        return False if told and all(each is False for each in told) else None


@dataclass(frozen=True, slots=True)
class LabelledClause:
    """A clause whose subject is no agent by the tables, and what a label says of it.

    Attributes:
        clause: the clause.
        holds: whether the label has the subject as the norm's holder; it has none otherwise.
        family: of the document, which is left out together in cross-validation.
        document: its name.
    """

    clause: ActingClause
    holds: bool
    family: str
    document: str


def clauses_of(files: Sequence[Path]) -> Iterator[ActingClause]:
    """The active clauses of documents, in order; a file that cannot be read gives none."""
    for file in files:
        try:
            source = read_source(file.read_bytes(), file.name)
        except CoditectError:
            continue
        version = DocumentVersion.model_construct(**_VERSION, name=file.name)
        for each in extraction_records(version, read_document(source), "derivation"):
            if each.extraction_kind in NORMATIVE and (clause := _clause(each.tier1_data.fields())):
                yield clause


def labelled_clauses(gold: Sequence[GoldUnit], library: Library) -> Iterator[LabelledClause]:
    """The active clauses of labelled units whose subject the tables take for no agent; none of units that are unsure.

    Norms whose label has another holder than the subject tell nothing of it, and are left out.
    """
    sources = {each.unit.document: library.source(each.unit.document) for each in gold}
    readings = read_documents(gold, sources)
    for each in gold:
        text = sources[each.unit.document].text
        data = {id(read.norm): read.data for read in readings[each.unit.id].norms}
        pairs = pair_norms(each.label.norms, [read.norm for read in readings[each.unit.id].norms])
        for wanted, read in pairs:
            clause = _clause(data[id(read)]) if read is not None else None
            if wanted is None or clause is None or each.label.unsure or is_agent(clause.name, opens=False):
                continue
            holder = bare_words(" ".join(text[start:end] for start, end in wanted.holder))
            holds = holder == bare_words(clause.name)
            if holds or not holder:
                yield LabelledClause(clause, holds, f"{each.unit.genre}: {each.unit.family}", each.unit.document)


def _clause(data: Mapping[str, Any]) -> ActingClause | None:
    name, act = data.get("actor") or data.get("subject"), data.get("action")
    if not name or not act or data.get("object"):
        return None
    return ActingClause(name, act, data.get("modality") or "")
