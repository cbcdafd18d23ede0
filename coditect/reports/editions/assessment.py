"""The audit report as OSCAL assessment results (OSCAL 1.2, JSON): an observation for each finding of ours, with its evidence.

OSCAL's own *findings* are conclusions about objectives of controls. Where a crosswalk is given, each part of a requirement is one;
without it there are observations and risks alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from coditect.reports.claims import possible_counted
from coditect.reports.editions.conclusions import Ids, conclusion, line, observed, prop, props, selection
from coditect.reports.editions.frame import place_of, stands_out
from coditect.reports.model import AuditReport, ReportClaim, ReportPassage
from coditect.reports.registers.mapping.resources import attached, corpus_resource
from coditect.reports.registers.mapping.writing import OSCAL_VERSION
from coditect.schemas.crosswalk import Crosswalk

__all__ = ["assessment_results"]

_RISKS = ("conflict", "gap", "standing")
"""Kinds of findings that are risks as long as nobody has dismissed or accepted them."""

_STATES = {"accept_risk": "deviation-approved"}
"""What a decision in force makes of a risk; it is open without one. A dismissed finding is not published at all."""


def assessment_results(report: AuditReport, crosswalk: Crosswalk | None = None) -> dict[str, Any]:
    """The assessment results of a report; the same report and crosswalk make the same document.

    Args:
        report: the report.
        crosswalk: of the same corpus and a framework: its rows become OSCAL's findings.
    """
    ids = Ids(report, crosswalk)
    observations = [_observation(report, each, ids) for each in report.claims]
    rows = () if crosswalk is None else crosswalk.rows
    observations += [observed(row, each, report, ids) for row in rows for each in row.evidence]
    findings = [conclusion(row, ids) for row in rows]
    result: dict[str, Any] = {
        "uuid": ids("result"),
        "title": f"Generation {report.generation} of {report.corpus_name or report.corpus_id}",
        "description": _description(report, crosswalk),
        "start": report.built_at,
        "end": report.generated_at,
        "props": [prop("build-id", report.build_id), prop("summary-id", report.summary_id)],
        "reviewed-controls": {"control-selections": [selection(crosswalk, ids)]},
    }
    risks = [_risk(report, each, ids) for each in report.claims if each.kind in _RISKS]
    for name, values in (("observations", observations), ("risks", risks), ("findings", findings)):
        if values:  # OSCAL knows no empty lists
            result[name] = values
    return {
        "assessment-results": {
            "uuid": ids("assessment"),
            "metadata": {
                "title": f"Audit report of {report.corpus_name or report.corpus_id}",
                "last-modified": report.generated_at,
                "version": str(report.generation),
                "oscal-version": OSCAL_VERSION,
            },
            "import-ap": {
                "href": f"#{ids('plan')}",
                "remarks": "There is no assessment plan; the resource tells how the generation was made.",
            },
            "results": [result],
            "back-matter": {"resources": [_plan(report, ids), *_framework(crosswalk, ids), *_resources(report, ids)]},
        }
    }


def _description(report: AuditReport, crosswalk: Crosswalk | None) -> str:
    told = (
        f"{report.counts.published} statements that passed every check, of {report.counts.documents} documents; "
        f"{_possible(report)}{report.counts.refused} were refused and are not told here; "
        f"{report.counts.failures} files could not be read. "
        "Made by rules; nobody has reviewed what names no reviewer."
    )
    if crosswalk is None:
        return told
    columns = "".join(f" {each.remark[:1].upper()}{each.remark[1:]}" for each in crosswalk.columns)
    return (
        f"{told} Findings are the parts of the requirements of {crosswalk.framework_corpus}, generation "
        f"{crosswalk.framework_generation}: satisfied means that a sentence of the documents asks what the part asks, not that "
        f"it is done.{columns}"
    )


def _possible(report: AuditReport) -> str:
    """How many conflicts and gaps wait for a person, and are not told as observations."""
    if not report.possible:
        return ""
    told = possible_counted([each.kind for each in report.possible])
    return f"{told}, which rules suspect and do not publish, stand in the report and not here; "


def _observation(report: AuditReport, claim: ReportClaim, ids: Ids) -> dict[str, Any]:
    passages = [report.passages[each.passage - 1] for each in claim.citations if each.passage is not None]
    unique = list({each.number: each for each in passages}.values())
    made: dict[str, Any] = {
        "uuid": ids("observation", claim.claim_id),
        "title": line(claim.topic) or claim.kind,
        "description": claim.text,
        "props": props(
            ("kind", claim.kind),
            ("severity", claim.severity or ""),
            ("label", claim.label),
            ("support", f"{claim.support_score:.4f}"),
            ("confidence", f"{claim.confidence:.4f}"),
            ("claim-id", claim.claim_id),
            ("finding-id", claim.finding_id),
            ("rule", claim.rule),
            ("checker", claim.checker),
        ),
        "methods": ["EXAMINE"],
        "types": ["finding" if stands_out(claim) else "historic"],
        "collected": report.built_at,
    }
    if unique:
        made["subjects"] = [
            {"subject-uuid": ids("document", each), "type": "resource"}
            for each in dict.fromkeys(passage.place.document_id for passage in unique)
        ]
        made["relevant-evidence"] = [_evidence(each, ids) for each in unique]
    return made


def _evidence(passage: ReportPassage, ids: Ids) -> dict[str, Any]:
    place = passage.place
    return {
        "href": f"#{ids('document', place.document_id)}",
        "description": passage.text,
        "props": props(
            ("version-id", place.version_id),
            ("characters", f"{place.char_start}-{place.char_end}"),
            ("place", place_of(place)),
            ("sha256", place.raw_sha256),
        ),
    }


def _risk(report: AuditReport, claim: ReportClaim, ids: Ids) -> dict[str, Any]:
    decided = [each for each in report.decisions if each.item_id == claim.claim_id and each.state == "in force"]
    last = decided[-1].review if decided else None
    made: dict[str, Any] = {
        "uuid": ids("risk", claim.claim_id),
        "title": line(claim.text)[:200],
        "description": claim.text,
        "statement": claim.text,
        "status": "open" if last is None else _STATES.get(last.decision, "open"),
        "related-observations": [{"observation-uuid": ids("observation", claim.claim_id)}],
    }
    told = props(("severity", claim.severity or ""))
    if last is not None:
        until = f" until {last.until}" if last.until else ""
        told += props(("decision", last.decision), ("decided-by", last.by), ("decided-at", last.at))
        made["description"] += f"\n\nDecided by {last.by} on {last.at[:10]}{until}: {last.meaning}"
        if last.until:
            made["deadline"] = f"{last.until}T23:59:59Z"
    if told:
        made["props"] = told
    return made


def _plan(report: AuditReport, ids: Ids) -> dict[str, Any]:
    versions = ", ".join(f"{name} {value}" for name, value in report.method.code_versions.items())
    settings = report.method.settings.model_dump_json()
    return {
        "uuid": ids("plan"),
        "title": "How the generation was made",
        "description": f"Program {report.built_by}; steps: {versions}; checkers: {', '.join(report.method.checkers)}; "
        f"settings: {settings}",
        "base64": attached(
            "method.json",
            {
                "built_by": report.built_by,
                "build_id": report.build_id,
                **report.method.model_dump(mode="json", exclude={"history"}),
            },
        ),
    }


def _framework(crosswalk: Crosswalk | None, ids: Ids) -> Iterator[dict[str, Any]]:
    """What the controls that were compared are controls of."""
    if crosswalk is not None and crosswalk.rows:
        title = f"Corpus {crosswalk.framework_corpus}, generation {crosswalk.framework_generation}"
        yield corpus_resource(ids("framework"), title, crosswalk.framework_files)


def _resources(report: AuditReport, ids: Ids) -> Iterator[dict[str, Any]]:
    for each in report.documents:
        yield {
            "uuid": ids("document", each.document_id),
            "title": line(each.title or each.name),
            "props": props(("file", each.name), ("version-id", each.version_id), ("document-id", each.document_id)),
            "rlinks": [
                {
                    "href": quote(each.name),
                    "media-type": each.media_type,
                    "hashes": [{"algorithm": "SHA-256", "value": each.raw_sha256}],
                }
            ],
        }
