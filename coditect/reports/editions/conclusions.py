"""OSCAL's findings in assessment results: what a crosswalk concludes of each part of a requirement, and ids and properties."""

from __future__ import annotations

import uuid
from typing import Any

from coditect.reports.model import AuditReport
from coditect.reports.registers.mapping.writing import NAMESPACE, token
from coditect.schemas.crosswalk import Crosswalk, CrosswalkEvidence, CrosswalkRow

__all__ = ["Ids", "conclusion", "line", "observed", "prop", "props", "selection"]

_SATISFIED = ("meets", "stricter")
"""Labels that OSCAL calls satisfied: a sentence of the documents asks what the part asks."""


class Ids:
    """Ids of this document's parts: the same for the same generation, framework and part."""

    def __init__(self, report: AuditReport, crosswalk: Crosswalk | None) -> None:
        framework = "" if crosswalk is None else f"{crosswalk.framework_corpus}/{crosswalk.framework_generation}"
        self._seed = "\0".join((NAMESPACE, report.corpus_id, report.build_id, framework))

    def __call__(self, *parts: str) -> str:
        """The id of a part, a UUID."""
        return str(uuid.uuid5(uuid.NAMESPACE_URL, "\0".join((self._seed, *parts))))


def prop(name: str, value: str) -> dict[str, str]:
    """A property in our namespace; its value on one line, as OSCAL wants it."""
    return {"name": name, "ns": NAMESPACE, "value": line(value)}


def props(*pairs: tuple[str, str]) -> list[dict[str, str]]:
    """Properties of the pairs that say something."""
    return [prop(name, value) for name, value in pairs if value.strip()]


def line(text: str) -> str:
    """A text on one line, as titles are."""
    return " ".join(text.split())


def observed(row: CrosswalkRow, each: CrosswalkEvidence, report: AuditReport, ids: Ids) -> dict[str, Any]:
    """The observation of a sentence beside a part of a requirement."""
    document = next((d.document_id for d in report.documents if d.version_id == each.version_id), "")
    evidence: dict[str, Any] = {
        "description": each.text,
        "props": props(
            ("version-id", each.version_id),
            ("characters", f"{each.char_start}-{each.char_end}"),
            ("document", each.document),
            ("locator", each.locator),
        ),
    }
    if document:
        evidence["href"] = f"#{ids('document', document)}"
    return {
        "uuid": ids("evidence", row.part_id, each.item_id),
        "title": line(row.title) or row.requirement_id,
        "description": each.reason or each.label,
        "props": props(
            ("label", each.label),
            ("probability", "" if each.probability is None else f"{each.probability:.4f}"),
            ("item-id", each.item_id),
            ("reviewed-by", each.reviewed_by),
        ),
        "methods": ["EXAMINE"],
        "types": ["control-objective"],
        "relevant-evidence": [evidence],
        "collected": report.built_at,
    }


def conclusion(row: CrosswalkRow, ids: Ids) -> dict[str, Any]:
    """OSCAL's finding of a part of a requirement: satisfied or not, as far as the documents say."""
    satisfied = row.label in _SATISFIED
    made: dict[str, Any] = {
        "uuid": ids("finding", row.part_id),
        "title": line(f"{row.requirement_id} {row.title}"),
        "description": row.text,
        "target": {
            "type": "statement-id",
            "target-id": token(row.part_id),
            "status": {
                "state": "satisfied" if satisfied else "not-satisfied",
                "reason": "pass" if satisfied else "other",
                "remarks": f"The documents: {row.label}.",
            },
        },
        "props": props(("label", row.label), ("requirement", row.requirement_id), ("part", row.part_id)),
    }
    if row.evidence:
        made["related-observations"] = [
            {"observation-uuid": ids("evidence", row.part_id, each.item_id)} for each in row.evidence
        ]
    return made


def selection(crosswalk: Crosswalk | None, ids: Ids) -> dict[str, Any]:
    """The controls that were compared, and a link to what they are controls of."""
    if crosswalk is None or not crosswalk.rows:
        return {"description": "No framework was compared.", "include-all": {}}
    controls = dict.fromkeys(token(row.requirement_id) for row in crosswalk.rows)
    return {
        "links": [{"href": f"#{ids('framework')}", "rel": "reference"}],
        "include-controls": [{"control-id": each} for each in controls],
    }
