"""What a summary is made from, and by which code: its derivation, whose id says whether it was made before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from coditect.knowledge.building.remarks import Unread
from coditect.knowledge.model_roles.missing.reported import NOTHING_PLACED, PlacedTellings
from coditect.knowledge.review.in_force import Reviews, review_parameters
from coditect.schemas import CorpusSummary, Derivation, Section, derivation_id_for
from coditect.store.acts.calibrations import calibrations_of
from coditect.store.view import View
from coditect.tiers.claims.composition import CLAIMS_VERSION
from coditect.tiers.claims.precision import PRECISION_VERSION
from coditect.tiers.findings.conflicts.detection import CONFLICTS_VERSION
from coditect.tiers.sections.composition import SECTIONS_VERSION
from coditect.tiers.sections.registers import REGISTERS_VERSION
from coditect.tiers.sections.topics import TOPICS_VERSION
from coditect.verify.checker import CHECKER_VERSION

__all__ = ["UPPER_VERSIONS", "summary_id_for", "summary_parameters", "summary_step"]

UPPER_VERSIONS = {
    "topics": TOPICS_VERSION,
    "registers": REGISTERS_VERSION,
    "conflicts": CONFLICTS_VERSION,
    "sections": SECTIONS_VERSION,
    "claims": CLAIMS_VERSION,
    "precision": PRECISION_VERSION,
    "checker": CHECKER_VERSION,
}


def summary_step(
    view: View, parameters: dict[str, Any], summary: CorpusSummary, sections: Sequence[Section]
) -> Derivation:
    """The derivation of a summary, with what it gave."""
    return Derivation(
        derivation_id=summary.derivation_id,
        corpus_id=view.corpus_id,
        stage="summary",
        inputs=_inputs(view),
        method="deterministic",
        parameters=parameters,
        code_version=_code(),
        outputs=(),
    ).giving([summary, *sections])


def _inputs(view: View) -> tuple[str, ...]:
    return tuple(sorted(view.manifest.trees.values()))


def summary_parameters(
    view: View,
    reading: Unread,
    given: Sequence[Section] | None,
    reviews: Reviews,
    weighed_with: str = "",
    told: PlacedTellings = NOTHING_PLACED,
) -> dict[str, Any]:
    """What a summary depends on beside its documents.

    Args:
        view: the draft.
        reading: what was not read.
        given: Tier 3 that a program composed.
        reviews: of claims, in force.
        weighed_with: weights and embedder that claims in words of their own are weighed with; "" for those of words alone.
        told: what the reducer tells of all statements.
    """
    unread = {"unread": list(reading.files)} if reading.files else {}
    by_rules = {"read_by_rules": list(reading.by_rules)} if reading.by_rules else {}
    sections = {} if given is None else {"sections": [section.section_id for section in given]}
    calibration = calibrations_of(view.store, view.corpus_id).build_parameters
    settings = view.manifest.settings.model_dump(mode="json", exclude_none=True)
    weighed = {"weighed_with": weighed_with} if weighed_with else {}
    own = {**unread, **by_rules, **sections, **review_parameters(reviews), **calibration, **weighed, **told.parameters}
    return {**settings, **own}


def _code() -> str:
    return " ".join(UPPER_VERSIONS[name] for name in sorted(UPPER_VERSIONS))


def summary_id_for(view: View, parameters: dict[str, Any]) -> str:
    """The id of the derivation that makes a summary of a draft with these parameters."""
    return derivation_id_for(view.corpus_id, "summary", _inputs(view), "deterministic", parameters, _code())
