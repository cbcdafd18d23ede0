"""The reader: a model that reads the norms and definitions of documents, in the place of the rules where its answers are sound.

Asked is about documents of which something is still to be made. What is answered already is found in the store, so that of a
changed document only the passages are sent whose words have changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from coditect.agents.asking.pool import Outcome
from coditect.agents.roles.reader.answers import ToldPassage, read_passage
from coditect.agents.roles.reader.passages import ReaderPassage, reader_passages, reader_request
from coditect.documents.layout import version_source
from coditect.errors import CoditectError
from coditect.knowledge.derivation.document import DeriveTask
from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.readings import READER
from coditect.knowledge.derivation.run import BuildRun
from coditect.knowledge.derivation.source import stored_text
from coditect.knowledge.labour.failures import SLIPS
from coditect.knowledge.model_roles.agency import Agency, Stage
from coditect.knowledge.model_roles.documents import first_error, run_by_document, unread
from coditect.knowledge.model_roles.forecast import Forecaster
from coditect.tiers.extractions.document import DocumentReading, read_document
from coditect.tiers.readings.told import ReadBy, ToldDocument

__all__ = ["LEFT_TO_RULES", "read_provisions"]

LEFT_TO_RULES = "left_to_rules"
"""The count of provisions of which rules' reading stands, since an answer was not sound."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A passage of one document."""

    document: DocumentPlan
    reading: DocumentReading
    passage: ReaderPassage


def read_provisions(agency: Agency, run: BuildRun, documents: Sequence[DocumentPlan]) -> None:
    """Have the reader read the documents of which something is to be made; entered into the plans.

    Nothing is done where no model plays the reader.

    Args:
        agency: asks the reader.
        run: the run of the build; its report names the documents that the role failed on, which rules read.
        documents: the documents of the build; their plans are changed.
    Raises:
        BudgetExceeded: what was answered is kept.
    """
    role = agency.roles.get(READER)
    if role is None:
        return
    by = ReadBy(READER, role.version, role.model)
    for document in documents:
        document.read_with(by)
    steps = {document.version.version_id: set(document.steps.values()) for document in documents}
    known = run.store.derivations(run.report.corpus_id, [each for own in steps.values() for each in own])
    wanted = [document for document in documents if not known.keys() >= steps[document.version.version_id]]
    counts = run.report.read_by_model

    def asked() -> Iterator[_Asked]:
        return (each for document in wanted for each in _passages(run, document))

    def take(document: DocumentPlan, outcomes: Sequence[Outcome[_Asked, ToldPassage]]) -> None:
        if not isinstance(agency.asks, Forecaster):  # whose answers say nothing
            _note(agency, run, document, outcomes)
        error = first_error(outcomes)
        if error is not None:  # where one passage failed, nothing of the document is used
            unread(run.report, document.version, READER, error)
            document.read_with(None)
            return
        told = [outcome.get() for outcome in outcomes]
        counts[LEFT_TO_RULES] = counts.get(LEFT_TO_RULES, 0) + sum(each.left for each in told)
        sentences = {index: own for each in told for index, own in each.sentences.items()}
        document.chunks = replace(document.chunks, told=ToldDocument(by, sentences))

    stage: Stage[_Asked, ToldPassage] = Stage(
        READER,
        "reader reads",
        asked,
        lambda each: reader_request(role, each.passage),
        lambda each, answer: read_passage(answer, each.passage),
    )
    run_by_document(agency, stage, take, run.progress)


def _passages(run: BuildRun, document: DocumentPlan) -> Iterator[_Asked]:
    """A document in passages; none of one that cannot be read: its derivation fails, too, and says so."""
    version, chunks = document.version, document.chunks
    task = DeriveTask(run.store.keys.tenant, version, "", b"", frozenset(), chunks, None, run.document_extractions)
    if task.is_too_long:
        return
    try:
        reading = read_document(version_source(version, *stored_text(run.store, version)))
        passages = list(reader_passages(version.name, reading))
    except (CoditectError, *SLIPS):
        return
    yield from (_Asked(document, reading, each) for each in passages)


def _note(
    agency: Agency, run: BuildRun, document: DocumentPlan, outcomes: Sequence[Outcome[_Asked, ToldPassage]]
) -> None:
    """Count what was not accepted, and report text that speaks to a model."""
    for outcome in outcomes:
        if outcome.value is None:
            continue
        agency.rejected(READER, outcome.value.rejected)
        for place in outcome.value.suspicious:
            text, start, end = outcome.item.reading.quote(*place)
            own = {"name": document.version.name, "start": start, "end": end, "text": text}
            if own not in run.report.suspicious:
                run.report.suspicious.append(own)
