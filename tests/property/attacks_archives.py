"""Attacks by archive: another tenant's corpus taken in, and archives with right sums and crafted rows."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import partial

from coditect.keyspace import Keyspace
from coditect.knowledge.archive.export import corpus_digest, export_corpus
from coditect.knowledge.archive.format import Tally, header_line, open_archive, trailer_line
from coditect.knowledge.archive.importing import import_archive
from coditect.schemas import canonical_json
from coditect.schemas.archive import ArchiveHeader
from coditect.store.store import Store
from tests.corpora import CORPUS
from tests.property.attacks import ATTACKER, HIDDEN, SECRETS, VICTIM, LeakError, Witness, World, everything, kind

__all__: list[str] = []

Lines = list[tuple[str, bytes]]


def _exported(store: Store, corpus_id: str) -> bytes:
    file = io.BytesIO()
    export_corpus(store, corpus_id, file)
    return file.getvalue()


def _lines(archive: bytes) -> tuple[ArchiveHeader, Lines]:
    opened = open_archive(io.BytesIO(archive))
    return opened.header, list(opened.rows())


def _forged(header: ArchiveHeader, lines: Lines) -> bytes:
    """An archive of any lines, with the sums that it needs."""
    tally = Tally()
    for table, line in lines:
        tally.add(table, line)
    first = header_line(header.model_copy(update={"corpus_digest": tally.digest, "rows": tally.rows}))
    return first + b"".join(line for _, line in lines) + trailer_line(tally.trailer(first))


def _take_in(store: Store, archive: bytes) -> object:
    return import_archive(store, open_archive(io.BytesIO(archive)))


@kind("archives of another tenant")
def _foreign(world: World) -> Iterator[str]:
    """What one tenant exports holds nothing of another; taken in by another it is that one's own, and the first keeps its rows."""
    own = _exported(world.attacker.store, CORPUS)
    assert not any(secret.encode() in own.lower() for secret in SECRETS)
    assert VICTIM.encode() not in own
    assert ATTACKER.encode() not in own
    yield "words and names in an export"
    for name in ("nu", f"{VICTIM}\0", f"{VICTIM}\xff", f"{VICTIM}2"):
        store = Store(Witness(world.engine, name), name)
        for corpus in (CORPUS, HIDDEN):
            archive = _exported(world.victim.store, corpus)
            _take_in(store, archive)
            world.check_untouched()
            assert corpus_digest(store, corpus) == corpus_digest(world.victim.store, corpus)
            assert _exported(store, corpus) == archive
            yield f"{corpus} taken in by {name!r}"
        store.update(lambda transaction, span=store.keys.space: transaction.clear_range(*span))  # type: ignore[misc]
        world.check_untouched()
        yield f"erased by {name!r}"
    world.refused(partial(_take_in, world.attacker.store, _exported(world.victim.store, CORPUS)))
    yield "over an own corpus of the same id"


def _replaced(table: str, old: bytes, new: bytes) -> Callable[[Lines], Lines]:
    def change(lines: Lines) -> Lines:
        changed = [(name, line.replace(old, new) if name == table else line) for name, line in lines]
        if changed == lines:
            raise LeakError(f"nothing to forge in {table}")
        return changed

    return change


@kind("archives with crafted rows")
def _crafted(world: World) -> Iterator[str]:
    """Rows of other corpora, tables, ids and hashes, under sums that fit: nothing becomes visible, nothing is touched."""
    header, lines = _lines(_exported(world.attacker.store, CORPUS))
    secret = next(d for d in world.victim.view(HIDDEN).documents.values() if d.name == "bilby.md")
    quoted = f'"corpus_id":"{CORPUS}"'.encode()
    pointer = {"sha256": secret.text_sha256, "size_bytes": secret.text_bytes}
    own = next(iter(world.attacker.view(CORPUS).documents.values()))
    changes: dict[str, Callable[[Lines], Lines]] = {
        **{
            f"{table} of the victim's corpus": _replaced(table, quoted, f'"corpus_id":"{HIDDEN}"'.encode())
            for table in dict.fromkeys(name for name, _ in lines if name != "blobs")
        },
        "a record that is the victim's blob": lambda rows: [
            (name, canonical_json({"blob": pointer, "table": name}) + b"\n" if name == "sections" else line)
            for name, line in rows
        ],
        "a document with the victim's text": _replaced(
            "documents", own.text_sha256.encode(), secret.text_sha256.encode()
        ),
        "a manifest with the victim's section": _replaced(
            "manifests", next(iter(world.attacker.view(CORPUS).section_by_id)).encode(), world.ids["section"].encode()
        ),
        "a blob under the victim's hash": _replaced("blobs", own.text_sha256.encode(), secret.text_sha256.encode()),
        "a blob under a path": _replaced("blobs", own.text_sha256.encode(), b"../../" + b"0" * 58),
        "a blob with a part without end": _replaced("blobs", b'"n":0', b'"n":' + b"9" * 300),
        "a blob with a part before the first": _replaced("blobs", b'"n":0', b'"n":-1'),
        "an index entry": _replaced("sections", b'"table":"sections"', b'"table":"idx/topic"'),
        "a table of another name": _replaced("sections", b'"table":"sections"', b'"table":"../corpus"'),
        "a table twice": lambda rows: [*rows, *rows],
        "a generation without end": _replaced("generations", b'"generation":1', b'"generation":' + b"9" * 700),
        "a generation before the first": _replaced("generations", b'"generation":1', b'"generation":-1'),
    }
    for name, change in changes.items():
        store = Store(Witness(world.engine, "nu"), "nu")
        said = (HIDDEN, secret.text_sha256, *world.ids.values())
        world.refused(lambda c=change, s=store: _take_in(s, _forged(header, c(lines))), *said)  # type: ignore[misc]
        world.check_untouched()
        assert store.corpora() == []
        yield name
    for corpus in (HIDDEN, f"{CORPUS}\0", f"../{HIDDEN}", f"\0\xff{HIDDEN}", "", "c" * 5_000):
        store = Store(Witness(world.engine, "xi"), "xi")
        named = header.model_copy(update={"corpus_id": corpus})
        world.refused(lambda h=named, s=store: _take_in(s, _forged(h, lines)), corpus)  # type: ignore[misc]
        assert store.corpora() == []
        yield f"a header that names {corpus[:20]!r}"
    assert everything(world.engine, "xi").keys().isdisjoint(world.before)


@kind("files that are no archives")
def _no_archives(world: World) -> Iterator[str]:
    """Cut, continued, of another version or of no form: refused before anything is written."""
    whole = _exported(world.attacker.store, CORPUS)
    files = {
        "empty": b"",
        "half": whole[: len(whole) // 2],
        "without its last byte": whole[:-1],
        "twice": whole + whole,
        "one byte changed": whole.replace(b"access", b"axcess", 1),
        "another version": whole.replace(b'"version":2}', b'"version":9}', 1),
        "another format": whole.replace(b"coditect-knowledge-archive", b"coditect-knowledge-secrets", 1),
        "not JSON": b"\0\xff" * 50,
        "a line without end": b'{"header":' + b"x" * 300_000,
        "a store": Keyspace("nu").space[0],
    }
    for name, content in files.items():
        witness = Witness(world.engine, "omikron")
        world.refused(partial(_take_in, Store(witness, "omikron"), content))
        assert witness.writes == 0
        yield name
