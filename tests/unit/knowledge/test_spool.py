"""Rows that wait on disk come back as they went, and leave nothing behind."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from coditect.knowledge.derivation import spool
from coditect.knowledge.derivation.spool import RowSpool
from coditect.store.rows import ItemRows

ITEMS = [
    ItemRows(
        f"item-{n}",
        (b"key%d" % n, b"value" * n),
        tuple((b"i", b"") for _ in range(n)),
        ((b"blob", b"\0" * n),),
        (("entity", ("acme inc",) * n, "derivation_1"),),
    )
    for n in range(7)
]


@pytest.mark.parametrize("held", [0, 3, 7, 100])
def test_spooled_rows_are_what_was_added(held: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In memory, on disk or both; also where they are sent to another process; the file is gone at the end."""
    monkeypatch.setattr(spool, "HELD_ITEMS", held)
    own = RowSpool(tmp_path)
    for item in ITEMS:
        own.add(item)
    rows = pickle.loads(pickle.dumps(own.close()))  # noqa: S301 - our own
    assert len(list(tmp_path.iterdir())) == (held < len(ITEMS))
    assert list(rows.take()) == ITEMS, "with every field, also those of optional indexes"
    assert list(tmp_path.iterdir()) == []


def test_spool_of_nothing_is_empty(tmp_path: Path) -> None:
    """A document of which everything is stored already."""
    assert list(RowSpool(tmp_path).close().take()) == []


def test_failure_leaves_no_file_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A document that fails half way has its rows thrown away."""
    monkeypatch.setattr(spool, "HELD_ITEMS", 2)

    def half_way() -> None:
        with RowSpool(tmp_path) as own:
            for item in ITEMS:
                own.add(item)
            raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"):
        half_way()
    assert list(tmp_path.iterdir()) == []
