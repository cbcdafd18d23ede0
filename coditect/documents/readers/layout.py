"""Writes blocks one after another and keeps their offsets."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coditect.documents.readers.canonical import canonicalize, collapse
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import Block, BlockKind, PageSpan, Proposal, SourceText
from coditect.errors import ReadError

__all__ = ["LayoutWriter"]

_LINE_KINDS = frozenset({"list_item", "table_row"})


class LayoutWriter:
    """Builds canonical text with blocks: a blank line between blocks, one line end inside a list or a table.

    Each block is made canonical on its own. The whole stays canonical, because blocks are joined by line ends, and
    no character composes with a line end.
    """

    def __init__(self, name: str, limits: ReadLimits) -> None:
        self._name = name
        self._limits = limits
        self._parts: list[str] = []
        self._blocks: list[Block] = []
        self._length = 0
        self._proposed: list[Proposal] = []

    @property
    def written(self) -> int:
        """Blocks that were written so far."""
        return len(self._blocks)

    def add(
        self,
        text: str,
        kind: BlockKind,
        level: int = 0,
        label: str = "",
        *,
        keep_lines: bool = False,
        inserted: Sequence[tuple[str, str, str]] = (),
    ) -> None:
        """Append a block; one without visible text is skipped.

        Args:
            text: its characters, in any form.
            kind: what it is.
            level: 1..6 for headings, depth for list items, columns that go on from above for table rows, else 0.
            label: the id that the format gives.
            keep_lines: keep inner line ends and spaces; else white space collapses to single spaces.
            inserted: (words, author, day) of what tracked changes put in, in order.

        Raises:
            ReadError: the text outgrows ``limits.max_text_chars``.
        """
        text = canonicalize(text)
        text = text.strip("\n").rstrip() if keep_lines else collapse(text)
        if not text or text.isspace():
            return
        if self._blocks:
            tight = kind in _LINE_KINDS and self._blocks[-1].kind == kind
            self._append("\n" if tight else "\n\n")
        start = self._length
        self._append(text)
        self._blocks.append(Block(start, self._length, kind, level, label))
        self._propose(text, start, inserted)

    def _propose(self, text: str, start: int, inserted: Sequence[tuple[str, str, str]]) -> None:
        """Keep where words stand that were inserted; the whole block where they are not found in it as they were written."""
        at = 0
        for said, author, day in inserted:
            words = canonicalize(said).split()
            found = re.compile(r"\s+".join(map(re.escape, words))).search(text, at) if words else None
            span = found.span() if found else (0, len(text))
            at = found.end() if found else at
            last = self._proposed[-1] if self._proposed else None
            begins, ends = start + span[0], start + span[1]
            if last and begins <= last.end + 1 and (last.author, last.day) == (author, day):
                begins, ends = last.start, max(last.end, ends)
                self._proposed.pop()
            self._proposed.append(Proposal(begins, ends, author, day))

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        if self._length > self._limits.max_text_chars:
            raise ReadError(
                "the file holds too much text",
                hint="Split the file, or raise ReadLimits.max_text_chars.",
                name=self._name,
                limit_chars=self._limits.max_text_chars,
            )

    def finish(
        self,
        media_type: str,
        reader: str,
        *,
        title: str = "",
        pages: tuple[PageSpan, ...] = (),
        warnings: tuple[str, ...] = (),
    ) -> SourceText:
        """The text with its blocks.

        Raises:
            ReadError: no block was added.
        """
        if not self._blocks:
            raise ReadError(
                "the file holds no text", hint="Leave it out, or check that it was saved in full.", name=self._name
            )
        return SourceText(
            text="".join(self._parts),
            media_type=media_type,
            title=collapse(canonicalize(title)),
            blocks=tuple(self._blocks),
            pages=pages,
            reader=reader,
            warnings=warnings,
            proposed=tuple(self._proposed),
        )
