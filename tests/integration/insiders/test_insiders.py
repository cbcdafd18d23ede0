"""Insiders: who can write every row, and for the last of them who holds the log's key; and by whom each is found.

What is tried is the name of each test. Rows, people and orders are changed by who leaves the log alone: the newest checkpoint of
the store itself finds them, and so does one that was kept. Who holds the key and writes the log anew is found by a checkpoint that
somebody kept and by a witness, and by nothing that is in the store; that is asserted, too.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from coditect.store.store import Store
from tests.integration.insiders import attacks_log, attacks_people, attacks_rows
from tests.integration.insiders.scene import Scene, scene_of

ROWS: tuple[Callable[[Store], None], ...] = (
    *(attacks_rows.failure_deleted, attacks_rows.failure_reworded, attacks_rows.failure_forged),
    *(attacks_rows.intake_deleted, attacks_rows.intake_changed, attacks_rows.intake_forged),
    *(attacks_rows.withdrawn_again_present, attacks_rows.generation_backdated, attacks_rows.generation_removed),
    *(attacks_rows.generation_rolled_back, attacks_rows.generation_appended, attacks_rows.pointer_rolled_back),
    *(attacks_rows.corpus_older, attacks_rows.review_forged, attacks_rows.review_deleted),
)


def _named(attack: Callable[..., None]) -> str:
    return attack.__name__


def test_honest_history_is_found_right_by_everybody() -> None:
    """Nobody says anything of a store that no insider touched, also computed again from its files."""
    scene = scene_of()
    assert (scene.own(), scene.by_kept(), scene.by_witness(), scene.deep()) == ([], [], "", [])


@pytest.mark.parametrize("attack", [*ROWS, *attacks_people.PEOPLE, *attacks_people.ORDERS], ids=_named)
def test_who_leaves_the_log_alone_is_found_by_the_store_itself(attack: Callable[[Store], None]) -> None:
    """What stands in the rows is not what the log tells of; the witness has nothing against the log."""
    scene = scene_of()
    attack(scene.store)
    assert scene.own()
    assert scene.by_witness() == ""


@pytest.mark.parametrize("attack", attacks_log.WITHOUT_KEY, ids=_named)
def test_who_has_no_key_is_found_by_the_store_itself(attack: Callable[[Scene], None]) -> None:
    """The log does not fit its tree, its checkpoint, or itself."""
    scene = scene_of()
    attack(scene)
    assert scene.own()


@pytest.mark.parametrize("attack", attacks_log.WITH_KEY, ids=_named)
def test_who_has_the_key_is_found_by_what_others_keep_and_by_nothing_else(attack: Callable[[Scene], None]) -> None:
    """Rows and log agree and are signed; the checkpoint that was kept, and the witness who cosigned it, do not."""
    scene = scene_of()
    attack(scene)
    assert scene.own() == []
    assert scene.by_kept()
    assert scene.by_witness()
