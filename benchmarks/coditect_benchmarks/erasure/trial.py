"""The trial: documents are erased, at thirty moments by a process that is killed, and what is left is looked at from outside."""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import orjson

from coditect.compose import compact_store, open_knowledge
from coditect.errors import InvalidProof
from coditect.schemas import BuildSettings
from coditect.settings import Settings
from coditect.transparency.custody.memory import SUFFIX
from coditect_benchmarks.erasure.checks import clean_generations, exported, found_in, proofs
from coditect_benchmarks.erasure.corpus import CORPUS, Lived, live
from coditect_benchmarks.erasure.killed import OFFICER, REASON
from coditect_benchmarks.erasure.places import Places

__all__ = ["run_trial"]


def run_trial(root: Path, cluster: str, *, documents: int, erase: int, kills: int, seed: int) -> dict[str, Any]:
    """Run it.

    Args:
        root: an empty folder.
        cluster: URL of a FoundationDB cluster; empty: stores are folders of LMDB.
        documents: of the corpus.
        erase: of those that are erased.
        kills: moments at which a process that erases is killed.
        seed: of what is random.

    Returns:
        What was found; "wrong" names what must not be, and is empty where all is well.
    """
    places = Places(root, cluster, f"trial-{time.time_ns()}")
    trial = _Trial(places, kills)
    try:
        with _logs_in(root / "logs"):
            trial.run(documents, erase, seed)
    finally:
        places.clear_all()
    return trial.report


@contextmanager
def _logs_in(folder: Path) -> Iterator[None]:
    """Everything that is logged, at every level, goes to a file that is looked through at the end."""
    folder.mkdir()
    handler = logging.FileHandler(folder / "program.log")
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.setLevel(level)
        root.removeHandler(handler)
        handler.close()


