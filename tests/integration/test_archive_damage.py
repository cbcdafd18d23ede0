"""Archives that were damaged are refused before anything is written; forged ones before anything is seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coditect.errors import CoditectError, Corrupt, UsageError
from coditect.integrity.validate import validate
from coditect.knowledge.archive.format import (
    Tally,
    header_line,
    trailer_line,
)
from coditect.knowledge.archive.importing import import_archive
from coditect.knowledge.archive.lines import BlobPart, parse_line, row_line
from coditect.schemas import canonical_json, sha256_hex
from coditect.schemas.archive import ArchiveHeader
from coditect.store.blobs import BLOB_BYTES
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine, MemoryStore
from tests.corpora import CORPUS
from tests.effort import FULL, times
from tests.integration.archives import (
    export_bytes,
    history_bytes,
    import_bytes,
    opened,
    small_bytes,
)


@pytest.fixture(scope="module")
def history_archive() -> bytes:
    """The archive of three generations."""
    return history_bytes()


@pytest.fixture(scope="module")
def small_archive() -> bytes:
    """An archive that is short enough to be damaged at every byte."""
    return small_bytes()


# Damage: nothing is written


def refused(data: bytes) -> CoditectError:
    """The error that an archive is refused with, before a single transaction."""
    memory = MemoryStore()
    with pytest.raises((Corrupt, UsageError)) as caught:
        import_bytes(Store(MemoryEngine(memory)), data)
    assert memory.state.commits == 0
    assert caught.value.hint
    return caught.value


def test_flipped_bit_at_any_byte_is_refused(small_archive: bytes) -> None:
    """One bit of every byte of a whole archive, first and last line included; of every third where somebody waits."""
    for position in (*range(0, len(small_archive), EVERY), len(small_archive) - 1):
        damaged = bytearray(small_archive)
        damaged[position] ^= 1 << position % 8
        refused(bytes(damaged))


@given(position=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(max_examples=times(200, least=10), deadline=None)
def test_flipped_bit_anywhere_is_refused(history_archive: bytes, position: float, bit: int) -> None:
    """Whichever bit of whichever byte of an archive with every kind of row."""
    damaged = bytearray(history_archive)
    damaged[int(position * len(damaged))] ^= 1 << bit
    refused(bytes(damaged))


def test_archive_truncated_at_any_byte_is_refused(small_archive: bytes) -> None:
    """Cut anywhere, the missing end is noticed; or at every third byte where somebody waits."""
    for length in (*range(0, len(small_archive), EVERY), len(small_archive) - 1):
        refused(small_archive[:length])


def test_archive_cut_between_lines_is_refused(history_archive: bytes) -> None:
    """After any line but the last."""
    lines = history_archive.splitlines(keepends=True)
    for count in (*range(12), *range(12, len(lines), 25), len(lines) - 1):
        refused(b"".join(lines[:count]))


def test_reordered_doubled_or_dropped_lines_are_refused(history_archive: bytes) -> None:
    """Neighbours of one table, tables, a line twice, a line missing, something behind the end, an archive twice."""
    lines = history_archive.splitlines(keepends=True)
    for at in (1, 5, len(lines) // 2, len(lines) - 3):
        refused(b"".join((*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :])))
        refused(b"".join((*lines[:at], lines[at], *lines[at:])))
        refused(b"".join((*lines[:at], *lines[at + 1 :])))
    refused(b"".join((lines[0], *lines[-2:0:-1], lines[-1])))
    refused(history_archive + b"\n")
    refused(history_archive * 2)


def test_line_that_does_not_end_is_refused_without_being_read_whole(small_archive: bytes) -> None:
    """A hostile file cannot fill the memory."""
    first = small_archive.index(b"\n") + 1
    error = refused(small_archive[:first] + b"x" * 5_000_000)
    assert "too long" in error.message


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"{}\n", b"[]\n", b"# A policy\n", b'{"header":{"format":"other","version":1}}\n']
)
def test_what_is_no_archive_is_said_to_be_none(data: bytes) -> None:
    """Wrong use, not damage."""
    error = refused(data)
    assert (type(error), error.message) == (UsageError, "not an archive")


@pytest.mark.parametrize("number", [b"3", b"0", b'"1"', b"1.5"])
def test_unknown_version_of_the_format_is_refused(small_archive: bytes, number: bytes) -> None:
    """It is said which version it is and what to do."""
    error = refused(small_archive.replace(b'"version":2}}', b'"version":' + number + b"}}", 1))
    assert (type(error), error.message) == (UsageError, "unknown version of the archive format")


# Forgeries: the sums are right, the content is not


def forged(data: bytes, change: Callable[[list[bytes]], list[bytes]], **header: Any) -> bytes:  # noqa: ANN401
    """An archive whose row lines were changed and whose sums were made again."""
    first, *lines, _ = data.splitlines(keepends=True)
    lines = change(lines)
    tally = Tally()
    for line in lines:
        tally.add(orjson.loads(line)["table"], line)
    fields = orjson.loads(first)["header"] | {"corpus_digest": tally.digest, "rows": tally.rows} | header
    begin = header_line(ArchiveHeader.model_validate(fields))
    return b"".join((begin, *lines, trailer_line(tally.trailer(begin))))


def edit(table: str, **fields: Any) -> Callable[[list[bytes]], list[bytes]]:  # noqa: ANN401
    """Change fields of the first record of a table."""

    def change(lines: list[bytes]) -> list[bytes]:
        at = next(n for n, line in enumerate(lines) if line.endswith(f',"table":"{table}"}}\n'.encode()))
        body = orjson.loads(lines[at])
        body.update({}) if table == "blobs" else body["record"].update(fields)
        if table == "blobs":
            body.update(fields)
        return [*lines[:at], canonical_json(body) + b"\n", *lines[at + 1 :]]

    return change


def without(table: str) -> Callable[[list[bytes]], list[bytes]]:
    """Drop the lines of a table."""
    return lambda lines: [line for line in lines if not line.endswith(f',"table":"{table}"}}\n'.encode())]


def swapped(table: str) -> Callable[[list[bytes]], list[bytes]]:
    """Exchange the first two lines of a table."""

    def change(lines: list[bytes]) -> list[bytes]:
        at = next(n for n, line in enumerate(lines) if line.endswith(f',"table":"{table}"}}\n'.encode()))
        return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]

    return change


def shortest_blob(lines: list[bytes]) -> int:
    """Where the shortest blob of one part stands."""
    return lines.index(min((line for line in lines if b'"n":0' in line), key=len))


def recut(lines: list[bytes]) -> list[bytes]:
    """A blob of one part in two."""
    at = shortest_blob(lines)
    part = parse_line("blobs", lines[at])
    assert isinstance(part, BlobPart)
    halves = [
        row_line("blobs", BlobPart(part.sha256, n, data)) for n, data in enumerate((part.data[:5], part.data[5:]))
    ]
    return [*lines[:at], *halves, *lines[at + 1 :]]


def last_blob_changed(lines: list[bytes]) -> list[bytes]:
    """Other bytes in the last blob."""
    at = max(n for n, line in enumerate(lines) if line.endswith(b',"table":"blobs"}\n'))
    return [*lines[:at], row_line("blobs", BlobPart(orjson.loads(lines[at])["sha256"], 0, b"other")), *lines[at + 1 :]]


EVERY = 1 if FULL else 3
"""Bytes of an archive that is damaged at each of them: any bit is met, eight not being a multiple of it."""

ALTERED = "not what the archive holds|not whole or not true|id is not the hash of its"
FOREIGN = "a record is of another corpus"
MISSING = "the bytes of a document are not there"
UNEQUAL = "what was written is not what the archive holds"
SHAPE = "a stored record does not have its declared shape"

FORGERIES: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "an item that was changed": (edit("extractions", confidence=0.123), ALTERED),
    "a document that was renamed": (edit("documents", name="other.md"), ALTERED),
    "a derivation that was changed": (edit("derivations", method="other"), ALTERED),
    "an item of another corpus": (edit("claims", corpus_id="other"), FOREIGN),
    "an intake of another corpus": (edit("intake", corpus_id="other"), FOREIGN),
    "an event of another corpus": (edit("feed", corpus_id="other"), FOREIGN),
    "a corpus of another name": (edit("corpus", corpus_id="other"), FOREIGN),
    "a corpus of another generation": (edit("corpus", generation=2), "the corpus record is not the one"),
    "an unknown field": (edit("generations", extra=1), SHAPE),
    "a field of another type": (edit("generations", generation="one"), SHAPE),
    "a blob that was changed": (edit("blobs", content="other"), UNEQUAL),
    "the last blob changed": (last_blob_changed, UNEQUAL),
    "a blob that is cut elsewhere": (recut, UNEQUAL),
    "a blob under another name": (edit("blobs", sha256="f" * 64), MISSING),
    "a blob that starts late": (edit("blobs", n=1), MISSING),
    "no blobs": (without("blobs"), MISSING),
    "no layout of a document": (
        lambda lines: [line for n, line in enumerate(lines) if n != shortest_blob(lines)],
        MISSING,
    ),
    "no corpus": (without("corpus"), "the archive holds no record of its corpus"),
    "items out of order": (swapped("extractions"), UNEQUAL),
    "blobs out of order": (swapped("blobs"), UNEQUAL),
    "an item twice": (
        lambda lines: [line for line in lines for _ in range(1 + (b'"table":"claims"' in line))],
        UNEQUAL,
    ),
    "a corpus twice": (lambda lines: [*lines, lines[-1]], UNEQUAL),
    "white space in a record": (
        lambda lines: [line.replace(b'{"record":{', b'{"record":{ ', 1) for line in lines],
        "a record is not in canonical form",
    ),
    "white space in a blob": (
        lambda lines: [line.replace(b'"n":0', b'"n": 0', 1) for line in lines],
        "a line of the archive is not in canonical form",
    ),
    "a blob part that is too long": (
        lambda lines: [
            row_line("blobs", BlobPart("f" * 64, 0, b"x" * (BLOB_BYTES + 1))) if n == 0 else line
            for n, line in enumerate(lines)
        ],
        "a line of the archive does not have its form",
    ),
    "a blob without bytes": (
        lambda lines: [line.replace(b'"content":', b'"contents":', 1) for line in lines],
        "a line of the archive does not have its form",
    ),
    "a long record that is nowhere": (
        lambda lines: [re.sub(rb'^{"blob":{"sha256":".', b'{"blob":{"sha256":"_', line) for line in lines],
        "a line of the archive does not have its form",
    ),
    "a long record of another size": (
        lambda lines: [re.sub(rb'^({"blob":.*"size_bytes":)', rb"\g<1>1", line) for line in lines],
        "a part of a blob is missing",
    ),
}


@pytest.mark.parametrize(("change", "message"), FORGERIES.values(), ids=FORGERIES.keys())
def test_forged_archive_is_refused_and_never_seen(
    history_archive: bytes, change: Callable[[list[bytes]], list[bytes]], message: str
) -> None:
    """With all sums made again it opens, but no corpus comes of it; the true archive can be imported afterwards."""
    store = Store(MemoryEngine())
    archive = opened(forged(history_archive, change))
    with pytest.raises(Corrupt, match=message):
        import_archive(store, archive)
    assert store.corpora() == []
    import_bytes(store, history_archive)
    assert export_bytes(store) == history_archive
    assert validate(store, CORPUS).findings == ()


def test_forged_sums_and_forms_are_refused_at_the_first_reading(small_archive: bytes) -> None:
    """A header that states other counts or another digest, or has white space; tables in another order."""
    counts = orjson.loads(small_archive.splitlines()[0])["header"]["rows"]
    refused(forged(small_archive, list, rows=counts | {"claims": 1}))
    refused(forged(small_archive, list, rows={**counts, "other": 0}))
    refused(forged(small_archive, list, corpus_digest="0" * 64))
    refused(forged(small_archive, lambda lines: lines[::-1]))
    first, *lines, last = small_archive.splitlines(keepends=True)
    spaced = first.replace(b'"header":', b'"header": ')
    end = orjson.loads(last)["trailer"] | {"header_sha256": sha256_hex(spaced)}
    refused(b"".join((spaced, *lines, canonical_json({"trailer": end}) + b"\n")))


def test_archive_whose_header_names_another_corpus_is_refused(history_archive: bytes) -> None:
    """A corpus cannot be renamed by editing the header; an id that is none is refused as such."""
    for corpus, error in (("other", Corrupt), ("", UsageError), ("a\nb", UsageError)):
        store = Store(MemoryEngine())
        with pytest.raises(error):
            import_bytes(store, forged(history_archive, list, corpus_id=corpus))
        assert store.corpora() == []
