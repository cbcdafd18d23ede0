"""The store that is attacked: a corpus with a life, whatever can be in a log, and what others kept of it."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path

from coditect.integrity.signing.items import sign_item
from coditect.integrity.signing.policies import set_policy
from coditect.integrity.signing.registry import person_signer, register_key, revoke_key
from coditect.knowledge.building.pipeline import build
from coditect.knowledge.calibration.marks import mark
from coditect.knowledge.calibration.switching import switch
from coditect.knowledge.erasure.desk import ErasureDesk
from coditect.knowledge.erasure.execution import Surroundings
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.query.drilldown import chain
from coditect.knowledge.review.sign_off import approve, sign
from coditect.retrieve.embedding import UnitVectors
from coditect.schemas import BuildSettings, Calibration, GateFigures, LogAct
from coditect.server.access.tokens import new_token, revoke_token
from coditect.store.items import write_logged
from coditect.store.rows import item_rows
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.embedder.hashing import HashingEmbedder
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.transparency.events import Acting, append_act, event_of, principal_named
from coditect.transparency.notes import SigningKey
from coditect.transparency.sequencer import TransparencyLog
from coditect.verify.staged.calibration import SHIPPED
from tests.corpora import CORPUS, DOCUMENTS, MODELS, SETTINGS, answer_all, copy_of, folder_of, ingest_all
from tests.integration.sweeps import DEAD

__all__ = ["ANNA", "BEN", "CLERK", "CORPUS", "KEY", "SOURCES", "Lived", "embed", "embedder", "live", "lived", "note_of"]

KEY = SigningKey("log.example.com/tests", bytes(range(32)))
"""The log's. An insider may hold it, too: it lies on a machine that he runs."""

ANNA = SigningKey("signer/anna", bytes(range(1, 33)))
BEN = SigningKey("signer/ben", bytes(range(2, 34)))
CLERK = SigningKey("signer/clerk", bytes(range(3, 35)))
"""Of a person whose key was revoked."""

LEAVER = "# Leaver\n\nThe porter shall collect the blue badge of every leaver within 3 days.\n"
LATE = "# Visitors\n\nVisitors shall sign the book at the gate. The guard must lock the gate at 20:00.\n"


@dataclass(frozen=True)
class Lived:
    """A store, and what was kept of it elsewhere.

    Attributes:
        memory: all of it, with its newest checkpoint.
        earlier: the same store some time before, with its newest checkpoint of then.
        kept: the newest checkpoint, as an auditor has it.
        kept_earlier: the one of then.
    """

    memory: MemoryStore
    earlier: MemoryStore
    kept: str
    kept_earlier: str

    def copy(self) -> Store:
        """A store of one's own."""
        return copy_of(self.memory)


def note_of(store: Store, key: SigningKey = KEY) -> str:
    """The newest checkpoint, signed up to now."""
    return TransparencyLog(store.engine, store.keys).checkpoint(key)


def at(day: int) -> str:
    """A day of that year's first month."""
    return f"2026-01-{day:02}T00:00:00Z"


def _salts(begin: int) -> Callable[[], str]:
    numbers = itertools.count(begin)
    return lambda: f"{next(numbers):032x}"


@cache
def lived(*, decided: bool = True) -> Lived:
    """The store, made once in a process.

    Args:
        decided: whether persons decided and signed; what they looked at cannot be renamed without being found.
    """
    memory, earlier = MemoryStore(), MemoryStore()
    kept: list[str] = []

    def keep(note: str) -> None:
        kept.append(note)
        earlier.state = memory.state

    note = live(Store(MemoryEngine(memory)), decided=decided, half_way=keep)
    return Lived(memory, earlier, note, kept[0])


def live(store: Store, *, decided: bool = True, half_way: Callable[[str], object] = lambda _: None) -> str:
    """Let a corpus live in an empty store; the same on whatever engine.

    Args:
        store: where.
        decided: see above.
        half_way: is given the newest checkpoint of the earlier time, then.
    Returns:
        The newest checkpoint.
    """
    store.acting = Acting(salts=_salts(1))
    by = store.update(lambda t: principal_named(t, store.keys, "Cleo Clerk", "ab" * 16))
    store.acting = Acting(by, _salts(1000))
    with tempfile.TemporaryDirectory() as place:
        folder = folder_of(Path(place), {**DOCUMENTS, "leaver.md": LEAVER, "broken.pdf": "no PDF", "old.pdf": "none"})
        _first_days(store, folder, decided)
        half_way(note_of(store))
        _later_days(store, folder, decided)
    return note_of(store)


def _first_days(store: Store, folder: Path, decided: bool) -> None:
    """A generation, an erasure, a second generation, keys, and decisions on it."""
    ingest_all(store, folder)
    _build(store, 1)
    desk = _desk(store, 1)
    assert desk.erase(CORPUS, ["leaver.md"], reason="Art. 17 request 4711", by="A. Officer").state == "done"
    (folder / "leaver.md").unlink()
    _build(store, 1)
    for key, person, role in (
        (ANNA, "Anna Auditor", "auditor"),
        (BEN, "Ben Boss", "owner"),
        (CLERK, "Cy Clark", "clerk"),
    ):
        register_key(store, key, person=person, role=role, at=at(1))
    if decided:
        view = open_view(store, CORPUS)
        first, second = view.summary.claims[:2]
        possible = view.summary.filtered[0]
        anna, clerk = person_signer(store, ANNA, at(2)), person_signer(store, CLERK, at(2))
        sign(store, view, first, decision="accept", by="Anna Auditor", meaning="read", at=at(2), signer=anna)
        sign(store, view, second, decision="dismiss", by="Ada Palmer", meaning="known", at=at(2))
        sign(store, view, possible, decision="supported", by="Cy Clark", meaning="seen", at=at(2), signer=clerk)
    revoke_key(store, str(CLERK.key), reason="left", at=at(3))


