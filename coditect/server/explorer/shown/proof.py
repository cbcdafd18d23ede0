"""The proof of an item: what its id is a hash of, which entry of the log holds its generation, and how to check both without us."""

from __future__ import annotations

import hashlib
import shlex
from dataclasses import dataclass

import orjson

from coditect.errors import NotFound
from coditect.knowledge.report.bundles.logged import SignedLog
from coditect.knowledge.report.bundles.stored import stored_payloads
from coditect.schemas import Chunk, DocumentVersion, Extraction, Item, Passage, sha256_hex
from coditect.schemas.record import TAG_DIGITS
from coditect.server.explorer.shown.wording import kind_name
from coditect.server.explorer.visit import Visit
from coditect.store.item_ids import CLASS_OF, kind_of
from coditect.transparency.notes import Note
from coditect.transparency.sequencer import TransparencyLog

__all__ = ["LoggedGeneration", "Proof", "proof_of", "record_bytes"]

BUNDLED = {"claim": "--claim", "section": "--section", "version": "--document"}
"""Kinds that an evidence bundle can be made of, and the option that names one."""


@dataclass(frozen=True, slots=True)
class LoggedGeneration:
    """What the log says of the generation.

    Attributes:
        index: of its entry.
        entry: the entry, as it is stored.
        proof: C2SP tlog-proof.
        size: of the log that the newest checkpoint signs.
        origin: name of the log.
        checkpoint: the signed note.
        signers: names of who signed it: the log, then witnesses.
        stamps: how many time stamps there are on it.
    """

    index: int
    entry: str
    proof: str
    size: int
    origin: str
    checkpoint: str
    signers: tuple[str, ...]
    stamps: int


@dataclass(frozen=True, slots=True)
class Proof:
    """The page.

    Attributes:
        item_id: of the item.
        kind: in words.
        sha256: of its stored bytes.
        matches: whether its id is the beginning of that hash.
        size: of its stored bytes.
        record: address of the stored bytes.
        href: the item's page, or the document.
        build_id: of the generation's manifest.
        generation: its number.
        files: (name, SHA-256 of the file) of the documents that it stands in.
        logged: what the log says; None where nothing signed holds the generation.
        prove: the command that makes an evidence bundle; "" where none can be made of it alone.
        key: the log's public key, where it is known here.
    """

    item_id: str
    kind: str
    sha256: str
    matches: bool
    size: int
    record: str
    href: str
    build_id: str
    generation: int
    files: tuple[tuple[str, str], ...]
    logged: LoggedGeneration | None
    prove: str
    key: str


def record_bytes(visit: Visit, item: Item) -> bytes:
    """The bytes that are stored of an item, which its id is the hash of."""
    table, _ = CLASS_OF[kind_of(item.item_id)]
    document = getattr(item, "document_id", "")
    place = (visit.corpus_id, document, item.item_id) if document else (visit.corpus_id, item.item_id)
    return next(stored_payloads(visit.view.store, table, [place]))


def proof_of(visit: Visit, item: Item) -> Proof:
    """Make the page."""
    data = record_bytes(visit, item)
    digest, links = hashlib.sha256(data).hexdigest(), visit.links
    stated = item.item_id.partition("_")[2][TAG_DIGITS:]
    kind = kind_of(item.item_id)
    signer = visit.knowledge.log_signer
    is_document = isinstance(item, DocumentVersion)
    return Proof(
        item_id=item.item_id,
        kind="Version of a document" if is_document else kind_name(kind),
        sha256=digest,
        matches=digest.startswith(stated),
        size=len(data),
        record=links.item(item.item_id, "record"),
        href=links.document(item.item_id) if is_document else links.item(item.item_id),
        build_id=visit.view.manifest.build_id,
        generation=visit.view.generation,
        files=_files(visit, item),
        logged=visit.remember(("logged", visit.knowledge.log_head().size), lambda: _Found(_logged(visit))).logged,
        prove=_command(visit, item, kind),
        key="" if signer is None else str(signer.key),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """What was looked for in the log, found or not."""

    logged: LoggedGeneration | None


def _files(visit: Visit, item: Item) -> tuple[tuple[str, str], ...]:
    if isinstance(item, DocumentVersion):
        return ((item.name, item.raw_sha256),)
    if isinstance(item, Extraction | Chunk | Passage):
        version = visit.view.document(item.document_id)
        return ((version.name, version.raw_sha256),)
    return ()


def _command(visit: Visit, item: Item, kind: str) -> str:
    option = BUNDLED.get(kind)
    if option is None:
        return ""
    name = item.name if isinstance(item, DocumentVersion) else item.item_id
    return (
        f"coditect knowledge prove --corpus-id {shlex.quote(visit.corpus_id)} {option} {shlex.quote(name)} "
        f"--as-of {visit.view.generation} --output evidence.bundle"
    )


def _logged(visit: Visit) -> LoggedGeneration | None:
    """The entry of the generation, its proof, and the checkpoint that this is a proof by."""
    store, view = visit.knowledge.store, visit.view
    log = TransparencyLog(store.engine, store.keys)
    try:
        signed = SignedLog(log)
    except NotFound:
        return None
    generation = next(stored_payloads(store, "generations", [(view.corpus_id, view.generation)]))
    digest, build_id = sha256_hex(generation), view.manifest.build_id
    for each in signed.entries_of(view.corpus_id, [build_id])[build_id]:
        if each.body.get("sha256") == digest:
            parsed = Note.parse(signed.note.encode())
            return LoggedGeneration(
                index=each.index,
                entry=orjson.dumps(orjson.loads(each.data), option=orjson.OPT_INDENT_2).decode(),
                proof=signed.proof(each.index),
                size=signed.checkpoint.size,
                origin=signed.checkpoint.origin,
                checkpoint=signed.note,
                signers=tuple(dict.fromkeys(each.name for each in parsed.signatures)),
                stamps=len(signed.timestamps()),
            )
    return None
