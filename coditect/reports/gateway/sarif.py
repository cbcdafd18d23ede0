"""Checked texts as SARIF 2.1.0 (OASIS 2020): annotations that code review shows at the lines of a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

import orjson

from coditect.reports.gateway.checked import FAILING, CheckedFile, against, message_of
from coditect.reports.gateway.lines import Region, SourceLines
from coditect.schemas import CheckedSentence, TextEvidence, TextLabel, sha256_hex

__all__ = ["render_sarif"]

_RULES: dict[TextLabel, tuple[str, str, str]] = {
    "unsupported": ("error", "Unsupported", "The corpus does not say this, or says something else."),
    "sources_disagree": ("error", "SourcesDisagree", "One document of the corpus says this and another denies it."),
    "needs_review": (
        "warning",
        "NeedsReview",
        "The corpus speaks to this, and a person has to say whether it supports it.",
    ),
}
_LABELS = list(_RULES)
_URI = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(files: Iterable[CheckedFile], version: str) -> bytes:
    """A log with one run: a result for each sentence that fails, a notification for each file that could not be read.

    Args:
        files: in their order.
        version: of the program.
    """
    results: list[dict[str, Any]] = []
    notifications: list[dict[str, Any]] = []
    for file in files:
        if file.report is None:
            notifications.append(_notification(file))
            continue
        lines = SourceLines(file.content)
        for sentence in file.report.sentences:
            region = lines.find(sentence.text)  # of every sentence: each is looked for behind the one before
            if sentence.label in FAILING["needs_review"]:
                results.append(_result(file, sentence, region))
    run = {
        "tool": {"driver": {"name": "coditect knowledge verify", "version": version, "rules": _rules()}},
        "invocations": [{"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return orjson.dumps({"$schema": _URI, "version": "2.1.0", "runs": [run]}, option=orjson.OPT_INDENT_2) + b"\n"


def _rules() -> list[dict[str, Any]]:
    return [
        {
            "id": label,
            "name": name,
            "shortDescription": {"text": text},
            "defaultConfiguration": {"level": level},
        }
        for label, (level, name, text) in _RULES.items()
    ]


def _result(file: CheckedFile, sentence: CheckedSentence, region: Region | None) -> dict[str, Any]:
    label = sentence.label
    assert label is not None  # noqa: S101 - a sentence without a label does not fail
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(file.name)}}
    if region is not None:
        place["region"] = {
            "startLine": region.start_line,
            "startColumn": region.start_column,
            "endLine": region.end_line,
            "endColumn": region.end_column,
            "snippet": {"text": sentence.text},
        }
    result = {
        "ruleId": label,
        "ruleIndex": _LABELS.index(label),
        "level": _RULES[label][0],
        "message": {"text": message_of(sentence)},
        "locations": [{"physicalLocation": place}],
        # The same sentence at the same file is the same result, however the lines above it move.
        "partialFingerprints": {"sentence/v1": sha256_hex(f"{file.name}\0{sentence.text}".encode())[:32]},
        "properties": {"support": round(sentence.support_score, 4), "sentence": sentence.text},
    }
    shown = against(sentence)
    if shown is not None:
        result["relatedLocations"] = [_related(shown)]
    return result


def _related(evidence: TextEvidence) -> dict[str, Any]:
    length = evidence.char_end - evidence.char_start
    return {
        "id": 0,
        "message": {"text": f"{evidence.document_name}: {evidence.text}"},
        "physicalLocation": {
            "artifactLocation": {"uri": quote(evidence.document_name), "uriBaseId": "CORPUS"},
            "region": {"charOffset": evidence.char_start, "charLength": length},
        },
        "properties": {"item_id": evidence.item_id, "sha256": evidence.raw_sha256},
    }


def _notification(file: CheckedFile) -> dict[str, Any]:
    return {
        "level": "error",
        "message": {"text": f"{file.name} could not be read: {file.error}"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": quote(file.name)}}}],
    }
