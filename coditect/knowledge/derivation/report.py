"""What a build tells of itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from coditect.schemas import Claim, Failure

__all__ = ["TIERS", "BuildReport"]

TIERS = ("extractions", "chunks", "passages", "sections", "claims")


@dataclass(slots=True)
class BuildReport:
    """What a build did.

    Attributes:
        corpus_id: the corpus that was built.
        generation: the number of the current generation after the build.
        build_id: the id of that generation's manifest.
        changed: False where the corpus was built in this state already.
        counts: how many items the generation has, by tier.
        derived: how many items this build made, by tier.
        reused: how many items were there already, by tier.
        failures: documents that could not be derived.
        unread: documents, by name, that an agent failed on; what rules find of them is there.
        unanswered: what roles were asked for the summary and did not answer.
        suspicious: text of documents that speaks to a model instead of to people, with its place.
        agents: what the roles asked, got and cost (:meth:`coditect.agents.asking.ledger.Ledger.report`); empty if none was asked.
        read_by_model: how many norms and definitions of rules the reader read alike, otherwise, beside them and not at all, in
            documents that were derived now; and how many provisions it left to the rules. Empty where nobody reads.
        topics_without_section: topics that the user gave and no chunk speaks to.
        trivial: how many claims were too trivial to be told, by why.
        empty: why a tier holds nothing, by tier.
        findings: the published claims, the most severe first.
        possible: conflicts and gaps that rules alone do not publish, the most severe first.
        seconds: time taken, by stage.
    """

    corpus_id: str
    generation: int = 0
    build_id: str = ""
    changed: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    derived: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TIERS, 0))
    reused: dict[str, int] = field(default_factory=lambda: dict.fromkeys(TIERS, 0))
    failures: list[Failure] = field(default_factory=list)
    unread: list[Failure] = field(default_factory=list)
    unanswered: list[str] = field(default_factory=list)
    suspicious: list[dict[str, Any]] = field(default_factory=list)
    agents: dict[str, Any] = field(default_factory=dict)
    read_by_model: dict[str, int] = field(default_factory=dict)
    topics_without_section: list[str] = field(default_factory=list)
    trivial: dict[str, int] = field(default_factory=dict)
    empty: dict[str, str] = field(default_factory=dict)
    findings: list[Claim] = field(default_factory=list)
    possible: list[Claim] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    @property
    def partial(self) -> bool:
        """Whether a document was left out, or an agent failed on one or on the summary."""
        return bool(self.failures or self.unread or self.unanswered)
