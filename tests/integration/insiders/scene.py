"""A corpus to which much has happened, what somebody kept of its log, and who looks at it after an insider was there."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from coditect.documents.limits import MOST_EXTRACTIONS
from coditect.documents.sandbox.budget import ReadBudget
from coditect.engine.port import Transaction
from coditect.errors import CoditectError, Corrupt, InvalidProof
from coditect.integrity.logged.check import check_logged
from coditect.integrity.signing.items import sign_item
from coditect.integrity.signing.policies import set_policy
from coditect.integrity.signing.registry import person_signer, register_key, revoke_key
from coditect.integrity.validate import validate
from coditect.knowledge.building.recomputation import recompute
from coditect.knowledge.calibration.marks import mark
from coditect.knowledge.calibration.switching import switch
from coditect.knowledge.erasure.desk import ErasureDesk
from coditect.knowledge.erasure.execution import Surroundings
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.query.drilldown import chain
from coditect.knowledge.review.sign_off import sign
from coditect.models.port import ModelSources
from coditect.models.wordllama.embedder import WordLlamaTokenizer
from coditect.schemas import Calibration, GateFigures, LogAct
from coditect.store.store import Store
from coditect.store.view import open_view
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint
from coditect.transparency.events import append_act
from coditect.transparency.notes import SigningKey
from coditect.transparency.sequencer import TransparencyLog
from coditect.transparency.witness.client import cosigned
from coditect.transparency.witness.judgement import Witness, witness_key
from coditect.verify.staged.calibration import SHIPPED
from tests.corpora import CORPUS, DOCUMENTS, answer_all, build_all, clock, copy_of, folder_of, ingest_all
from tests.integration.decided_corpus import extraction_of

__all__ = ["ANNA", "BEN", "CHARLES", "KEY", "Scene", "desk_of", "lived_once", "scene_of"]

KEY = SigningKey("log.example.com/tests", bytes(range(32)))
WITNESS = SigningKey("witness.example.com/w1", bytes([9] * 32))
ANNA, BEN = SigningKey("signer/anna", bytes(range(1, 33))), SigningKey("signer/ben", bytes(range(2, 34)))
CHARLES = SigningKey("signer/charles", bytes(range(3, 35)))
NOW_S = 1_800_000_000


def desk_of(store: Store) -> ErasureDesk:
    """Erasures and holds, with nothing random."""
    return ErasureDesk(store, Surroundings(clock, lambda size: bytes(range(size))), lambda: None)


@cache
def lived_once() -> MemoryStore:
    """Documents, failures, a withdrawal, generations, decisions, signatures, keys, a policy, marks, a switch, holds, an erasure,
    a retention, acts and a model's answers."""
    memory = MemoryStore()
    store = Store(MemoryEngine(memory))
    with tempfile.TemporaryDirectory() as name:
        files = {
            **DOCUMENTS,
            "broken.pdf": "no PDF",
            "old.pdf": "none",
            "gone.md": "# Gone\n\nStaff shall wear a badge.\n",
        }
        folder = folder_of(Path(name), files)
        ingest_all(store, folder)
        build_all(store)
        _people(store)
        (folder / "retention.txt").unlink()
        (folder / "old.pdf").unlink()
        (folder / "access.md").write_text(DOCUMENTS["access.md"] + "\nAccounts shall be closed.\n", "utf-8")
        ingest(store, CORPUS, [folder], clock=clock, jobs=1, sync=True)
    build_all(store)
    _orders(store)
    build_all(store)
    answer_all(store)
    for kind in ("export", "access"):
        act = LogAct(kind=kind, corpus_id=CORPUS, at=clock(), details={"what": kind}, salt=f"{len(kind):032x}")
        store.update(lambda transaction, act=act: append_act(transaction, store.keys, act))  # type: ignore[misc]
    return memory


def _people(store: Store) -> None:
    """Keys, decisions and their signatures, a policy, a mark and a switch."""
    register_key(store, ANNA, person="Anna Auditor", role="auditor", at=clock())
    register_key(store, BEN, person="Ben Boss", role="owner", at=clock())
    set_policy(store, CORPUS, 2, ["withdraw"], clock())
    view = open_view(store, CORPUS)
    for key, decision, item in ((ANNA, "accept", 0), (BEN, "dismiss", 1)):
        person = person_signer(store, key, clock())
        claim = view.summary.claims[item]
        sign(store, view, claim, decision=decision, by=person.life.person, meaning="read", at=clock(), signer=person)  # type: ignore[arg-type]
    shown = chain(store, view.sections[0].section_id, corpus_id=CORPUS, as_of=None)
    sign_item(store, view, shown, person_signer(store, ANNA, clock()), meaning="approved", at=clock())
    revoke_key(store, str(BEN.key), reason="lost", at="2026-02-01T00:00:00Z")
    mark(
        store,
        view,
        "who disables accounts?",
        extraction_of(store).extraction_id,
        relevant=True,
        by="Ben Boss",
        at=clock(),
    )
    proposal = Calibration.create(
        corpus_id=CORPUS,
        checker=SHIPPED.model_copy(update={"version": "reviews/of-tests"}),
        gate=GateFigures(bias=1.0, weights={"missing": -1.0}, correct=0.8, incorrect=0.2),
        embedder="model-of-tests",
        fitted=(),
        reviews=(),
        marks=(),
        generation=1,
        build_id=view.manifest.build_id,
        code_version="of tests",
        seed=0,
    )
    store.put_items([proposal])
    switch(store, CORPUS, proposal.calibration_id, by="C. Alibrator", meaning="read it", at=clock())
    switch(store, CORPUS, "", by="C. Alibrator", meaning="back", at="2026-01-02T00:00:00Z")


