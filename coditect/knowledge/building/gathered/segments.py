"""Segments: files in which shares lie one behind the other, mapped into memory; what a change leaves alone is linked.

Beside each lie the columns of its shares (:mod:`~coditect.tiers.shares.joined.columns`).
"""

from __future__ import annotations

import json
import mmap
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import orjson

from coditect.errors import Corrupt
from coditect.knowledge.building.gathered.kept import Source
from coditect.tiers.shares.container import Container, Head
from coditect.tiers.shares.joined.columns import ShareColumns, columns_of
from coditect.tiers.shares.kept import KeptShare, opened
from coditect.tiers.shares.packing import FORMAT

__all__ = ["Heads", "Segments", "mapped"]

_SHARES = "shares.json"
_SIZE = 8

_Lying = tuple[int, int, int, int]
"""(number of a segment, first byte, byte behind the last, number among the shares there) of a share."""


Heads = Mapping[str, tuple[Source, Head]]
"""What was read of shares: of each document what its share was made of, and which parts it has."""


class Segments:
    """The shares in a folder.

    Args:
        folder: where they lie; None: there are none.

    Attributes:
        heads: what was read of shares before, by document: what each was made of, and its parts.

    Raises:
        OSError, ValueError, TypeError: its files are damaged.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.heads: Heads = {}
        self._folder = folder or Path()
        told = {} if folder is None else orjson.loads((folder / _SHARES).read_bytes())
        self._lying: dict[str, _Lying] = {
            name: (int(at), int(a), int(b), int(number)) for name, (at, a, b, number) in told.items()
        }
        count = 1 + max((at for at, *_ in self._lying.values()), default=-1)
        self._files = [mapped(_segment(self._folder, at)) for at in range(count)]
        self._columns = [ShareColumns(mapped(_columns(self._folder, at))) for at in range(count)]
        if any(
            not (0 <= a < b <= len(self._files[at]) and 0 <= number < self._columns[at].count)
            for at, a, b, number in self._lying.values()
        ):
            raise ValueError(_SHARES)

    def share(self, document_id: str, source: Source) -> KeptShare | None:
        """The share of a document, if it lies here and is made of the same.

        Args:
            document_id: of the document.
            source: what it must be made of.
        """
        data, (made_of, head) = self._data(document_id), self.heads.get(document_id, (source, None))
        with suppress(Corrupt):
            if data is not None:
                place, known = self._place(document_id), head if made_of == source else None
                return opened(data, document_id, source, is_known=True, lying=place, head=known)
        return None

    def _data(self, document_id: str) -> memoryview | None:
        lying = self._lying.get(document_id)
        return None if lying is None else self._files[lying[0]][lying[1] : lying[2]]

    def _place(self, document_id: str) -> tuple[ShareColumns, int]:
        at, _, _, number = self._lying[document_id]
        return self._columns[at], number

    def without(self, shares: Sequence[KeptShare]) -> list[KeptShare]:
        """The shares that lie here and are not among some."""
        same = {share.document_id for share in shares if _is_lying(share)}
        gone = {each: self._data(each) for each in self._lying if each not in same}
        return [
            KeptShare(each, Container(FORMAT, data), self._place(each))
            for each, data in gone.items()
            if data is not None
        ]

    def others(self, shares: Sequence[KeptShare]) -> list[KeptShare]:
        """Those of some shares that do not lie here."""
        return [share for share in shares if not _is_lying(share)]

    def write(self, work: Path, shares: Sequence[KeptShare]) -> None:
        """Lay shares into a new folder.

        Args:
            work: the folder.
            shares: of all documents; those that are read from here stay where they are.
        """
        kept = self._link(self._worth_keeping(shares), work)
        number = {at: new for new, at in enumerate(kept)}
        lying: dict[str, _Lying] = {}
        written: list[KeptShare] = []
        with _segment(work, len(kept)).open("wb") as out:
            for share in shares:
                at, first, after, own = self._lying[share.document_id] if _is_lying(share) else (-1, 0, 0, 0)
                if at in number:
                    lying[share.document_id] = number[at], first, after, own
                    continue
                first = out.tell()
                out.write(share.container.data)
                lying[share.document_id] = len(kept), first, out.tell(), len(written)
                out.write(bytes(-out.tell() % _SIZE))
                written.append(share)
        _columns(work, len(kept)).write_bytes(columns_of(written))
        (work / _SHARES).write_text(json.dumps(lying), "ascii")

    def _worth_keeping(self, shares: Sequence[KeptShare]) -> list[int]:
        """The segments that stay, as of vectors (ADR 81): of each most counts, and it is large beside what is written."""
        live: Counter[int] = Counter()
        for share in shares:
            if _is_lying(share):
                live[self._lying[share.document_id][0]] += len(share.container.data)
        kept = [at for at in sorted(live) if live[at] * 4 >= len(self._files[at]) * 3]
        written = sum(len(share.container.data) for share in shares) - sum(live[at] for at in kept)
        while kept and live[kept[-1]] <= 2 * written:
            written += live[kept.pop()]
        return kept

    def _link(self, segments: Sequence[int], work: Path) -> list[int]:
        """Put segments into a new folder without copying them; none where they are not there any more."""
        try:
            for number, at in enumerate(segments):
                for file in (_segment, _columns):
                    os.link(file(self._folder, at), file(work, number))
        except OSError:
            for number in range(len(segments)):
                for file in (_segment, _columns):
                    file(work, number).unlink(missing_ok=True)
            return []
        return list(segments)


def _is_lying(share: KeptShare) -> bool:
    """Whether a share is read where it lies."""
    return isinstance(share.container.data, memoryview)


def _segment(folder: Path, number: int) -> Path:
    return folder / f"{number}.shares"


def _columns(folder: Path, number: int) -> Path:
    return folder / f"{number}.columns"


def mapped(file: Path) -> memoryview:
    """The bytes of a file, which are read when they are looked at.

    Raises:
        OSError: it cannot be opened.
    """
    with file.open("rb") as opened_file:
        if not os.fstat(opened_file.fileno()).st_size:
            return memoryview(b"")
        return memoryview(mmap.mmap(opened_file.fileno(), 0, access=mmap.ACCESS_READ))
