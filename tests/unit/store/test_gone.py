"""What went by right, and what must stay: as readers and writers are told of it."""

from __future__ import annotations

from typing import Any

import pytest

from coditect.schemas import (
    ErasedSummary,
    Erasure,
    ErasureCertificate,
    ErasureScan,
    HoldRelease,
    Item,
    LegalHold,
    Retention,
    Tombstone,
)
from coditect.store.blobs import put_rows
from coditect.store.intake.erasures import (
    NOTHING_GONE,
    erased_since,
    erasure_of_file,
    gone_rows,
    holds_in,
    holds_over,
    pending_erasures,
)
from coditect.store.rows import item_rows
from coditect.store.store import Store

SALT = "0f" * 16
FILE = "ab" * 32


def _day(day: int) -> str:
    return f"2026-01-{day:02}T00:00:00Z"


def _erasure(document_id: str = "document_1", day: int = 1, corpus_id: str = "c") -> Erasure:
    return Erasure.create(
        corpus_id=corpus_id,
        document_ids=(document_id,),
        reason="Art. 17",
        by="An Officer",
        at=_day(day),
        salt=SALT,
        files=(Erasure.file_mark(SALT, FILE),),
    )


def _tombstone(erasure: Erasure, rows: dict[str, tuple[str, ...]], **more: Any) -> Tombstone:  # noqa: ANN401
    fields: dict[str, Any] = {"steps": {}, "summaries": {}, **more}
    return Tombstone.create(corpus_id=erasure.corpus_id, erasure_id=erasure.erasure_id, rows=rows, **fields)


def _certificate(erasure: Erasure) -> ErasureCertificate:
    return ErasureCertificate.create(
        corpus_id=erasure.corpus_id,
        erasure_id=erasure.erasure_id,
        tombstone_id="tombstone_1",
        at=_day(9),
        removed={},
        stays=(),
        scan=ErasureScan(words=1, runs=0, rows=0, size_bytes=0, files=0, found=()),
        release="1",
    )


def _hold(*document_ids: str, day: int = 1) -> LegalHold:
    return LegalHold.create(
        corpus_id="c", document_ids=document_ids, matter="A v. B", reason="suit", by="Counsel", at=_day(day)
    )


def _release(hold: LegalHold) -> HoldRelease:
    return HoldRelease.create(corpus_id="c", hold_id=hold.hold_id, reason="over", by="Counsel", at=_day(9))


def _retention(numbers: tuple[int, ...], builds: tuple[str, ...]) -> Retention:
    return Retention.create(corpus_id="c", generations=numbers, build_ids=builds, policy="keep 12m", at=_day(9))


def _put(store: Store, *items: Item) -> None:
    put_rows(store.engine, [item_rows(store.keys, item).record for item in items])


def test_nothing_is_gone_where_nobody_asked(memory: Store) -> None:
    """Neither by a hold nor by what another corpus asked for."""
    _put(memory, _hold(), _erasure(corpus_id="d"))
    assert gone_rows(memory, "c") is NOTHING_GONE
    assert erased_since(memory, "c") == ""
    assert pending_erasures(memory, "c") == []
    assert not NOTHING_GONE.covers("documents", "version_1")
    assert not NOTHING_GONE.hides("document_1", "version_1")


def test_rows_in_a_tombstone_are_missing_by_right(memory: Store) -> None:
    """Those, of all tombstones together, and no others; a version among them is shown to nobody, others of its document are."""
    one, two = _erasure(), _erasure("document_2", 2)
    left = ErasedSummary(claims=(), filtered=(), verdicts={}, source_sections=(), erased_claims=1, erased_filtered=0)
    _put(
        memory,
        one,
        two,
        _tombstone(one, {"documents": ("version_1",), "chunks": ("chunk_1",)}, summaries={"summary_1": left}),
        _tombstone(two, {"chunks": ("chunk_2",)}),
        _certificate(one),
        _certificate(two),
    )
    gone = gone_rows(memory, "c")
    assert gone.rows == {
        "documents": frozenset(("version_1",)),
        "chunks": frozenset(("chunk_1", "chunk_2")),
        "generations": frozenset(),
    }
    assert (gone.covers("chunks", "chunk_2"), gone.covers("chunks", "version_1")) == (True, False)
    assert (gone.hides("document_1", "version_1"), gone.hides("document_1", "version_2")) == (True, False)
    assert gone.summaries == {"summary_1": left}
    assert (gone.documents, gone.pending, gone.builds) == (frozenset(), (), {})