def _later_days(store: Store, folder: Path, decided: bool) -> None:
    """Policies, marks, calibrations, answers, a third generation, signatures, holds, retention, and a document that waits."""
    set_policy(store, CORPUS, 2, ("correct",), at(4))
    view = open_view(store, CORPUS)
    mark(store, view, "when is access reviewed?", view.summary.claims[0], relevant=True, by="Ada Palmer", at=at(4))
    proposals = []
    for weight in (-1.0, -2.0):
        made = Calibration.create(
            corpus_id=CORPUS,
            checker=SHIPPED.model_copy(update={"version": "reviews/of-tests"}),
            gate=GateFigures(bias=1.0, weights={"missing": weight}, correct=0.8, incorrect=0.2),
            embedder="model-of-tests",
            fitted=(),
            reviews=(),
            marks=(),
            generation=2,
            build_id=view.manifest.build_id,
            code_version="of tests",
            seed=0,
        )
        event = event_of("calibration", CORPUS, made, subject=made.calibration_id, by=store.acting.by)
        write_logged(store.engine, store.keys, [(item_rows(store.keys, made), event)])
        proposals.append(made.calibration_id)
    switch(store, CORPUS, max(proposals), by="C. Alibrator", meaning="read what would change", at=at(5))
    switch(store, CORPUS, "", by="C. Alibrator", meaning="back to the shipped figures", at="2026-01-05T01:00:00Z")
    answer_all(store)
    (folder / "retention.txt").unlink()
    (folder / "old.pdf").unlink()
    (folder / "access.md").write_text(DOCUMENTS["access.md"] + "\nAccounts shall be closed.\n", "utf-8")
    ingest(store, CORPUS, [folder], clock=lambda: at(6), jobs=1, sync=True)
    _build(store, 6, SETTINGS.model_copy(update={"max_topics": 23}))
    if decided:
        view = open_view(store, CORPUS)
        one, two = view.summary.claims[:2]
        anna = person_signer(store, ANNA, at(7))
        sign_item(store, view, chain(store, one, corpus_id=CORPUS), anna, meaning="approved", at=at(7))
        last = sign(store, view, two, decision="accept", by="Anna Auditor", meaning="twice", at=at(7), signer=anna)
        approve(store, last, person_signer(store, BEN, at(7)), meaning="second look", at=at(7))
    desk = _desk(store, 8)
    assert desk.retain(CORPUS, count=2)[0] == 1
    desk.hold(CORPUS, ["incident.md"], matter="Doe v. Acme", reason="litigation", by="C. Ounsel")
    ended = desk.hold(CORPUS, ["access.md"], matter="Roe v. Acme", reason="litigation", by="C. Ounsel")
    desk.release(CORPUS, ended.hold_id, reason="settled", by="C. Ounsel")
    for kind in ("export", "access"):
        act = LogAct(kind=kind, corpus_id=CORPUS, at=at(8), details={"what": "policies"}, salt=store.acting.salts())
        store.update(lambda transaction, act=act: append_act(transaction, store.keys, act, store.acting.by))  # type: ignore[misc]
    for name in ("Eve Leaver", "A. Program"):
        token, _ = new_token(store, name=name, role="reader", clock=lambda: at(8), entropy=_digits(name))
        if name == "Eve Leaver":
            revoke_token(store, token.public_id, reason="left the firm", clock=lambda: at(8))
    folder_of(folder / "late", {"late.md": LATE})
    ingest(store, CORPUS, [folder / "late"], clock=lambda: at(8), jobs=1)


def _digits(seed: str) -> Callable[[int], bytes]:
    return lambda size: sha256(seed.encode()).digest()[:size]


def _build(store: Store, day: int, settings: BuildSettings = SETTINGS) -> None:
    build(store, CORPUS, settings, clock=lambda: at(day), jobs=1, models=SOURCES)
    embed(store)


def embed(store: Store) -> None:
    """Store the vectors of the current generation that are not there, as its first question does."""
    view = open_view(store, CORPUS)
    vectors = UnitVectors(store, 1, embedder())
    for _ in vectors.of_documents(view, list(view.entries)):
        pass
    vectors.of_upper(view, "section")


@cache
def embedder() -> HashingEmbedder:
    """That of these tests."""
    return HashingEmbedder(8)


ALWAYS = replace(DEAD, now=lambda: 0.0, new_owner=lambda: "always/1/the same")
"""Whoever erases: a certificate says how many bytes were searched, and the eraser's own registration is among them."""

SOURCES = replace(MODELS, embedder=embedder)
"""The models of these tests."""


def _desk(store: Store, day: int) -> ErasureDesk:
    counter = itertools.count(1)
    around = Surroundings(lambda: at(day), lambda size: next(counter).to_bytes(size, "big"), registrar=ALWAYS)
    return ErasureDesk(store, around, lambda: None)
