"""Bundles to test with: written by coditect knowledge once, and taken apart and put together again by whoever tampers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

from coditect.knowledge.report.bundles.collection import BundleSubject, write_bundle
from coditect.knowledge.report.bundles.container import BundleWriter
from coditect.knowledge.report.bundles.logged import SignedLog
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.notes import Note, SigningKey
from coditect.transparency.sequencer import TransparencyLog
from tests.corpora import CORPUS

__all__ = ["KEY", "Members", "bundle_of", "changed_item", "log_of", "members_of", "only", "write_members"]

KEY = SigningKey("log.example.com/tests", bytes(range(32)))

Members = dict[str, bytes]


def log_of(store: Store) -> TransparencyLog:
    """The log of a store, signed up to now."""
    log = TransparencyLog(store.engine, store.keys)
    log.checkpoint(KEY)
    return log


def bundle_of(
    store: Store, subject: BundleSubject, item: str = "", *, sources: bool = True, kept: str | None = None
) -> bytes:
    """A bundle of the small corpus; without an item, of the first claim, section or document."""
    view = open_view(store, CORPUS)
    if not item and subject != "report":
        quoting = next(each for each in view.summary.claims if "24" in _quoted(view, each))
        first = {"claim": quoting, "section": view.sections[0].section_id, "document": "access.md"}
        item = first[subject]
    checkpoint = None if kept is None else Checkpoint.parse(Note.parse(kept.encode()).text)
    file = BytesIO()
    write_bundle(view, SignedLog(log_of(store)), subject, item, file, sources=sources, kept=checkpoint)
    return file.getvalue()


def _quoted(view: View, claim_id: str) -> str:
    """The words that a claim quotes."""
    cited = view.claims[claim_id].citations
    return " ".join(view.section_by_id[each.section_id].content[each.part].content for each in cited)


def members_of(bundle: bytes) -> Members:
    """The members of a bundle by name, in order."""
    with ZipFile(BytesIO(bundle)) as container:
        return {name: container.read(name) for name in container.namelist()}


def write_members(path: Path, members: Mapping[str, bytes]) -> Path:
    """A bundle of these members."""
    with path.open("wb") as file, BundleWriter(file) as writer:
        for name, data in members.items():
            writer.add(name, data)
    return path


def only(members: Members, prefix: str) -> str:
    """The first member whose name begins so."""
    return next(name for name in sorted(members) if name.startswith(prefix))


def changed_item(members: Members, name: str, change: Callable[[dict[str, Any]], None], *, forge: bool) -> Members:
    """A record changed; ``forge`` gives it the id of its new bytes and writes that everywhere instead of the old one."""
    kind, body = name.removeprefix("items/"), json.loads(members[name])
    change(body)
    data = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    if not forge:
        return {**members, name: data}
    digits = 12
    head = kind[: kind.index("_") + 1 + digits]
    fresh = head + sha256(data).hexdigest()[:40]
    out = {**members, name: data}
    return {
        key.replace(kind, fresh): value.replace(kind.encode(), fresh.encode()) if b"PK" not in value[:2] else value
        for key, value in out.items()
    }
