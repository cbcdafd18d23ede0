"""Requests below a lead-in that leaves them their act: whom it binds has to do what they ask.

A lead-in reaches as far as its number: what stands in "(a)(1)(i)" is led in by "(a)". Where nothing is numbered lists alone tell
what belongs to a lead-in (:mod:`coditect.tiers.extractions.provisions`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from coditect.language.provisions.open_leads import OpenLead, open_lead
from coditect.schemas import NormData
from coditect.schemas.tier1.data import Clause
from coditect.tiers.extractions.rules import RuleExtraction

__all__ = ["LedRequests"]


class LedRequests:
    """The lead-ins that are open where a document is read, in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[tuple[str, OpenLead]] = []

    def read(self, start: int, end: int, locator: str, findings: Sequence[RuleExtraction]) -> list[RuleExtraction]:
        """The findings of the next sentence, its requests with whom a lead-in above binds.

        Args:
            start: where the sentence begins, behind its number.
            end: one past its last.
            locator: of the sentence, as it is cited.
            findings: of the sentence.
        """
        self._open = [each for each in self._open if _is_below(locator, each[0])]
        held = self._open[-1][1] if self._open else None
        own = open_lead(self._text, start, end) if locator else None
        if own is not None:
            self._open = [*(each for each in self._open if each[0] != locator), (locator, own)]
        return [_led(each, held) for each in findings] if held else list(findings)


def _is_below(locator: str, lead: str) -> bool:
    """Whether what is cited by a number stands in what a lead-in's own number cites: "4.2(a)" in "4.2"."""
    return locator == lead or (locator.startswith(lead) and not locator[len(lead)].isalnum())


def _led(finding: RuleExtraction, lead: OpenLead) -> RuleExtraction:
    """A request that names nobody, as the duty of whom the lead-in binds."""
    data = finding.data
    if not isinstance(data, NormData) or data.modality != "imperative" or data.actor is not None or data.clause is None:
        return finding
    spans = (Clause(start=lead.start, end=lead.end), *(data.spans or (data.clause,)))
    return replace(
        finding, data=data.model_copy(update={"actor": lead.actor, "modality": lead.modality, "spans": spans})
    )
