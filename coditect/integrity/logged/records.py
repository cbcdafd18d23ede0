"""Records that the log tells of one by one: intake, failures, decisions, what is written once, tombstones, answers of models."""

from __future__ import annotations

from coditect.integrity.logged.belongings import CHANGED, PLANTED
from coditect.integrity.logged.history import document_tag
from coditect.integrity.logged.rows import LoggedRows
from coditect.schemas import (
    TENANT,
    Calibration,
    CalibrationSwitch,
    CorpusPolicy,
    Erasure,
    ErasureCertificate,
    Failure,
    HoldRelease,
    Intake,
    LegalHold,
    ModelAnswer,
    PersonSignature,
    Record,
    RelevanceMark,
    Retention,
    Review,
    SignerKey,
    Tombstone,
    document_id_for,
)

__all__ = ["check_records"]

ONCE: tuple[tuple[str, str, type[Record], str, str], ...] = (
    # Who could plant one of the first five could hide a deletion, or have something deleted.
    ("erasure", "erasures", Erasure, "erasure_id", "erasures"),
    ("erased", "certificates", ErasureCertificate, "certificate_id", "certificates"),
    ("hold", "holds", LegalHold, "hold_id", "holds"),
    ("release", "releases", HoldRelease, "release_id", "releases"),
    ("retention", "retentions", Retention, "retention_id", "retentions"),
    ("signature", "signatures", PersonSignature, "signature_id", "signatures"),
    ("key", "signers", SignerKey, "signer_id", "keys of persons"),
    ("policy", "policies", CorpusPolicy, "policy_id", "policies"),
    ("mark", "marks", RelevanceMark, "mark_id", "marks"),
    ("calibration", "calibrations", Calibration, "calibration_id", "calibrations"),
    ("switch", "switches", CalibrationSwitch, "switch_id", "switches"),
)
"""(kind of event, table, class, field that its subject is, words) of records that are written once and never changed."""


def check_records(run: LoggedRows) -> None:
    """Check every row of these tables, and that whatever the log tells of is there."""
    erased = frozenset(
        document for _, each in run.store.scan("erasures", Erasure, run.corpus_id) for document in each.document_ids
    )
    _intake(run, erased)
    _failures(run, erased)
    _reviews(run)
    _once(run)
    _tombstones(run)
    _answers(run)


def _intake(run: LoggedRows, erased: frozenset[str]) -> None:
    told, erased_tags = dict(run.history.documents), {document_tag(each) for each in erased}
    for name, record, digest in run.digests("intake", Intake):
        kind, wanted = told.pop(document_tag(record.document_id), ("", None))
        run.compare(name, wanted, digest, "documents")
        if wanted == digest and kind != ("document" if record.status == "present" else "withdrawal"):
            run.say(name, f"the log tells of it as a {kind}")
    for tag in told:
        if tag not in erased_tags:
            run.gone(f"intake/{run.corpus_id}/document_{tag}…")


def _failures(run: LoggedRows, erased: frozenset[str]) -> None:
    told = dict(run.history.failures)
    for name, record, digest in run.digests("failures", Failure):
        wanted = told.pop(document_id_for(run.corpus_id, record.name), None)
        run.compare(name, wanted, digest, "failures")
    for document_id in told:
        if document_id not in erased:
            run.gone(f"failures/{run.corpus_id}/{document_id}")


def _reviews(run: LoggedRows) -> None:
    told = dict(run.history.reviews)
    for name, record, digest in run.digests("reviews", Review):
        run.compare(name, told.pop(record.review_id, None), digest, "decisions")
    for review_id in told:
        if not run.by_right.covers("reviews", review_id):
            run.gone(f"reviews/{run.corpus_id}/{review_id}")


def _once(run: LoggedRows) -> None:
    """What is written once: orders, signatures, keys, policies, marks, calibrations; the tenant's register of keys, too."""
    told = dict(run.history.once)
    tables = {kind: table for kind, table, *_ in ONCE}
    for kind, table, cls, field, what in ONCE:
        for name, record, digest in run.digests(table, cls):
            run.compare(name, told.pop((kind, getattr(record, field)), None), digest, what)
    register = run.reader(TENANT)
    for name, key, digest in run.digests("signers", SignerKey, register):
        wanted = told.pop(("key", key.signer_id), None)
        if wanted != digest:  # there is no register that is older than the log, and none is imported
            run.say(name, PLANTED if wanted is None else CHANGED)
    for kind, item_id in told:
        if not run.by_right.covers(tables[kind], item_id):
            run.gone(f"{tables[kind]}/{run.corpus_id}/{item_id}")


def _tombstones(run: LoggedRows) -> None:
    """What a tombstone names may be missing, so each must be the one that a certificate names, or of an erasure at work."""
    certified = {each.erasure_id: each.tombstone_id for _, each, _ in run.digests("certificates", ErasureCertificate)}
    for name, stone, _ in run.digests("tombstones", Tombstone):
        if certified.get(stone.erasure_id, stone.tombstone_id) != stone.tombstone_id:
            run.say(name, "the certificate of its erasure names another tombstone: it was put there")


def _answers(run: LoggedRows) -> None:
    """Answers of models, which entries tell of by their hashes alone."""
    told = set(run.history.answers)
    for name, _, digest in run.digests("answers", ModelAnswer):
        run.compare(name, digest if digest in told else None, digest, "answers of models")
        told.discard(digest)
    erased = sum(
        each.removed["answers"].rows
        for _, each, _ in run.digests("certificates", ErasureCertificate)
        if "answers" in each.removed
    )
    if len(told) > erased and not run.by_right.pending:
        left = f", of which {erased} were erased" if erased else ""
        run.say(f"answers/{run.corpus_id}", f"{len(told)} that the log tells of are not here{left}")
