"""Steps that release 0.1.0 finished, found by the ids that they have today.

The id of a step covers its inputs, which may be ids of other steps. Digests of ids were shorter then, so that the same step has
another id now: a row says which. A build that looks for a step finds the former one with its outputs, and enters it under its
own, former id.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coditect.engine.port import Engine, Transaction
from coditect.errors import Corrupt
from coditect.keyspace import Keyspace, packed_id, seal, unpacked_id, unseal
from coditect.schemas import Derivation, derivation_id_for, first_derivation_id
from coditect.store.blobs import Row
from coditect.store.rows import row_name

__all__ = ["former_ids", "former_rows", "is_former", "open_former"]

READ_AT_ONCE = 500
"""Rows that are read in one snapshot."""


def former_rows(keys: Keyspace, corpus_id: str, steps: Iterable[Derivation]) -> list[Row]:
    """The rows that lead from the ids of today to former ones.

    Args:
        keys: of the tenant.
        corpus_id: the corpus of the steps.
        steps: all derivations of the corpus that release 0.1.0 stored; their outputs do not matter.
    """
    inputs = {step.derivation_id: step for step in steps}
    known: dict[str, str] = {}

    def today(derivation_id: str) -> str:
        step = inputs.get(derivation_id)
        if step is None:
            return derivation_id
        if derivation_id not in known:
            known[derivation_id] = derivation_id  # no step is its own input; a forged one ends here
            own = tuple(today(each) for each in step.inputs)
            known[derivation_id] = _id(step, own)
        return known[derivation_id]

    rows: dict[bytes, bytes] = {}
    for former, step in inputs.items():
        # What is derived from a former step that was entered under its own id has that for an input.
        for derivation_id in {today(former), _id(step, step.inputs)} - {former}:
            key = keys.key("former", corpus_id, derivation_id)
            rows[key] = seal(keys.relative(key), packed_id(former) or former.encode())
    return sorted(rows.items())


def _id(step: Derivation, inputs: tuple[str, ...]) -> str:
    return derivation_id_for(step.corpus_id, step.stage, inputs, step.method, step.parameters, step.code_version)


def is_former(step: Derivation) -> bool:
    """Whether release 0.1.0 finished a step."""
    return step.derivation_id == first_derivation_id(step.derivation_id)


def former_ids(engine: Engine, keys: Keyspace, corpus_id: str, ids: Sequence[str]) -> dict[str, str]:
    """The former ids of those of ``ids`` that have one.

    Raises:
        Corrupt: changed bytes.
    """
    found: dict[str, str] = {}
    for begin in range(0, len(ids), READ_AT_ONCE):
        some = ids[begin : begin + READ_AT_ONCE]
        wanted = [keys.key("former", corpus_id, each) for each in some]

        def body(transaction: Transaction, wanted: list[bytes] = wanted) -> list[bytes | None]:
            return transaction.get_many(wanted)

        for derivation_id, key, value in zip(some, wanted, engine.read(body), strict=True):
            if value is not None:
                found[derivation_id] = open_former(keys, (key, value))
    return found


def open_former(keys: Keyspace, row: Row) -> str:
    """The former id that a row tells.

    Raises:
        Corrupt: changed bytes.
    """
    key, value = row
    former = unpacked_id(unseal(keys.relative(key), value)[1])
    if former is None:
        raise Corrupt("a row does not name a former derivation", row=row_name(keys, key))
    return former
