"""What a model's verdict makes of the label that rules gave a sentence: pure, and told with what it was before (ADR 112)."""

from __future__ import annotations

from coditect.agents.roles.on_request.assessor import PairVerdict
from coditect.schemas.crosswalk import CrosswalkEvidence, CrosswalkLabel, SentenceAssessment

__all__ = ["settled"]

_BOUND = "rules compare figures, and the bound stays"


def settled(evidence: CrosswalkEvidence, said: PairVerdict, by: str, request_sha256: str) -> CrosswalkEvidence:
    """A sentence beside a part with what a model said of it.

    Args:
        evidence: as rules have it.
        said: by the model.
        by: version of the role, and the model.
        request_sha256: of the request that was answered.

    Returns:
        The same with its label, and the model's reason where the label is another than that of the rules.
    """
    label, note = _label(evidence.label, said)
    told = SentenceAssessment(
        verdict=said.verdict,
        taken=not said.problem,
        note=f"not taken: {said.problem}" if said.problem else note,
        reason=said.reason,
        part_words=said.part_words,
        sentence_words=said.sentence_words,
        by=by,
        request_sha256=request_sha256,
        rules_label=evidence.label,
        rules_reason=evidence.reason,
    )
    changed = {"label": label, "reason": said.reason} if label != evidence.label else {}
    return evidence.model_copy(update={**changed, "assessed": told})


def _label(rules: CrosswalkLabel, said: PairVerdict) -> tuple[CrosswalkLabel, str]:
    """The label of both together, and why the model's does not count as far as it goes."""
    if said.problem or said.verdict is None:
        return rules, ""
    if said.verdict == "nothing":
        return "no evidence", ""
    if said.verdict == "meets":
        if rules == "looser":
            return rules, _BOUND
        return ("stricter" if rules == "stricter" else "meets"), ""
    if said.verdict == "partly" and rules == "looser":
        return rules, ""  # tells more of the same
    return said.verdict, ""
