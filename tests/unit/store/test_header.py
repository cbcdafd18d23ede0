"""The header of a store: what is there, of which format, by whom it is read, and who may write."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import coditect
from coditect.errors import Corrupt, NewerRecord, Unwritable
from coditect.keyspace import Keyspace
from coditect.schemas import Section, StoreHeader
from coditect.store.header import (
    FormerFormat,
    header_key,
    new_header,
    parse_header,
    raw_header,
    read_header,
    require_known,
    write_header,
)
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from tests.unit.store.items import section

AT = "2026-01-02T03:04:05Z"


def _with_row(layout: int) -> MemoryEngine:
    """A store without a header that has one row of a format."""
    engine = MemoryEngine()
    key = Keyspace("t", layout).key("corpus", "c")
    engine.run(lambda transaction: transaction.set(key, b"v"))
    return engine


def test_header_stands_outside_every_format() -> None:
    """Where each release looks first."""
    assert header_key("t") == b"\x02coditect\0\x14\x02t\0"


def test_store_without_a_header_is_known_by_its_rows() -> None:
    """Of the newer format where there are rows of both; nothing is there where there are none."""
    assert read_header(MemoryEngine(), "t") is None
    assert raw_header(MemoryEngine(), "t") is None
    for layout, reader in ((1, "0.1.0"), (2, "0.2.0")):
        engine = _with_row(layout)
        assert read_header(engine, "t") == StoreHeader(format=layout, oldest_reader=reader)
        assert (raw_header(engine, "t") or {})["oldest_reader"] == reader
        assert read_header(engine, "other") is None
    key = Keyspace("t", 1).key("corpus", "c")
    engine.run(lambda transaction: transaction.set(key, b"v"))
    assert (read_header(engine, "t") or new_header()).format == 2


def test_header_is_written_with_the_first_rows_and_stays() -> None:
    """Who made the store, and when; a second writer changes nothing."""
    engine = MemoryEngine()
    for at in (AT, "2030-01-01T00:00:00Z"):
        engine.run(lambda transaction, at=at: write_header(transaction, "t", at))  # type: ignore[misc]
    found = read_header(engine, "t")
    assert found == new_header(AT)
    assert (found.format, found.oldest_reader, found.created_by, found.created_at) == (
        2,
        "0.2.0",
        coditect.__version__,
        AT,
    )
    assert (raw_header(engine, "t") or {})["created_at"] == AT


@pytest.mark.parametrize(
    ("layout", "features", "known"), [(1, (), True), (2, (), True), (3, (), False), (2, ("folds",), False)]
)
def test_header_that_announces_what_nobody_here_knows_is_refused(
    layout: int, features: tuple[str, ...], known: bool
) -> None:
    """A format, or a feature of a known one; the hint says which release reads it."""
    header = StoreHeader(format=layout, features=features, oldest_reader="9.1")
    if known:
        assert require_known(header) is header
        return
    with pytest.raises(NewerRecord, match="later release") as caught:
        require_known(header)
    assert "Releases from 9.1 on" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("stored", "reason"),
    [
        (b"no json", ""),
        (b'{"$record":"store/1","format":0,"oldest_reader":"1"}', "format: "),
        (b'{"$record":"store/1","format":2}', "oldest_reader: "),
        (b'{"$record":"store/1","format":2,"oldest_reader":"1","upgrade":{"to_format":1}}', "upgrade.to_format: "),
        (b'{"$record":"chunk/1"}', "another kind"),
    ],
)
def test_header_that_cannot_be_read_says_which_field_is_wrong(stored: bytes, reason: str) -> None:
    """Of which tenant, why, in one line, and what can be done."""
    with pytest.raises(Corrupt, match="header of the store cannot be read") as caught:
        parse_header(stored, "t")
    assert caught.value.context["tenant"] == "t"
    assert reason in str(caught.value.context["reason"])
    assert "coditect store info" in (caught.value.hint or "")


def test_header_is_shown_as_it_is_stored_whatever_wrote_it() -> None:
    """Also one that this release does not read; what is not JSON is damage."""
    engine = MemoryEngine()
    engine.run(lambda transaction: transaction.set(header_key("t"), b'{"format":7,"colour":"blue"}'))
    assert raw_header(engine, "t") == {"format": 7, "colour": "blue"}
    engine.run(lambda transaction: transaction.set(header_key("t"), b"blue"))
    with pytest.raises(Corrupt, match="not JSON"):
        raw_header(engine, "t")


@pytest.mark.parametrize("layout", [1, 2])
def test_store_of_a_former_format_is_read_and_not_written(layout: int) -> None:
    """It keeps its keys; whoever writes is told to upgrade, in bulk as well, and doing nothing is no writing."""
    store = Store(_with_row(layout), "t")
    assert store.keys.format == layout
    assert isinstance(store.engine, FormerFormat) is (layout == 1)
    assert store.engine.read(lambda transaction: transaction.get(store.keys.key("corpus", "c"))) == b"v"
    bulk = store.for_bulk("test")
    bulk.engine.run_many([])
    writes: list[Callable[[], object]] = [
        lambda: store.update(lambda transaction: transaction.set(b"k", b"v")),
        lambda: store.put_items([section("access")]),
        lambda: bulk.engine.run(lambda transaction: transaction.set(b"k", b"v")),
        lambda: bulk.engine.run_many([lambda transaction: transaction.set(b"k", b"v")]),
    ]
    for write in writes:
        if layout == 2:
            write()
            continue
        with pytest.raises(Unwritable, match="format of a former release") as caught:
            write()
        assert caught.value.context["format"] == 1
    assert len(list(store.scan("sections", Section))) == layout - 1


def test_new_store_has_the_format_of_today() -> None:
    """Where nothing is stored nothing is former."""
    store = Store(MemoryEngine(), "t")
    assert (store.header, store.keys.format) == (None, 2)
    store.put_items([section("access")])
    assert isinstance(store.engine, MemoryEngine)
