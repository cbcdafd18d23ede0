"""A crosswalk as an OSCAL mapping collection (OSCAL 1.2, JSON): what is mapped, what is not, and who says so."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import orjson

from coditect.reports.registers.mapping.properties import NAMESPACE, properties
from coditect.reports.registers.mapping.resources import corpus_resource
from coditect.schemas.crosswalk import Crosswalk, CrosswalkEvidence, CrosswalkRow

__all__ = ["NAMESPACE", "OSCAL_VERSION", "mapping_collection", "token"]

OSCAL_VERSION = "1.2.1"

_TOKEN = re.compile(r"[^\W\d][\w.\-]*")
"""What OSCAL takes as the id of a control."""

_OVERVIEW = re.compile(r".+_(?:ovw|overview)")
"""Ids of parts that introduce a group of controls, as NIST's catalogues name them."""

_RELATIONSHIPS = {
    "meets": "superset-of",
    "stricter": "superset-of",
    "looser": "intersects-with",
    "partly": "intersects-with",
    "mentions": "intersects-with",
    "contradicts": "no-relationship",
    "no evidence": "no-relationship",
}
"""Of the policy's sentence to the requirement's part, by what it counts as; OSCAL has no word for a contradiction, which the
label tells."""

_READ = (
    "Made by rules, and a language model read what they call met, or nearly; nobody has reviewed what names no reviewer. "
    "A relationship is the reading of one sentence, and says no more than the label that a person gave the part."
)
_DESCRIBED = (
    "Made by rules, sentence by sentence; nobody has reviewed what names no reviewer. "
    "A relationship is the rules' reading of one sentence, and says no more than the label that a person gave the part."
)


def mapping_collection(found: Crosswalk, at: str) -> dict[str, Any]:
    """The mapping collection of a crosswalk; the same crosswalk and time make the same document.

    Args:
        found: the crosswalk.
        at: when it was made, RFC 3339.
    """
    sides = (found.framework_corpus, str(found.framework_generation), found.corpus_id, str(found.generation))
    seed = "\0".join((*sides, found.assessor) if found.assessor else sides)

    def name(*parts: str) -> str:
        return str(uuid.uuid5(uuid.NAMESPACE_URL, "\0".join((NAMESPACE, found.method, seed, *parts))))

    return {
        "mapping-collection": {
            "uuid": name("collection"),
            "metadata": {
                "title": f"Crosswalk of {found.corpus_id} and {found.framework_corpus}",
                "last-modified": at,
                "version": f"{found.framework_generation}.{found.generation}",
                "oscal-version": OSCAL_VERSION,
            },
            "provenance": {
                "method": "automation",
                "matching-rationale": "semantic",
                "status": "draft",
                "mapping-description": _READ if found.assessor else _DESCRIBED,
            },
            "mappings": [_mapping(found, name)],
            "back-matter": {
                "resources": [
                    corpus_resource(
                        name("documents"), f"Corpus {found.corpus_id}, generation {found.generation}", found.files
                    ),
                    corpus_resource(
                        name("framework"),
                        f"Corpus {found.framework_corpus}, generation {found.framework_generation}",
                        found.framework_files,
                    ),
                ]
            },
        }
    }


def _mapping(found: Crosswalk, name: Callable[..., str]) -> dict[str, Any]:
    """What each part is mapped to, and which requirements nothing is mapped to."""
    mapping: dict[str, Any] = {
        "uuid": name("mapping"),
        "source-resource": {"type": "catalog", "href": f"#{name('documents')}"},
        "target-resource": {"type": "catalog", "href": f"#{name('framework')}"},
        "maps": [
            made
            for row in found.rows
            for made in (
                [_map(row, each, name("map", row.part_id, each.item_id)) for each in row.evidence]
                or [_absence(row, found.corpus_id, name("absence", row.part_id))]
            )
        ],
    }
    gaps = sorted(
        {row.requirement_id for row in found.rows}
        - {row.requirement_id for row in found.rows if row.evidence and row.label != "no evidence"}
    )
    groups = _groups(found)
    controls = [token(each) for each in gaps if each not in groups]
    if controls:
        mapping["target-gap-summary"] = {"uuid": name("gaps"), "unmapped-controls": [{"with-ids": controls}]}
    mapping["props"] = _props(found, [each for each in gaps if each in groups or token(each) != each])
    return mapping


def _groups(found: Crosswalk) -> frozenset[str]:
    """Requirements that are overviews of groups of controls, as their ids tell; OSCAL's summary of gaps takes controls alone."""
    named: dict[str, list[str]] = {}
    for row in found.rows:
        named.setdefault(row.requirement_id, []).append(row.part_id)
    return frozenset(each for each, parts in named.items() if all(_OVERVIEW.fullmatch(part) for part in parts))


