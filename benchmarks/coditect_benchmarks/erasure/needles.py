"""A search for runs of words that shares no code with the one of the erasure: words as they are, in sets, one after the other.

It looks at texts, at the rows of a store, at the raw bytes of any file, and into what is packed: compressed values are carved out
of a store's file wherever one begins, also in pages that the store has freed, and members of zip containers are unpacked.
"""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib.resources import files
from itertools import islice
from pathlib import Path

import zstandard

from coditect.keyspace.compression import DICTIONARIES, LONGEST_BYTES
from coditect.store.store import Store

__all__ = ["RUN", "Needles", "fragments_of"]

RUN = 6
"""Words of a run."""

_WORD = re.compile(r"[^\W_]+")
_MAGIC = b"\x28\xb5\x2f\xfd"
_BASE64 = re.compile(rb"[A-Za-z0-9+/=\n]{200,}")


def fragments_of(gone: Iterable[bytes], others: Iterable[bytes], size_bytes: int = 48) -> Iterator[bytes]:
    """From each of some files the middlemost bytes that stand in no other one; nothing of a file that has none."""
    rest = b"\0".join(others)
    for data in gone:
        places = sorted(range(0, len(data) - size_bytes, 16), key=lambda at: abs(at - len(data) // 2))
        yield from islice((data[at : at + size_bytes] for at in places if data[at : at + size_bytes] not in rest), 1)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _runs(words: list[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[n:] for n in range(RUN)), strict=False)


class Needles:
    """Runs of words that stand in some texts and in no others.

    Args:
        gone: the texts whose runs are looked for.
        others: texts whose runs are not.
        fragments: bytes of files in which words are packed, that no other file has.

    Attributes:
        runs: what is looked for.
    """

    def __init__(self, gone: Iterable[str], others: Iterable[str], fragments: Iterable[bytes] = ()) -> None:
        self.fragments = tuple(fragments)
        self.runs = {run for text in gone for run in _runs(_words(text))}
        for text in others:
            self.runs.difference_update(_runs(_words(text)))
        # A run has a word that few texts have: only texts with one of those are looked at word by word.
        self._inner = {run[3] for run in self.runs}

    def in_text(self, text: str) -> int:
        """How many different runs stand in a text."""
        words = _words(text)
        if self._inner.isdisjoint(words):
            return 0
        return len(self.runs.intersection(_runs(words)))

    def in_bytes(self, data: bytes) -> int:
        """The same of bytes, read as UTF-8 and as UTF-16 of both alignments; escapes of JSON count as space."""
        text = re.sub(r"\\[nrt\"/\\]|\\u00[0-9a-f]{2}", " ", data.decode("utf-8", "replace"))
        wide = (data[n : n + (len(data) - n) // 2 * 2].decode("utf-16-le", "replace") for n in (0, 1))
        found = self.in_text(text) + sum(each in data for each in self.fragments)
        return found + (sum(map(self.in_text, wide)) if b"\0" in data else 0)

    def in_rows(self, store: Store) -> Counter[str]:
        """Rows that hold a run, by table: keys, and values unpacked."""
        found: Counter[str] = Counter()
        for page in store.pages(*store.keys.space, limit=64):
            for key, value in page:
                if self.in_bytes(key) or any(map(self.in_bytes, _unpacked(value))):
                    found[store.keys.table_of(key) or "other"] += 1
        return found

    def in_file(self, path: Path) -> int:
        """Runs in a file: in its bytes, in compressed values that begin anywhere in it, in base64, in members of a container."""
        data = path.read_bytes()
        found = self.in_bytes(data)
        found += sum(self.in_bytes(each) for each in _carved(data))
        found += sum(self.in_bytes(_decoded(each)) for each in _BASE64.findall(data))
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(io.BytesIO(data)) as container:
                found += sum(self.in_bytes(container.read(name)) for name in container.namelist())
        return found

    def in_folder(self, folder: Path) -> dict[str, int]:
        """Files below a folder that hold runs, with how many."""
        paths = sorted(each for each in folder.rglob("*") if each.is_file()) if folder.is_dir() else [folder]
        counts = {str(each): self.in_file(each) for each in paths if each.exists()}
        return {path: count for path, count in counts.items() if count}


def _unpacked(value: bytes) -> Iterator[bytes]:
    yield value
    begin = value.find(_MAGIC)
    while begin >= 0:
        yield from _frames(value[begin:])
        begin = value.find(_MAGIC, begin + 1)


def _decoded(text: bytes) -> bytes:
    """What base64 says, as far as it is some."""
    digits = text.replace(b"\n", b"").partition(b"=")[0]
    return base64.b64decode(digits[: len(digits) // 4 * 4])


def _carved(data: bytes) -> Iterator[bytes]:
    begin = data.find(_MAGIC)
    while begin >= 0:
        yield from _frames(data[begin : begin + LONGEST_BYTES])
        begin = data.find(_MAGIC, begin + 1)


def _dictionaries() -> Iterator[zstandard.ZstdDecompressor]:
    yield zstandard.ZstdDecompressor()
    for name in DICTIONARIES.values():
        data = (files("coditect.keyspace") / "dictionaries" / f"{name}.zdict").read_bytes()
        yield zstandard.ZstdDecompressor(zstandard.ZstdCompressionDict(data))


_READERS = tuple(_dictionaries())


def _frames(data: bytes) -> Iterator[bytes]:
    """What the beginning of some bytes is when it is unpacked, with each dictionary that makes anything of it."""
    for reader in _READERS:
        try:
            with closing(reader.stream_reader(io.BytesIO(data), read_across_frames=False)) as stream:
                yield stream.read(LONGEST_BYTES)
        except zstandard.ZstdError:
            continue