def _orders(store: Store) -> None:
    """A hold that ended, one that holds, an erasure and a retention."""
    desk = desk_of(store)
    ended = desk.hold(CORPUS, matter="Doe v. Acme", reason="litigation", by="C. Ounsel")
    desk.release(CORPUS, ended.hold_id, reason="settled", by="C. Ounsel")
    assert desk.erase(CORPUS, ["gone.md"], reason="asked by the person", by="A. Officer").state == "done"
    build_all(store)
    assert desk.retain(CORPUS, count=1)[0] > 0
    desk.hold(CORPUS, documents=["incident.md"], matter="Roe v. Acme", reason="litigation", by="C. Ounsel")


class _Memory:
    """What a witness remembers."""

    def __init__(self) -> None:
        self.last: dict[str, Checkpoint] = {}

    @contextmanager
    def held(self, origin: str) -> Iterator[Checkpoint | None]:
        """See :class:`coditect.transparency.witness.judgement.LastSeen`."""
        yield self.last.get(origin)

    def keep(self, checkpoint: Checkpoint) -> None:
        """See :class:`coditect.transparency.witness.judgement.LastSeen`."""
        self.last[checkpoint.origin] = checkpoint


@dataclass(frozen=True)
class Scene:
    """A store of its own, and what was kept elsewhere before an insider comes.

    Attributes:
        store: with the history.
        kept: a checkpoint that somebody keeps.
        witness: cosigned that one.
    """

    store: Store
    kept: Checkpoint
    witness: Witness

    @property
    def log(self) -> TransparencyLog:
        """The store's log."""
        return TransparencyLog(self.store.engine, self.store.keys)

    def update(self, *changes: tuple[bytes, bytes | None]) -> None:
        """Set rows as they are given, or remove them."""

        def body(transaction: Transaction) -> None:
            for key, value in changes:
                transaction.clear(key) if value is None else transaction.set(key, value)

        self.store.update(body)

    def own(self) -> list[str]:
        """What `validate` finds with the newest checkpoint that the store holds, signed after it all by the honest program."""
        found = []
        try:
            self.log.checkpoint(KEY)
        except (CoditectError, ValueError) as error:  # the honest program does not sign
            found.append(f"checkpoint: {error}")
        try:
            found += [f"{each.record}: {each.message}" for each in validate(self.store, CORPUS).findings]
        except CoditectError as error:
            found.append(f"validate: {error}")
        try:
            note = self.log.last_checkpoint()
            newest = None if note is None else open_checkpoint(note.encode(), [KEY.key]).checkpoint
        except (InvalidProof, Corrupt) as error:
            return [*found, f"checkpoint: {error}"]
        return found + self._against(newest)

    def by_kept(self) -> list[str]:
        """What is found with the checkpoint that somebody kept."""
        return self._against(self.kept)

    def _against(self, checkpoint: Checkpoint | None) -> list[str]:
        findings, _ = check_logged(self.store, CORPUS, checkpoint, Counter(), lambda table: None)
        return [f"{each.record}: {each.message}" for each in findings]

    def by_witness(self) -> str:
        """Why the witness does not cosign what the store shows it now; empty where it does."""
        note = self.log.last_checkpoint()
        if note is None:
            return "there is no checkpoint"
        try:
            asked_of(self.witness, note, self.log)
        except (CoditectError, ValueError) as error:
            return str(error)
        return ""

    def deep(self) -> list[str]:
        """What is found by computing the generation again from its files."""
        found = recompute(
            self.store,
            CORPUS,
            models=ModelSources(tokenizer=WordLlamaTokenizer),
            budget=ReadBudget(),
            document_extractions=MOST_EXTRACTIONS,
            progress=lambda stage, done, total: None,
            announce=lambda expected: None,
            jobs=1,
        )
        return [f"{each.record}: {each.message}" for each in found.findings]


def asked_of(witness: Witness, note: str, log: TransparencyLog) -> None:
    """Ask a witness for its cosignature on a checkpoint.

    Raises:
        InvalidProof: it saw another history, or more of it.
    """

    def send(url: str, body: bytes, content_type: str, most: int) -> tuple[int, bytes]:
        answer = witness.add_checkpoint(body, NOW_S)
        return answer.status, answer.body.encode()

    cosigned(note, log.consistency, "http://witness.invalid", witness_key(WITNESS), send=send)


def scene_of() -> Scene:
    """A copy of the history with a checkpoint that is kept and cosigned."""
    store = copy_of(lived_once())
    log = TransparencyLog(store.engine, store.keys)
    note = log.checkpoint(KEY)
    witness = Witness(WITNESS, {KEY.name: [KEY.key]}, _Memory())
    asked_of(witness, note, log)
    return Scene(store, open_checkpoint(note.encode(), [KEY.key]).checkpoint, witness)
