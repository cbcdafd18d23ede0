"""Checks a corpus against its log, and the log against a checkpoint that somebody kept elsewhere.

A store that was made to agree with itself again still has to agree with what was signed before. Found is: a log that is shorter
than it was, or another one; a row that the log tells of and that is gone or changed; a row of which the log does not tell; what the
log tells twice.
"""

from __future__ import annotations

from collections import Counter

import orjson

from coditect.errors import Corrupt, InvalidProof
from coditect.integrity.logged.belongings import check_acts, check_principals, check_tokens
from coditect.integrity.logged.derived import NEWLY_BOUND, check_derived
from coditect.integrity.logged.history import CorpusHistory
from coditect.integrity.logged.order import check_order
from coditect.integrity.logged.published import check_generations
from coditect.integrity.logged.records import check_records
from coditect.integrity.logged.rows import LoggedRows
from coditect.integrity.logged.settings import check_settings
from coditect.integrity.logged.tiles import TileCheck
from coditect.integrity.rows.reading import Advance
from coditect.schemas import Finding
from coditect.store.store import Store
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.merkle.tree import TreeFold, leaf_hash
from coditect.transparency.sequencer import TransparencyLog

__all__ = ["check_logged"]

MOST_LOOKS = 3
"""Somebody may write meanwhile: what is found is looked at again, until the log stood still while it was."""


def check_logged(
    store: Store, corpus_id: str, kept: Checkpoint | None, counts: Counter[str], advance: Advance
) -> tuple[list[Finding], list[str]]:
    """Check a corpus against its log.

    Args:
        store: the tenant's store.
        corpus_id: the corpus.
        kept: a checkpoint whose signature was checked; None: only the rows are held against the log as it is.
        counts: entries that were read are added to it.
        advance: told of each page of rows, with the table's name.

    Returns:
        What is wrong; and sentences on what the log does not tell of, since it happened before the log began or elsewhere.
    """
    log = TransparencyLog(store.engine, store.keys)
    for _ in range(MOST_LOOKS):
        run = _Check(store, corpus_id, log, advance)
        before = log.head().size, log.waiting_count()
        run.log(kept)
        run.rows()
        if not run.findings or before == (log.head().size, log.waiting_count()):
            break
    counts["log"] += run.entries
    return run.findings, run.untold


class _Check:
    """One look at the log and at the rows."""

    def __init__(self, store: Store, corpus_id: str, log: TransparencyLog, advance: Advance) -> None:
        self.findings: list[Finding] = []
        self.untold: list[str] = []
        self.entries = 0
        self._store, self._corpus_id, self._log, self._advance = store, corpus_id, log, advance
        self._history = CorpusHistory(corpus_id)

    def _say(self, record: str, message: str) -> None:
        self.findings.append(Finding(check="log", record=record, message=message))

    # the log

    def log(self, kept: Checkpoint | None) -> None:
        """Its entries against its tree, and both against the checkpoint that was kept; what they tell is followed."""
        head, tree = self._log.head(), TreeFold()
        tiles = TileCheck(self._log.tile, self._say)
        try:
            if kept is not None:
                self._log.require_continues(kept, head)
        except (Corrupt, InvalidProof) as error:
            self._say("log/heads/events", str(error))
        try:
            for index, entry in self._log.entries():
                if index != tree.size:
                    self._say(f"log/entries/{tree.size}", "an entry of the log is missing")
                    break
                leaf = leaf_hash(entry)
                tree.add(leaf)
                tiles.add(leaf)
                self._history.take(orjson.loads(entry))
                if kept is not None and tree.size == kept.size and tree.root() != kept.root:
                    self._say(
                        "log/entries", f"the first {kept.size} entries are not those of the checkpoint that was kept"
                    )
            tiles.end()
            for entry in self._log.waiting():
                self._history.take(orjson.loads(entry))
        except Corrupt as error:
            self._say(f"log/entries/{tree.size}", str(error))
        except orjson.JSONDecodeError:
            self._say(f"log/entries/{tree.size - 1}", "an entry of the log is not JSON")
        self.entries = tree.size
        # More entries than the head told of are of somebody who sequenced meanwhile.
        if tree.size < head.size or (tree.size == head.size and tree.root().hex() != head.root):
            self._say("log/entries", "the entries of the log are not those that its tree is over")
        for record, message in self._history.repeated:
            self._say(record, message)

    # rows

    def rows(self) -> None:
        """Every row of which the log tells, and everything that the log tells of."""
        rows = LoggedRows(self._store, self._corpus_id, self._history, self._say, self._advance)
        check_records(rows)
        check_generations(rows)
        check_derived(rows)
        check_settings(rows)
        check_order(rows)
        older = check_acts(self._store, self._corpus_id, self._history.acts, self._say)
        check_principals(self._store, self._say)
        check_tokens(self._store, self._say)
        if not self._history.begun and not older:
            name = f"corpus/{self._corpus_id}"
            self._say(name, "the log does not tell how the corpus came about: it was copied in, or put there")
        self._remarks(rows.unknown)

    def _remarks(self, unknown: Counter[str]) -> None:
        """What is no finding: times that run backwards, what came with an archive, what is not bound."""
        count, first = self._history.backwards
        if count:
            self.untold.append(
                f"{count} entries of the log say an earlier time than entries before them, the first is entry {first}: "
                "the log proves their order, and not their times."
            )
        if self._history.begun == "import":
            digest = self._history.digest or "that the log does not tell (an earlier release imported it)"
            self.untold.append(
                f"The corpus came with an archive of the corpus digest {digest}: compare it with what its export said."
            )
        for what, number in sorted(unknown.items()):
            self.untold.append(f"The log does not tell of {number} {what}: {self._why(what)}.")

    def _why(self, what: str) -> str:
        if self._history.begun == "import":
            return "they came with an import"
        if self._history.begun and what in NEWLY_BOUND:
            return "not bound (made by an earlier release), or planted"
        return "they are older than the log, or planted"
