"""What a checker is shown, assembled from a generation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coditect.schemas import Extraction, Section
from coditect.store.calibrations import calibrations_of
from coditect.store.live import LiveIndex
from coditect.store.view import View
from coditect.tiers.findings.counts import count
from coditect.verify.checker import Evidence
from coditect.verify.staged.calibration import SHIPPED

__all__ = ["evidence_for", "quoted_extractions"]


def evidence_for(index: LiveIndex, sections: Sequence[Section], extractions: Mapping[str, Extraction]) -> Evidence:
    """What the checker may look at: figures are counted from the indexes, words weighed by the calibration in force."""
    calibrations = calibrations_of(index.view.store, index.view.corpus_id)
    return Evidence(
        sections={section.section_id: section for section in sections},
        extractions=extractions,
        names=frozenset(version.name for version in index.documents.values()),
        recount=lambda recipe: count(recipe, index),
        figures=calibrations.checker or SHIPPED,
        fitted=calibrations.checkers,
    )


def quoted_extractions(view: View, sections: Sequence[Section]) -> dict[str, Extraction]:
    """The Tier 1 items behind the quotes of some sections, by id."""
    wanted = {
        each: part.citation.document_id
        for section in sections
        for part in section.content
        if part.citation is not None
        for each in part.citation.extraction_ids
    }
    return {e.extraction_id: e for e in view.items(Extraction, list(wanted), list(wanted.values()))}
