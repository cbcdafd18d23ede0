"""What each record points to, as rows that must be there."""

from __future__ import annotations

from collections.abc import Iterator

from coditect.schemas import (
    OF_BLOBS,
    Calibration,
    CalibrationSwitch,
    Corpus,
    CorpusPolicy,
    CorpusSummary,
    Derivation,
    DocumentVersion,
    ErasureCertificate,
    Generation,
    HoldRelease,
    Intake,
    Manifest,
    Record,
    RelevanceMark,
    Review,
    Tombstone,
    Tree,
    Verdict,
)
from coditect.store.item_ids import CLASS_OF

__all__ = ["BY_PROGRAM", "blobs_of", "inputs_of", "references"]

BY_PROGRAM = "stored"
"""The method of derivations that a program made step by step. It alone knows whether it is going to publish them."""

Reference = tuple[str | int, ...]
"""(table, elements of its key after the corpus); for tiers 1 and 2 the item's id alone, the document being told from it."""


def references(record: Record) -> Iterator[Reference]:
    """The rows that a record needs. An intake is needed by every generation that took the document in."""
    match record:
        case Intake():
            yield "documents", record.document_id, record.version_id
        case Verdict():
            yield "claims", record.claim_id
            yield from (("reviews", each.review_id) for each in record.opinions if each.review_id)
        case CorpusSummary():
            yield from (("claims", each) for each in (*record.claims, *record.filtered))
            yield from (("verdicts", each) for each in record.verdicts.values())
            yield from (("sections", each) for each in record.source_sections)
        case Derivation():
            yield from ((CLASS_OF[each.partition("_")[0]][0], each) for each in record.outputs if _is_item(each))
            yield from (("reviews", str(each)) for each in record.parameters.get("reviews", ()))
            if "calibration_switch" in record.parameters:
                yield "switches", str(record.parameters["calibration_switch"])
        case Review():
            yield from (("reviews", each) for each in record.follows)
            if record.signed_item:  # absent in those of release 0.1.0
                yield CLASS_OF[record.signed_item.partition("_")[0]][0], record.signed_item
        case RelevanceMark():
            yield from (("marks", each) for each in record.follows)
        case Calibration():
            yield from (("reviews", each) for each in record.reviews)
            yield from (("marks", each) for each in record.marks)
            yield from (("calibrations", each) for each in (record.parent,) if each)
        case CalibrationSwitch():
            yield from (("calibrations", each) for each in (record.calibration_id,) if each)
            yield from (("switches", each) for each in record.follows)
        case CorpusPolicy():
            yield from (("policies", each) for each in record.follows)
        case Tombstone():
            yield "erasures", record.erasure_id
            for left in record.summaries.values():
                yield from (("claims", each) for each in (*left.claims, *left.filtered))
                yield from (("verdicts", each) for each in left.verdicts.values())
                yield from (("sections", each) for each in left.source_sections)
        case ErasureCertificate():
            yield "erasures", record.erasure_id
            yield "tombstones", record.tombstone_id
        case HoldRelease():
            yield "holds", record.hold_id
        case Tree():
            for entry in record.entries:
                yield "documents", entry.document_id, entry.version_id
                yield "intake", entry.document_id
                yield from (
                    ("derivations", each)
                    for each in (*entry.extractions, *entry.chunks, *entry.passages, *entry.profile)
                )
        case Manifest():
            yield from _of_manifest(record)
        case Generation():
            yield "manifests", record.build_id
        case Corpus():
            yield from (("generations", number) for number in range(1, record.generation + 1))
            if record.build_id:
                yield "manifests", record.build_id


def blobs_of(record: Record) -> Iterator[str]:
    """SHA-256 of the blobs that a record names; that of a record too long for one value is not among them."""
    match record:
        case DocumentVersion():
            yield from (record.raw_sha256, record.text_sha256, record.layout_sha256)
        case Derivation() if record.stage in OF_BLOBS:
            yield from (each.partition(":")[0] for each in record.outputs)


def inputs_of(record: Derivation) -> Iterator[Reference]:
    """What a derivation was made from: (table, id) of rows that are as a rule there, and that it is right without."""
    for each in record.inputs:
        kind = each.partition("_")[0]
        if kind == "derivation":
            yield "derivations", each
        elif kind in CLASS_OF:
            yield CLASS_OF[kind][0], each


def _is_item(item_id: str) -> bool:
    return item_id.partition("_")[0] in CLASS_OF


def _of_manifest(record: Manifest) -> Iterator[Reference]:
    yield from (("trees", each) for each in record.trees.values())
    for derivation, section in record.sections:
        yield "derivations", derivation
        yield "sections", section
    if record.summary_id:  # a draft has none
        yield "derivations", record.summary_derivation
        yield "summaries", record.summary_id
