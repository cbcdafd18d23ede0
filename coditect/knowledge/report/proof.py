"""What a report carries so that a browser can check it: the records under what it shows, and the log's proof of its generation."""

from __future__ import annotations

from coditect.errors import NotFound
from coditect.knowledge.report.bundles.logged import SignedLog
from coditect.knowledge.report.bundles.stored import stored_payloads
from coditect.reports.model import ReportProof
from coditect.schemas import sha256_hex
from coditect.store.view import View
from coditect.transparency.notes import VerifierKey
from coditect.transparency.sequencer import TransparencyLog

__all__ = ["report_proof"]


def report_proof(view: View, log: TransparencyLog, key: VerifierKey | None) -> ReportProof | None:
    """The proof of a report.

    None of a generation of release 0.1.0, which commits to nothing, and of one whose summary told of erased documents: its records
    are gone until the next build, and a page cannot check what it does not have.

    Args:
        view: the generation.
        log: of the tenant; where it has no signed checkpoint that holds the generation, the hashes can be checked, and no more.
        key: of the log, where it is known here.
    """
    manifest, corpus_id = view.manifest, view.corpus_id
    if not manifest.derivations_sha256 or view.erased_entries:
        return None
    ids = {
        "manifests": [manifest.build_id],
        "summaries": [manifest.summary_id],
        "sections": [section for _, section in manifest.sections],
        "claims": [*view.summary.claims, *view.summary.filtered],
    }
    records: dict[str, str] = {}
    for table, some in ids.items():
        payloads = stored_payloads(view.store, table, [(corpus_id, each) for each in some])
        records |= {each: payload.decode() for each, payload in zip(some, payloads, strict=True)}
    generation = next(stored_payloads(view.store, "generations", [(corpus_id, view.generation)]))
    entry, proof = _logged(view, log, sha256_hex(generation))
    return ReportProof(
        records=records,
        generation=generation.decode(),
        entry=entry,
        log_proof=proof,
        key="" if key is None else str(key),
    )


def _logged(view: View, log: TransparencyLog, digest: str) -> tuple[str, str]:
    """(entry, C2SP tlog-proof) of the generation; empty where no signed checkpoint holds it."""
    try:
        signed = SignedLog(log)
    except NotFound:
        return "", ""
    build_id = view.manifest.build_id
    for each in signed.entries_of(view.corpus_id, [build_id])[build_id]:
        if each.body.get("sha256") == digest:
            return each.data.decode(), signed.proof(each.index)
    return "", ""
