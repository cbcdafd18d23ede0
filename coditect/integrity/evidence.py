"""What a checker is shown, assembled from a generation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from coditect.retrieve.lookup.live import LiveIndex
from coditect.schemas import Extraction, Section
from coditect.store.acts.calibrations import calibrations_of
from coditect.store.view import View
from coditect.tiers.claims.grounds import Grounds
from coditect.tiers.claims.rendering import restate
from coditect.tiers.claims.versions import TODAY, wording_of
from coditect.verify.checker import Evidence
from coditect.verify.staged.calibration import SHIPPED
from coditect.verify.support.meaning import FindMeaning, nothing_meant

__all__ = ["evidence_for", "evidence_of", "quoted_extractions"]


def evidence_for(
    index: LiveIndex, sections: Sequence[Section], grounds: Grounds, meaning: FindMeaning = nothing_meant
) -> Evidence:
    """What the checker may look at: quotes with Tier 1 behind them, claims of rules made again from the same grounds, and the
    figures that weigh words, by the calibration in force.
    """
    calibrations = calibrations_of(index.view.store, index.view.corpus_id)
    return Evidence(
        sections={section.section_id: section for section in sections},
        extractions=grounds.extractions,
        names=frozenset(version.name for version in index.documents.values()),
        restate=partial(restate, grounds=grounds),
        figures=calibrations.checker or SHIPPED,
        fitted=calibrations.checkers,
        meaning=meaning,
    )


def evidence_of(view: View, meaning: FindMeaning = nothing_meant) -> Evidence:
    """What the checker may look at in a published generation, with the embedder that is configured.

    Its claims are told as the release worded them that built it.
    """
    index = LiveIndex(view)
    made_by = view.manifest.summary_derivation
    step = view.store.derivations(view.corpus_id, [made_by]).get(made_by)
    wording = TODAY if step is None else wording_of(step.code_version)
    grounds = Grounds(index, quoted_extractions(view, view.sections), wording=wording)
    return evidence_for(index, view.sections, grounds, meaning)


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