def _props(found: Crosswalk, gaps: Sequence[str]) -> list[dict[str, Any]]:
    """What OSCAL has no field for: gaps that are no tokens or no controls, what both sides are, and what came of the whole."""
    return [
        *({"name": "unmapped", "ns": NAMESPACE, "class": token(each), "value": each} for each in gaps),
        *properties(
            (
                ("framework-corpus", found.framework_corpus),
                ("framework-generation", found.framework_generation),
                ("corpus", found.corpus_id),
                ("generation", found.generation),
                ("method", found.method),
                ("assessor", found.assessor),
                ("coverage", orjson.dumps([each.model_dump(mode="json") for each in found.coverage]).decode()),
                *_columns(found),
                *(("superseded", each) for each in found.superseded),
                *(("orphan", each) for each in found.orphans),
            )
        ),
    ]


def _columns(found: Crosswalk) -> Iterator[tuple[str, str]]:
    """What tables of the framework were read by, where it has one."""
    if found.columns:
        yield "columns", orjson.dumps([each.model_dump(mode="json") for each in found.columns]).decode()


def _map(row: CrosswalkRow, each: CrosswalkEvidence, identity: str) -> dict[str, Any]:
    source: dict[str, Any] = {
        "type": "statement",
        "id-ref": each.item_id,
        "props": _of_evidence(each),
        "remarks": each.text,
    }
    described: dict[str, Any] = {
        "uuid": identity,
        "relationship": _RELATIONSHIPS[row.label_of(each)],
        "sources": [source],
        "targets": [_target(row)],
        "props": properties((("label", each.label), *_assessment(each))),
        "remarks": each.reason,
    }
    if each.probability is not None:
        described["confidence-score"] = {"percentage": each.probability}
    return described


def _absence(row: CrosswalkRow, corpus_id: str, identity: str) -> dict[str, Any]:
    """The map of a part that nothing speaks to: the whole corpus stands on the other side."""
    return {
        "uuid": identity,
        "relationship": "no-relationship",
        "sources": [{"type": "control", "id-ref": corpus_id}],
        "targets": [_target(row)],
        "props": properties((("label", row.label),)),
    }


def _target(row: CrosswalkRow) -> dict[str, Any]:
    told = properties(
        (
            ("requirement-id", row.requirement_id),
            ("part-id", row.part_id),
            ("part-label", row.label),
            ("family", row.family),
            ("title", row.title),
            ("document", row.document),
            ("characters", f"{row.char_start}-{row.char_end}"),
            *(("open-parameter", each) for each in row.open_parameters),
            *_decision(row),
        )
    )
    return {"type": "statement", "id-ref": row.part_id, "props": told, "remarks": row.text}


def _decision(row: CrosswalkRow) -> list[tuple[str, str]]:
    """Who decided of the part, and what was decided of other words of it."""
    told: list[tuple[str, str]] = []
    if row.decided is not None:
        decided = row.decided
        told += [("decision", decided.decision), ("decided-by", decided.by), ("decided-at", decided.at)]
        told += [("decision-meaning", decided.meaning), ("decision-until", decided.until or "")]
        told.append(("rules-label", row.read_as or row.label))
    told += [("look-again", row.look_again), ("unread", row.unread)]
    return told


def _assessment(each: CrosswalkEvidence) -> list[tuple[str, str | float | None]]:
    """What a model said of a sentence, and what rules had said."""
    told = each.assessed
    if told is None:
        return []
    return [
        ("assessed-by", told.by),
        ("assessed-as", told.verdict),
        ("assessed-taken", "yes" if told.taken else "no"),
        ("assessed-note", told.note),
        ("assessed-reason", told.reason),
        *(("assessed-part-words", words) for words in told.part_words),
        *(("assessed-sentence-words", words) for words in told.sentence_words),
        ("assessed-request", told.request_sha256),
        ("rules-label", told.rules_label),
        ("rules-reason", told.rules_reason),
        ("rules-probability", told.rules_probability),
    ]


def token(identity: str) -> str:
    """An id as OSCAL takes it: unchanged where it is a token, else a token that no other id has, as of "1002.9(a)"."""
    if _TOKEN.fullmatch(identity):
        return identity
    plain = re.sub(r"[^\w.\-]+", "-", identity).strip("-")
    return f"_{plain}_{hashlib.sha256(identity.encode()).hexdigest()[:8]}"


def _of_evidence(each: CrosswalkEvidence) -> list[dict[str, str]]:
    return properties(
        (
            ("document", each.document),
            ("version-id", each.version_id),
            ("characters", f"{each.char_start}-{each.char_end}"),
            ("locator", each.locator),
            ("heading", each.heading),
            ("composed", each.composed),
            ("held", each.held),
            ("document-probability", each.document_probability),
            ("reviewed-by", each.reviewed_by),
        )
    )
