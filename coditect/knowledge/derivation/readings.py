"""What a model has read of a document, from its answers, which the store keeps: no model is asked."""

from __future__ import annotations

from dataclasses import replace

from coditect.agents.roles.reader.answers import read_passage
from coditect.agents.roles.reader.passages import reader_passages, reader_request
from coditect.agents.roles.role import ROLES
from coditect.errors import Malformed
from coditect.schemas import Derivation, DocumentVersion
from coditect.store.answers.records import llm_answer, stored_error
from coditect.store.answers.requests import AnswerStore
from coditect.store.store import Store
from coditect.tiers.extractions.document import DocumentReading
from coditect.tiers.readings.told import ReadBy, ToldDocument, ToldSentence

__all__ = ["READER", "stored_reading"]

READER = "reader"
"""The role, and the method of the steps of Tier 1 in which it took part."""


def stored_reading(
    store: Store, version: DocumentVersion, reading: DocumentReading, step: Derivation
) -> ToldDocument | None:
    """The reading that a step of Tier 1 was made with.

    Args:
        store: the tenant's store.
        version: the document version.
        reading: its text, outline and sentences.
        step: the step.

    Returns:
        The reading; None where no model had a part in the step, another release asked otherwise, or an answer is not there.
    """
    role = replace(ROLES[READER], model=str(step.parameters.get("model", "")))
    if step.method != READER or step.parameters.get("role") != role.version:
        return None
    answers = AnswerStore(store, version.corpus_id)
    sentences: dict[int, ToldSentence] = {}
    for passage in reader_passages(version.name, reading):
        stored = answers.find(reader_request(role, passage).sha256)
        if stored is None or stored_error(stored) is not None:
            return None
        try:
            sentences |= read_passage(llm_answer(stored), passage).sentences
        except Malformed:
            return None
    return ToldDocument(ReadBy(READER, role.version, role.model), sentences)
