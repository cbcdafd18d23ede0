"""What derivations, trees and manifests commit to, against what is stored: whoever changes an output changes the build's id."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress

from coditect.errors import Corrupt
from coditect.integrity.rows.reading import RowReader
from coditect.schemas import Derivation, ErasedStep, Manifest, Record, Tree, commitment_to, outputs_digest
from coditect.store.item_ids import CLASS_OF, locate
from coditect.store.rows import payload_of

__all__ = ["Commitments"]


class Commitments:
    """Holds commitments against what they are to, as rows are read: items before derivations, these before trees and manifests.

    Args:
        rows: of the corpus.
    """

    def __init__(self, rows: RowReader) -> None:
        self._rows = rows
        self._steps: dict[str, bytes] = {}

    def know(self, steps: Mapping[str, ErasedStep]) -> None:
        """Take in what is known of steps that were erased, by id."""
        self._steps.update((each, bytes.fromhex(step.commitment)) for each, step in steps.items())

    def check(self, record: Record, name: str) -> None:
        """One record; those of release 0.1.0 commit to nothing.

        Args:
            record: of any table.
            name: of its row, for findings.
        """
        match record:
            case Derivation():
                self._steps[record.derivation_id] = record.commitment
                if record.outputs_sha256:
                    self._outputs(record, name)
            case Tree():
                for entry in record.entries:
                    what = f"the derivations of {entry.document_id}"
                    self._steps_of(entry.steps, entry.derivations_sha256, name, what)
            case Manifest():
                self._steps_of(record.steps, record.derivations_sha256, name, "the derivations of tiers 3 and 4")

    def _steps_of(self, steps: Sequence[str], wanted: str, name: str, what: str) -> None:
        if not wanted or not all(each in self._steps for each in steps):  # a missing one is said by who looks for it
            return
        if commitment_to(self._steps[each] for each in steps) != wanted:
            self._rows.say("hash", name, f"{what} are not those that it commits to")

    def _outputs(self, step: Derivation, name: str) -> None:
        """The fast way takes what was read; beside items that a killed build left, or of other tables, they are read again."""
        read = self._rows.outputs.pop(step.derivation_id, None)
        ids = hashlib.sha256("".join(sorted(step.outputs)).encode())
        if read is not None and (read[0].digest(), read[1].hexdigest()) == (ids.digest(), step.outputs_sha256):
            return
        hashed = {each: hashlib.sha256(found).digest() for each in step.outputs if (found := self._payload(each))}
        if len(hashed) == len(set(step.outputs)) and outputs_digest(hashed) != step.outputs_sha256:
            self._rows.say("hash", name, "its outputs are not those that it commits to")

    def _payload(self, item_id: str) -> bytes:
        """The stored bytes of an item; empty where it, or its entry in the index, is not there or damaged, which was said."""
        rows, table = self._rows, CLASS_OF[item_id.partition("_")[0]][0]
        with suppress(Corrupt):
            for corpus_id, document_id in locate(rows.store, item_id):
                place = (corpus_id, document_id, item_id) if document_id else (corpus_id, item_id)
                key = rows.keys.key(table, *place)
                value = rows.store.engine.read(lambda transaction, key=key: transaction.get(key))  # type: ignore[misc]
                if corpus_id == rows.corpus_id and value is not None:
                    return payload_of(rows.store.engine, rows.keys, place, key, value)
        return b""
