"""Reads a crosswalk back from the mapping collection that was written of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from pydantic import ValidationError

from coditect.errors import ReadError
from coditect.reports.registers.mapping.properties import property_value, property_values
from coditect.reports.registers.mapping.resources import corpus_files
from coditect.schemas.crosswalk import (
    Crosswalk,
    CrosswalkEvidence,
    CrosswalkRow,
    FamilyCoverage,
    FrameworkColumns,
    SentenceAssessment,
)

__all__ = ["read_mapping_collection"]


def read_mapping_collection(document: Mapping[str, Any], name: str = "") -> Crosswalk:
    """Read a crosswalk.

    Args:
        document: the JSON of a mapping collection that :func:`coditect.reports.registers.mapping.writing.mapping_collection` made.
        name: of its file, for messages.

    Raises:
        ReadError: it is another one, or a part of it is gone.
    """
    try:
        (mapping,) = document["mapping-collection"]["mappings"]
        resources = {f"#{each['uuid']}": each for each in document["mapping-collection"]["back-matter"]["resources"]}
        rows: dict[tuple[str, str], dict[str, Any]] = {}
        for each in mapping["maps"]:
            (target,) = each["targets"]
            row = _row(target)
            kept = rows.setdefault((row["document"], row["part_id"]), row)
            if each["sources"][0]["type"] == "statement":
                kept["evidence"].append(_evidence(each))
        return Crosswalk(
            framework_corpus=property_value(mapping, "framework-corpus"),
            framework_generation=int(property_value(mapping, "framework-generation")),
            corpus_id=property_value(mapping, "corpus"),
            generation=int(property_value(mapping, "generation")),
            method=property_value(mapping, "method"),
            assessor=property_value(mapping, "assessor"),
            columns=tuple(
                FrameworkColumns.model_validate(each)
                for each in orjson.loads(property_value(mapping, "columns") or "[]")
            ),
            coverage=tuple(
                FamilyCoverage.model_validate(each) for each in orjson.loads(property_value(mapping, "coverage"))
            ),
            rows=tuple(CrosswalkRow.model_validate(row) for row in rows.values()),
            orphans=property_values(mapping, "orphan"),
            superseded=property_values(mapping, "superseded"),
            framework_files=corpus_files(resources[mapping["target-resource"]["href"]]),
            files=corpus_files(resources[mapping["source-resource"]["href"]]),
        )
    except (KeyError, ValueError, TypeError, IndexError, ValidationError) as error:
        raise ReadError(
            "no mapping collection that this program wrote",
            name=name,
            reason=str(error)[:200],
            hint="Others' mappings are checked with 'coditect knowledge crosswalk --check-mapping'.",
        ) from error


def _row(target: Mapping[str, Any]) -> dict[str, Any]:
    start, end = property_value(target, "characters").split("-")
    return {
        "requirement_id": property_value(target, "requirement-id"),
        "part_id": property_value(target, "part-id"),
        "label": property_value(target, "part-label"),
        "family": property_value(target, "family"),
        "title": property_value(target, "title"),
        "document": property_value(target, "document"),
        "text": target["remarks"],
        "char_start": int(start),
        "char_end": int(end),
        "open_parameters": property_values(target, "open-parameter"),
        "unread": property_value(target, "unread"),
        "evidence": [],
    }


def _evidence(each: Mapping[str, Any]) -> CrosswalkEvidence:
    (source,) = each["sources"]
    start, end = property_value(source, "characters").split("-")
    probability = property_value(source, "document-probability")
    return CrosswalkEvidence.model_validate(
        {
            "label": property_value(each, "label"),
            "probability": each.get("confidence-score", {}).get("percentage"),
            "document_probability": float(probability) if probability else None,
            "held": float(property_value(source, "held")),
            "reason": each["remarks"],
            "item_id": source["id-ref"],
            "document": property_value(source, "document"),
            "version_id": property_value(source, "version-id"),
            "locator": property_value(source, "locator"),
            "heading": property_value(source, "heading"),
            "text": source["remarks"],
            "composed": property_value(source, "composed"),
            "char_start": int(start),
            "char_end": int(end),
            "reviewed_by": property_value(source, "reviewed-by"),
            "assessed": _assessment(each),
        }
    )


def _assessment(each: Mapping[str, Any]) -> SentenceAssessment | None:
    """What a model said of a sentence; None where none was asked."""
    by = property_value(each, "assessed-by")
    if not by:
        return None
    probability = property_value(each, "rules-probability")
    return SentenceAssessment.model_validate(
        {
            "verdict": property_value(each, "assessed-as") or None,
            "taken": property_value(each, "assessed-taken") == "yes",
            "note": property_value(each, "assessed-note"),
            "reason": property_value(each, "assessed-reason"),
            "part_words": property_values(each, "assessed-part-words"),
            "sentence_words": property_values(each, "assessed-sentence-words"),
            "by": by,
            "request_sha256": property_value(each, "assessed-request"),
            "rules_label": property_value(each, "rules-label"),
            "rules_reason": property_value(each, "rules-reason"),
            "rules_probability": float(probability) if probability else None,
        }
    )
