"""What an erasure removes, decided before anything is: durable, so that whoever goes on after a kill does the same.

A plan is kept in rows of the transient table ``erasing`` and goes with the erasure, its key and its numbers with it.
"""

from __future__ import annotations

import base64
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
import orjson

from coditect.engine.port import Transaction
from coditect.errors import Corrupt
from coditect.keyspace import Keyspace, part_text, seal_compressed, unseal
from coditect.knowledge.erasure.runs import Numbers
from coditect.schemas import ErasedStep, ErasedSummary, RowCount, Tombstone
from coditect.store.blobs import BLOB_BYTES, Row, put_rows
from coditect.store.item_ids import CLASS_OF
from coditect.store.store import Store

__all__ = ["ErasurePlan", "load_plan", "row_id", "save_parts", "set_head"]

TOLD = frozenset(
    {"documents", "intake", "extractions", "chunks", "passages", "profiles", "sections", "claims", "verdicts"}
    | {"summaries", "reviews", "marks", "derivations", "signatures", "signers", "policies"}
)
"""Tables whose missing rows a tombstone names: others are named by no row, or by a hash of what may be guessed."""


def row_id(keys: Keyspace, table: str, key: bytes) -> tuple[str, str]:
    """(table of the record, its id) that a row is of: of an index entry those of its item; empty where nobody can tell."""
    with suppress(Corrupt):
        parts = keys.parts(table, key)
        if table == "blobs":
            return table, part_text(parts[1])
        last = part_text(parts[-1])
        if not table.startswith("idx/"):
            return table, last
        kind = last.partition("_")[0]
        return (CLASS_OF[kind][0], last) if table != "idx/locator" and kind in CLASS_OF else ("", "")
    return "", ""


@dataclass(slots=True)
class ErasurePlan:
    """What goes.

    Attributes:
        key: of the runs.
        runs: numbers of runs of words that no other document has; sorted.
        rows: ids by table, blobs and what no tombstone names among them.
        steps: of derivations that go.
        summaries: what is left of summaries that go.
        counts: rows and bytes that go, by table.
        stays: what is left, and why.
    """

    key: bytes
    runs: Numbers = field(default_factory=lambda: np.empty(0, np.uint64))
    rows: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    steps: dict[str, ErasedStep] = field(default_factory=dict)
    summaries: dict[str, ErasedSummary] = field(default_factory=dict)
    counts: dict[str, RowCount] = field(default_factory=dict)
    stays: tuple[str, ...] = ()

    def split(self, keys: Keyspace, table: str, rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
        """(rows that stay, rows that go) of a table."""
        stay: list[Row] = []
        go: list[Row] = []
        for row in rows:
            owner, item_id = row_id(keys, table, row[0])
            (go if item_id in self.rows.get(owner, ()) else stay).append(row)
        return stay, go

    def tombstone(self, corpus_id: str, erasure_id: str) -> Tombstone:
        """What stands for it for ever; the same plan gives the same."""
        rows = {table: tuple(sorted(ids)) for table, ids in sorted(self.rows.items()) if table in TOLD and ids}
        return Tombstone.create(
            corpus_id=corpus_id, erasure_id=erasure_id, rows=rows, steps=self.steps, summaries=self.summaries
        )

    def encoded(self) -> bytes:
        """As bytes."""
        return orjson.dumps(
            {
                "key": self.key.hex(),
                "runs": base64.b64encode(self.runs.astype("<u8").tobytes()).decode(),
                "rows": {table: sorted(ids) for table, ids in self.rows.items() if ids},
                "steps": {each: step.model_dump(mode="json") for each, step in self.steps.items()},
                "summaries": {each: left.model_dump(mode="json") for each, left in self.summaries.items()},
                "counts": {table: count.model_dump(mode="json") for table, count in self.counts.items()},
                "stays": list(self.stays),
            },
            option=orjson.OPT_SORT_KEYS,
        )

    @classmethod
    def decoded(cls, data: bytes) -> ErasurePlan:
        """From bytes.

        Raises:
            ValueError, KeyError: not a plan.
        """
        found = orjson.loads(data)
        return cls(
            key=bytes.fromhex(found["key"]),
            runs=np.frombuffer(base64.b64decode(found["runs"]), "<u8").astype(np.uint64),
            rows=defaultdict(set, {table: set(ids) for table, ids in found["rows"].items()}),
            steps={each: ErasedStep.model_validate(step) for each, step in found["steps"].items()},
            summaries={each: ErasedSummary.model_validate(left) for each, left in found["summaries"].items()},
            counts={table: RowCount.model_validate(count) for table, count in found["counts"].items()},
            stays=tuple(found["stays"]),
        )


def save_parts(store: Store, corpus_id: str, erasure_id: str, plan: ErasurePlan) -> int:
    """Store the parts of a plan, from 1, and return how many they are; :func:`set_head` makes it the plan."""
    data = plan.encoded()
    parts = [data[begin : begin + BLOB_BYTES] for begin in range(0, len(data), BLOB_BYTES)]
    put_rows(store.engine, [_row(store.keys, corpus_id, erasure_id, n, part) for n, part in enumerate(parts, 1)])
    return len(parts)


def set_head(transaction: Transaction, store: Store, corpus_id: str, erasure_id: str, count: int) -> None:
    """Say in the caller's transaction that a plan is whole."""
    transaction.set(*_row(store.keys, corpus_id, erasure_id, 0, str(count).encode()))


def load_plan(store: Store, corpus_id: str, erasure_id: str) -> ErasurePlan | None:
    """The plan of an erasure; None where there is none yet.

    Raises:
        Corrupt: it was changed.
    """
    found: list[bytes] = []
    begin, end = store.keys.bounds("erasing", corpus_id, erasure_id)
    for page in store.pages(begin, end, limit=32):
        found += [unseal(store.keys.relative(key), value)[1] for key, value in page]
    if not found or not found[0].isdigit():
        return None
    try:
        return ErasurePlan.decoded(b"".join(found[1 : int(found[0]) + 1]))
    except (ValueError, KeyError) as error:
        raise Corrupt("the plan of an erasure was changed", corpus_id=corpus_id, erasure_id=erasure_id) from error


def _row(keys: Keyspace, corpus_id: str, erasure_id: str, n: int, data: bytes) -> Row:
    key = keys.key("erasing", corpus_id, erasure_id, n)
    return key, seal_compressed(keys.relative(key), data, None)
