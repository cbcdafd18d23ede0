"""Asking again for an erasure: whether it waits, and for what, or was carried out, and when."""

from __future__ import annotations

from collections.abc import Sequence

from coditect.errors import CoditectError, Conflict, NotFound, UsageError
from coditect.schemas import Erasure, ErasureCertificate
from coditect.store.intake.erasures import holds_in, holds_over, pending_erasures
from coditect.store.store import Store

__all__ = ["carried_out", "refused_while_waiting", "waiting_erasures"]


def waiting_erasures(store: Store, corpus_id: str, document_ids: Sequence[str]) -> list[Erasure]:
    """The erasures that wait and take some documents, oldest first; none where none of the documents is asked for yet.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        document_ids: of the documents.

    Raises:
        UsageError: they take some of the documents, and the others not.
    """
    wanted = set(document_ids)
    waiting = [each for each in pending_erasures(store, corpus_id) if wanted & set(each.document_ids)]
    taken = {document for each in waiting for document in each.document_ids}
    if waiting and not wanted <= taken:
        first = waiting[0]
        raise UsageError(
            "an erasure of one of the documents waits already",
            documents=", ".join(sorted(wanted & taken)),
            erasure_id=first.erasure_id,
            asked_at=first.at,
            asked_by=first.by,
            hint="Name the other documents alone; what waits is carried out by the same command.",
        )
    return waiting


def refused_while_waiting(store: Store, waiting: Sequence[Erasure]) -> CoditectError:
    """What is said of a forecast of documents whose erasure waits already."""
    first = waiting[0]
    held = holds_over(holds_in(store, first.corpus_id), tuple(d for each in waiting for d in each.document_ids))
    return Conflict(
        "an erasure of the document waits already",
        erasure_id=first.erasure_id,
        asked_at=first.at,
        asked_by=first.by,
        waits_for="; ".join(
            f"legal hold {each.hold_id}, '{each.matter}', by {each.by} since {each.at}" for each in held
        )
        or "the next command that writes",
        hint="It is carried out when the hold ends: 'coditect knowledge release'."
        if held
        else "The same command with --yes carries it out, and so does every command that writes to the corpus.",
    )


def carried_out(store: Store, corpus_id: str, given: str, known: Sequence[str]) -> NotFound | None:
    """What is said of a document that is not there because it was erased; None where no erasure took it.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        given: the document, as it was named.
        known: ids that may be meant.
    """
    erased = {
        each.erasure_id: each
        for _, each in store.scan("erasures", Erasure, corpus_id)
        if set(known) & set(each.document_ids)
    }
    if not erased:
        return None
    done = [each for _, each in store.scan("certificates", ErasureCertificate, corpus_id) if each.erasure_id in erased]
    if not done:
        return None
    last = max(done, key=lambda each: (each.at, each.certificate_id))
    return NotFound(
        "the document was erased",
        document=given,
        corpus_id=corpus_id,
        erased_at=last.at,
        certificate_id=last.certificate_id,
        asked_by=erased[last.erasure_id].by,
        hint="'coditect knowledge erasures' shows who asked, why, and what went; there is nothing left to erase.",
    )