def test_generations_that_went_by_policy_are_missing_by_right(memory: Store) -> None:
    """With the builds that they were; where nothing was erased, too."""
    _put(memory, _retention((1, 2), ("build_1", "build_2")), _retention((3,), ("build_3",)))
    gone = gone_rows(memory, "c")
    assert gone.rows == {"generations": frozenset(("1", "2", "3"))}
    assert gone.builds == {1: "build_1", 2: "build_2", 3: "build_3"}
    assert (gone.covers("generations", 2), gone.covers("generations", 4)) == (True, False)


@pytest.mark.parametrize(
    ("held", "released", "begun", "hidden"),
    [
        ((), False, False, True),
        (("document_1",), False, False, False),
        (("document_1",), True, False, True),
        (("document_1",), False, True, True),
        (("document_2",), False, False, True),
        (("document_2", "document_1"), False, False, False),
        (None, False, False, False),
        (None, True, False, True),
        (None, False, True, True),
    ],
)
def test_document_on_its_way_out_is_hidden_unless_it_is_held(
    memory: Store, held: tuple[str, ...] | None, released: bool, begun: bool, hidden: bool
) -> None:
    """By a hold on it or on the whole corpus, for as long as that lasts; what has begun to go is hidden all the same.

    Args:
        held: documents of the hold; None for the whole corpus, empty for no hold.
    """
    erasure = _erasure()
    _put(memory, erasure)
    if held != ():
        hold = _hold(*(held or ()))
        _put(memory, hold, *([_release(hold)] if released else []))
    if begun:
        _put(memory, _tombstone(erasure, {}))
    gone = gone_rows(memory, "c")
    assert gone.pending == (erasure,)
    assert gone.hides("document_1", "version_1") is hidden
    assert not gone.hides("document_3", "version_1")
    _put(memory, _certificate(erasure))
    assert gone_rows(memory, "c").pending == ()
    assert not gone_rows(memory, "c").documents


def test_records_that_cannot_be_read_hide_rather_than_show(memory: Store) -> None:
    """Where nobody can tell what is held, what was to be erased is hidden; of the damage validation tells."""
    hold = _hold()
    _put(memory, _erasure(), hold)
    assert not gone_rows(memory, "c").documents
    key = memory.keys.key("holds", "c", hold.hold_id)
    memory.engine.run(lambda transaction: transaction.set(key, b"damaged"))
    assert gone_rows(memory, "c").documents == {"document_1"}


def test_erasures_that_are_not_done_are_told_oldest_first(memory: Store) -> None:
    """Whatever their ids; those that are done are not among them."""
    asked = [_erasure(f"document_{day}", day) for day in (3, 1, 2, 4)]
    _put(memory, *asked, _certificate(asked[3]))
    assert [each.at for each in pending_erasures(memory, "c")] == [_day(1), _day(2), _day(3)]


def test_every_step_of_an_erasure_changes_what_copies_are_named_by(memory: Store) -> None:
    """Twelve digits, the same for the same steps in every process and release."""
    erasure, hold = _erasure(), _hold()
    seen = []
    for step in (erasure, _tombstone(erasure, {}), _certificate(erasure), hold, _release(hold)):
        _put(memory, step)
        seen.append(erased_since(memory, "c"))
    assert len(set(seen)) == 5
    assert all(len(each) == 12 for each in seen)
    assert seen[0] == "af574ed06f11"
    _put(memory, _retention((1,), ("build_1",)))
    assert erased_since(memory, "c") == seen[-1]


def test_holds_in_force_are_those_that_nobody_released(memory: Store) -> None:
    """Oldest first; inside a transaction as outside of one."""
    late, early, over = _hold("document_1", day=3), _hold(day=2), _hold("document_2")
    _put(memory, late, early, over, _release(over))
    assert holds_in(memory, "c") == [early, late]
    assert memory.update(lambda transaction: holds_in(memory, "c", transaction)) == [early, late]
    assert holds_in(memory, "d") == []
    assert holds_over([late, early], ("document_1",)) == [late, early]
    assert holds_over([late, early], ("document_9",)) == [early]
    assert holds_over([late], ()) == []


def test_file_that_went_is_known_by_its_erasure() -> None:
    """The first that took it; of another file none."""
    erasures = [_erasure(), _erasure("document_2")]
    assert erasure_of_file(erasures, FILE) is erasures[0]
    assert erasure_of_file(erasures, "cd" * 32) is None
