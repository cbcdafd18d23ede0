"""What persons decided of extractions that a model found: applied beside the rules' own, before Tier 2 is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coditect.knowledge.derivation.plan import DocumentPlan
from coditect.knowledge.derivation.run import BuildRun
from coditect.knowledge.derivation.source import stored_source
from coditect.schemas import Derivation, Extraction
from coditect.tiers.decisions.application import overruled
from coditect.tiers.extractions.document import read_document

__all__ = ["DECIDED_METHOD", "overrule_mapped"]

DECIDED_METHOD = "decisions"
"""The method of the step that applies decisions to what a model found."""

_DECIDED_VERSION = "decided/1"


def overrule_mapped(run: BuildRun, documents: Sequence[DocumentPlan]) -> None:
    """Apply what persons decided to the findings of the mapper; the plans go on with what comes out.

    Args:
        run: the run of the build.
        documents: the documents of the build; the plans of those with findings and decisions are changed.
    """
    for document in documents:
        plan, version = document.chunks, document.version
        if not plan.mapped_id or not plan.decisions:
            continue
        parameters = {"reviews": sorted(each.review_id for each in plan.decisions)}
        inputs = (plan.mapped_id,)
        step = Derivation.create(version.corpus_id, "extractions", inputs, DECIDED_METHOD, parameters, _DECIDED_VERSION)
        reading = read_document(stored_source(run.store, version))
        moved = [_moved(each, step.derivation_id) for each in plan.mapped]
        records = list(overruled(moved, version.name, reading, plan.decisions))
        done = run.store.finish(step, records)
        document.chunks = replace(plan, mapped=tuple(records), mapped_id=done.derivation_id)


def _moved(record: Extraction, derivation_id: str) -> Extraction:
    """An extraction as the output of another step."""
    fields = {name: getattr(record, name) for name in Extraction.model_fields if name != "extraction_id"}
    return Extraction.create(**{**fields, "tier1_data": record.tier1_data.fields(), "derivation_id": derivation_id})
