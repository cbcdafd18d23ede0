"""Steps that release 0.1.0 finished: found under the ids of today, also where their inputs are such steps themselves."""

from __future__ import annotations

import pytest

from coditect.errors import Corrupt
from coditect.keyspace import Keyspace, seal
from coditect.schemas import Derivation, canonical_json
from coditect.schemas.build import first_derivation_id
from coditect.store.blobs import put_rows
from coditect.store.former import former_ids, former_rows, is_former, open_former
from coditect.store.rows import seal_record
from coditect.store.store import Store

KEYS = Keyspace()


def _step(*inputs: str, stage: str = "section", outputs: tuple[str, ...] = ("section_1",)) -> Derivation:
    return Derivation.create("c", stage, inputs, "rules", {}, "1", outputs)  # type: ignore[arg-type]


def _former(step: Derivation) -> Derivation:
    """A step as release 0.1.0 stored it, under its shorter id."""
    return step.model_copy(update={"derivation_id": first_derivation_id(step.derivation_id)})


def _told(rows: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """The former id by the id of today, as rows tell it."""
    return {str(KEYS.parts("former", row[0])[1]): open_former(KEYS, row) for row in rows}


def test_step_of_either_release_is_known_by_the_length_of_its_id() -> None:
    """Twelve digits fewer are the former release's."""
    step = _step("version_1")
    assert (is_former(step), is_former(_former(step))) == (False, True)


def test_former_step_is_found_under_the_id_of_today() -> None:
    """One whose inputs are no steps has one such id; a step of today needs no row."""
    step = _step("version_1")
    former = _former(step)
    assert _told(former_rows(KEYS, "c", [former])) == {step.derivation_id: former.derivation_id}
    assert former_rows(KEYS, "c", []) == []
    assert former_rows(KEYS, "c", [step]) == []


def test_step_of_former_steps_is_found_under_both_ids_that_it_may_have() -> None:
    """Its inputs are known by the ids of today, and where they were entered as they were by their former ones."""
    first = _former(_step("version_1"))
    second = _former(_step(first.derivation_id, "version_1"))
    third = _former(_step(second.derivation_id, stage="summary"))
    first_today = _step("version_1").derivation_id
    second_today = _step(first_today, "version_1").derivation_id
    assert _told(former_rows(KEYS, "c", [third, first, second])) == {
        first_today: first.derivation_id,
        second_today: second.derivation_id,
        _step(first.derivation_id, "version_1").derivation_id: second.derivation_id,
        _step(second_today, stage="summary").derivation_id: third.derivation_id,
        _step(second.derivation_id, stage="summary").derivation_id: third.derivation_id,
    }


def test_forged_step_that_is_its_own_input_ends() -> None:
    """Nobody recurses without end; it is found under what it would be."""
    forged = _step("derivation_self").model_copy(update={"derivation_id": "derivation_self"})
    assert _told([]) == {}
    assert len(former_rows(KEYS, "c", [forged])) == 1


def test_rows_are_in_the_order_of_their_keys() -> None:
    """They are written as they stand."""
    rows = former_rows(KEYS, "c", [_former(_step(f"version_{n}")) for n in range(20)])
    assert rows == sorted(rows)
    assert len(rows) == 20


def test_store_finds_former_steps_beside_those_of_today(memory: Store) -> None:
    """By the ids of today; the records have the ids that they were stored under, and what nobody finished is not found."""
    former, own = _former(_step("version_1")), _step("version_2")
    put_rows(memory.engine, former_rows(memory.keys, "c", [former]))
    payload = canonical_json(former.model_dump(mode="json", exclude_none=True))  # release 0.1.0 named no record
    row, _ = seal_record(memory.keys, "derivations", ("c", former.derivation_id), payload)
    put_rows(memory.engine, [row])
    memory.put_derivations([own])
    wanted = [_step("version_1").derivation_id, own.derivation_id, _step("version_3").derivation_id]
    assert former_ids(memory.engine, memory.keys, "c", wanted) == {wanted[0]: former.derivation_id}
    found = memory.derivations("c", wanted)
    assert {each: step.derivation_id for each, step in found.items()} == {
        wanted[0]: former.derivation_id,
        wanted[1]: own.derivation_id,
    }
    memory.remove("derivations", "c", former.derivation_id)
    assert [*memory.derivations("c", wanted)] == [own.derivation_id]


@pytest.mark.parametrize("named", [b"", b"x", b"\x10" + bytes(10), b"derivation"])
def test_row_that_names_no_step_is_damage(named: bytes) -> None:
    """Whatever its checksum says."""
    key = KEYS.key("former", "c", "derivation_" + "0" * 52)
    with pytest.raises(Corrupt):
        open_former(KEYS, (key, seal(KEYS.relative(key), named)))