class _Trial:
    """One trial. See :func:`run_trial`."""

    def __init__(self, places: Places, kills: int) -> None:
        self.places = places
        self.kills = kills
        self.wrong: list[str] = []
        self.seconds: dict[str, float] = {}
        self.report: dict[str, Any] = {"wrong": self.wrong, "seconds": self.seconds}
        self._list = places.root / "erasures.jsonl"

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.seconds[what] = round(time.perf_counter() - begin, 1)
        print(f"{what}: {self.seconds[what]} s", file=sys.stderr, flush=True)

    def _must(self, what: str, *, hold: object) -> None:
        if not hold:
            self.wrong.append(what)

    def run(self, documents: int, erase: int, seed: int) -> None:
        """Everything, in order."""
        places = self.places
        with self._timed("corpus"):
            lived = live(places, "store", documents=documents, erase=erase, seed=seed)
        places.copy("store", "backup")
        self.report |= {
            "documents": documents,
            "erased": len(lived.gone),
            "formats": sorted({Path(name).suffix for name in lived.gone}),
            "in use": lived.counts,
            "runs": len(lived.needles.runs),
            "fragments": len(lived.needles.fragments),
        }
        with self._timed("search before"):
            before = found_in(places, "store", lived.needles, [places.root / "exports"])
        self.report["found before"] = len(before)
        self._must("the search found no word before anything was erased", hold=len(before) > 3)
        with self._timed("kills"):
            self._kill(lived)
        with self._timed("hold and erasure"):
            self._erase(lived)
        with self._timed("validation and proofs"):
            self._check(lived)
        with self._timed("backups"):
            self._restore(lived)
        self._must("the service's answers are looked through", hold=not (places.root / "calls.jsonl").exists())

    def _child(self, settings: Settings, gone: list[str], at: int) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "coditect_benchmarks.erasure.killed"]
        words = [settings.model_dump_json(exclude_unset=True), CORPUS, orjson.dumps(gone).decode(), str(at)]
        return subprocess.run([*command, *words], capture_output=True, text=True, check=False)

    def _kill(self, lived: Lived) -> None:
        """At each moment: a process erases and is killed, and the next command finishes it."""
        places = self.places
        places.copy("backup", "counted")
        done = self._child(places.settings("counted"), lived.gone, 0)
        assert done.returncode == 0, done.stderr
        transactions = int(done.stdout)
        places.clear("counted")
        moments = [2 + n * 2 * transactions // self.kills + n % 2 for n in range(self.kills)]
        recorded = finished = 0
        for at in moments:
            places.copy("backup", "killed")
            ended = self._child(places.settings("killed"), lived.gone, at)
            self._must(f"moment {at}: the process was not killed: {ended.stderr[-300:]}", hold=ended.returncode == -9)
            recorded += self._finished(lived, at)
            left = (
                found_in(places, "killed", lived.needles)
                if places.cluster
                else lived.needles.in_folder(places.folder("killed"))  # rows lie in it, and are unpacked there
            )
            self._must(f"moment {at}: {left}", hold=not left)
            finished += not left
            places.clear("killed")
        self.report["kills"] = {
            "transactions": transactions,
            "moments": len(moments),
            "recorded before": recorded,
            "finished": finished,
        }

    def _finished(self, lived: Lived, at: int) -> bool:
        """Run the next command on a store that was killed, and look at it; whether the erasure had been recorded."""
        with open_knowledge(self.places.settings("killed")) as knowledge:
            recorded = bool(knowledge.erasures())
            if recorded:
                knowledge.sweep(CORPUS, apply=True)
            else:  # nobody was told that it was asked for, so it is asked for again
                knowledge.erase(CORPUS, lived.gone, reason=REASON, by=OFFICER)
            done = [each.certificate is not None for each in knowledge.erasures()]
            self._must(f"moment {at}: not finished", hold=done == [True])
            findings = knowledge.validate(CORPUS, kept=lived.checkpoint).findings
            self._must(f"moment {at}: {findings[:3]}", hold=not findings)
        self._compact("killed")
        return recorded

    def _erase(self, lived: Lived) -> None:
        """A hold refuses; what was asked is done at its end, once no export of before lies where it looks."""
        places = self.places
        settings = places.settings("store", erasures=self._list)
        with open_knowledge(settings) as knowledge:
            knowledge.searched_places = (*knowledge.searched_places, lived.archive.parent, places.root / "logs")
            hold = knowledge.hold(CORPUS, lived.gone[:1], matter="Doe v. Acme", reason="asked", by="Counsel")
            asked = knowledge.erase(CORPUS, lived.gone, reason=REASON, by=OFFICER)
            self._must("the hold did not refuse", hold=asked.state == "held" and asked.holds == (hold,))
            shown = {each.name for each in knowledge.view(CORPUS).documents.values()}
            self._must("what is held is not shown", hold=set(lived.gone) <= shown)
            begin = time.perf_counter()
            _, (first,) = knowledge.release(CORPUS, hold.hold_id, reason="over", by="Counsel")
            self.seconds["erasure alone"] = round(time.perf_counter() - begin, 1)
            self._must(f"the old export was not found: {first}", hold=first.found == (str(lived.archive),))
            lived.archive.rename(places.root / "archive-of-before.jsonl")
            (second,) = knowledge.finish_erasures(CORPUS)
            self._must(f"not done: {second.reason}", hold=second.state == "done")
        if second.certificate is not None:
            self.report["removed"] = {table: count.rows for table, count in second.certificate.removed.items()}
            self.report["own search"] = second.certificate.scan.model_dump(mode="json")
        if not places.cluster:
            freed = lived.needles.in_folder(places.folder("store"))
            self.report["runs in freed pages, before compaction"] = sum(freed.values())
        self.report["bytes"] = self._compact("store")

    def _compact(self, store: str) -> list[int]:
        """Give freed pages back, as the command line does after an erasure; [bytes before, bytes after]."""
        if self.places.cluster:
            return []
        done = compact_store(self.places.settings(store).store)
        return [done.before_bytes, done.after_bytes]

    def _check(self, lived: Lived) -> None:
        """Everything else verifies, nothing of the words is anywhere, and they do not come back."""
        places = self.places
        exports, bundles = places.root / "exports-after", places.root / "bundles"
        with open_knowledge(places.settings("store", erasures=self._list)) as knowledge:
            findings = clean_generations(knowledge, lived.checkpoint)
            again = knowledge.ingest(CORPUS, [places.root / "documents"])
            self._must("an erased file was taken in", hold=again.count("failed") == len(lived.gone))
            knowledge.build(CORPUS, BuildSettings())
            findings |= clean_generations(knowledge, lived.checkpoint)
            self.report["generations validated"] = len(findings)
            self._must(f"validation: {findings}", hold=not any(findings.values()))
            shown = {each.name for each in knowledge.view(CORPUS).documents.values()}
            self._must("other documents than were kept", hold=shown == set(lived.kept))
            exported(knowledge, exports)
            self.report["proofs"] = proofs(knowledge, lived.kept, lived.checkpoint, bundles)
            self._must("proofs", hold=not self.report["proofs"]["wrong"])
        further = [exports, bundles, places.root / "logs", self._list]
        found = found_in(places, "store", lived.needles, further)
        self.report["found after"] = found
        self.report["files looked through"] = sum(
            1 for place in (places.folder("store"), places.cache("store"), *further) for each in place.rglob("*")
        )
        self._must(f"words are left: {found}", hold=not found)

    def _restore(self, lived: Lived) -> None:
        """A store that was copied before, and an archive of before: opened with the list, both come up erased.

        The log of the copy is shorter than what its key remembers to have signed: it is served, and nothing more is signed for it
        until somebody says that what was newer is lost.
        """
        places = self.places
        places.copy_key("store", "backup")
        memory = places.log_key("backup").with_name("log.key" + SUFFIX)
        archive = places.root / "archive-of-before.jsonl"
        for store in ("backup", "imported"):
            with open_knowledge(places.settings(store, erasures=self._list)) as knowledge:
                if store == "imported":
                    with archive.open("rb") as file:
                        knowledge.import_archive(file)
                shown = {each.name for each in knowledge.view(CORPUS).documents.values()}
                self._must(f"{store}: serves what was erased", hold=not shown & set(lived.gone))
                self._must(f"{store}: lost documents", hold=shown == set(lived.kept))
                done = [each.certificate is not None for each in knowledge.erasures()]
                self._must(f"{store}: not erased", hold=done == [True])
                if store == "backup":
                    with suppress(InvalidProof):
                        knowledge.checkpoint()
                        self._must("a log that was put back is signed", hold=False)
                    memory.unlink()
                    knowledge.checkpoint()
                kept = lived.checkpoint if store == "backup" else None  # an archive comes without the log
                findings = knowledge.validate(CORPUS, kept=kept).findings
                self._must(f"{store}: {findings[:3]}", hold=not findings)
            self._compact(store)
            found = found_in(places, store, lived.needles)
            self.report[f"found in {store}"] = found
            self._must(f"{store}: {found}", hold=not found)
        archive.unlink()
        shutil.rmtree(places.root / "documents")
