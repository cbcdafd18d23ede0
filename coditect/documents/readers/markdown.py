"""Markdown: the readable text without the markup, with headings, lists, tables, quotes and code as blocks.

CommonMark and GitHub tables are parsed by markdown-it-py; this module walks its tokens. Template files are welcome:
``{{name}}`` stays as text, and lines that hold only section tags (Mustache, Jinja) are left out before parsing, as both
languages do for standalone tags. A line such as "##Scope", without a blank behind its two marks or more, is a heading where it
begins a block: Markdown.pl and GitHub before 2017 took it so, and policies of that time are written so. CommonMark does not.
A document that writes its headings so has them inside of paragraphs and items, too: such a line parts them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from coditect.documents.readers.canonical import canonicalize, decode
from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.layout import LayoutWriter
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.readers.text.front_matter import read_front_matter
from coditect.documents.readers.text.nesting import nested_items
from coditect.documents.source import BlockKind, SourceText
from coditect.documents.unseen import Unseen

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["read", "read_text"]

_READER = "markdown/6"
_MEDIA_TYPE = "text/markdown"
# Nobody writes a line of a megabyte; a parser that works character by character would take minutes over it.
_MAX_LINE_CHARS = 1_000_000
_SECTION_TAG = re.compile(r"(?:\{\{[#/^!][^{}\n]*\}\}|\{%[^%\n]*%\}|\{#[^#\n]*#\})")
_ENUMERATED = re.compile(r"\((?:[A-Za-z]{1,2}|[ivxIVX]{1,6}|\d{1,3})\)[ \u00a0]\S")
_LETTERED = re.compile(r"([a-z]|[ivx]{1,5})[.)][ \u00a0]\S")
_ROWS_OF_LETTERS = (
    tuple("abcdefghijklmnopqrstuvwxyz"),
    ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv"),
)
_FEWEST_LETTERED = 2
_UNSPACED = re.compile(r" {0,3}(#{2,6})(?=[^\W_])")
_FEWEST_UNSPACED = 2
"""Headings without a blank that tell how a document writes them, at least."""
_RUNS = re.compile("[ \t]+")
_MARKUP = re.compile(r"[\\`*_\[\]<>&!~]")


def read(raw: bytes, name: str, limits: ReadLimits) -> SourceText:
    """Read a Markdown file, or a Mustache or Jinja template of one.

    Args:
        raw: the bytes of the file.
        name: its relative name.
        limits: the bounds on what is read.

    Raises:
        ReadError: not text, no text left, or too long.
    """
    text, warnings = decode(raw, name)
    return read_text(canonicalize(text), name, limits, warnings, unspaced=True)


def read_text(
    text: str,
    name: str,
    limits: ReadLimits,
    warnings: tuple[str, ...] = (),
    media_type: str = _MEDIA_TYPE,
    reader: str = _READER,
    *,
    unspaced: bool = False,
) -> SourceText:
    """Read Markdown that is characters already.

    Args:
        text: canonical text with markup.
        name: the relative file name.
        limits: the bounds on what is read.
        warnings: what decoding has to say.
        media_type: IANA media type of the file.
        reader: name and version of the reader.
        unspaced: whether somebody wrote the marks, who may have left out the blank behind those of a heading, or some of those in
            front of an item that is inside of another.

    Raises:
        ReadError: no text left, or too long.
    """
    front = read_front_matter(text)
    lines = front.body.split("\n")
    writer = LayoutWriter(name, limits)
    for told in front.lines:
        writer.add(told, "table_row")
    longest = max(map(len, lines))
    if longest > _MAX_LINE_CHARS:
        warnings = (*warnings, f"a line of {longest} characters: read as plain text, markup kept")
        for paragraph in re.split(r"\n\n+", front.body):
            writer.add(paragraph, "paragraph", keep_lines=True)
        return writer.finish(media_type, reader, title=front.title, warnings=warnings)
    lines = [line for line in lines if not _is_section_tag(line)]
    body = "\n".join(nested_items(lines) if unspaced else lines)
    try:
        tokens = _parser().parse(body)
        walk = _TokenWalk(writer, unspaced=unspaced, throughout=unspaced and _writes_unspaced(tokens))
        walk.blocks(tokens)
    except LIBRARY_FAILURES as error:
        raise broken("the Markdown cannot be parsed", name, error, "Save the file as plain text.") from error
    return writer.finish(
        media_type, reader, title=front.title or walk.title, warnings=(*warnings, *walk.unseen.warnings())
    )


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    # Inline markup is parsed on demand: most headings and cells have none.
    return MarkdownIt("commonmark").enable("table").disable("inline")


@cache
def _inline_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("strikethrough")


def _is_section_tag(line: str) -> bool:
    """Whether the line holds only tags that print nothing."""
    if "{{" not in line and "{%" not in line and "{#" not in line:
        return False
    return bool(line.strip()) and not _SECTION_TAG.sub("", line).strip()


def _writes_unspaced(tokens: Sequence[Token]) -> bool:
    """Whether a document writes its headings without a blank behind their marks: several of them, and most of all."""
    unspaced = sum(token.type == "inline" and _UNSPACED.match(token.content) is not None for token in tokens)
    spaced = sum(token.type == "heading_open" and token.markup.startswith("##") for token in tokens)
    return unspaced >= _FEWEST_UNSPACED and unspaced > spaced


class _TokenWalk:
    """Walks block tokens; keeps the stack of lists and quotes."""

    def __init__(self, writer: LayoutWriter, *, unspaced: bool, throughout: bool) -> None:
        self.title = ""  # the first level 1 heading, else a heading that opens the document
        self._title_level = 7
        self.unseen = Unseen()
        self._writer = writer
        self._opening = writer.written  # what front matter told stands in front of the document
        self._unspaced = unspaced
        self._throughout = throughout
        self._lists: list[int | None] = []  # the next number of each open list; None for bullets
        self._marks: list[str] = []  # delimiter after the number
        self._quotes = 0
        self._pending = ""  # an item's enumerator, waiting for its first text
        self._fresh_item = False
        self._row: list[str] | None = None
        self._heading = 0

    def blocks(self, tokens: Sequence[Token]) -> None:
        """Write the blocks of a token stream."""
        for token in tokens:
            kind = token.type
            if kind == "inline":
                self._inline(token.content)
            elif kind in ("code_block", "fence"):
                self._writer.add(token.content, "code", keep_lines=True)
            elif kind == "html_block":
                self._html(token.content)
            elif kind == "heading_open":
                self._heading = int(token.tag[1:])
            elif kind == "heading_close":
                self._heading = 0
            elif kind in ("blockquote_open", "blockquote_close"):
                self._quotes += token.nesting
            elif kind in ("tr_open", "tr_close"):
                self._table_row(kind)
            else:
                self._list(token)

    def _list(self, token: Token) -> None:
        if token.type in ("ordered_list_open", "bullet_list_open"):
            start = token.attrGet("start")  # absent when it is 1; 0 is a number of its own
            first = 1 if start is None else int(start)
            self._lists.append(first if token.type.startswith("ordered") else None)
            self._marks.append(token.markup)
        elif token.type in ("ordered_list_close", "bullet_list_close"):
            self._lists.pop()
            self._marks.pop()
        elif token.type == "list_item_open":
            number = self._lists[-1]
            self._fresh_item = True
            self._pending = ""
            if number is not None:
                self._pending = f"{number}{self._marks[-1]} "
                self._lists[-1] = number + 1
        elif token.type == "list_item_close":
            self._fresh_item = False
            self._pending = ""

    def _table_row(self, kind: str) -> None:
        if kind == "tr_open":
            self._row = []
        elif self._row is not None:
            if any(self._row):
                self._writer.add(" | ".join(self._row), "table_row")
            self._row = None

    def _inline(self, content: str) -> None:
        if self._row is not None:
            self._row.append(_readable(content).replace("\n", " ").strip())
        elif self._heading:
            self._add_heading(content, self._heading)
        else:
            rest = self._unspaced_headings(content) if self._unspaced and not self._lists else content
            first, *pieces = _parted(rest) if self._throughout else [rest]
            for piece in chain((first,), map(self._unspaced_headings, pieces)):  # each where it stands
                if piece:
                    self._paragraph(_readable(piece))

    def _add_heading(self, content: str, level: int) -> None:
        text = _readable(content)
        if level < self._title_level and (level == 1 or self._writer.written == self._opening):
            self.title, self._title_level = text, level
        self._writer.add(text, "heading", level)

    def _unspaced_headings(self, content: str) -> str:
        """Write the headings that a paragraph begins with, "##Scope"; what is left of it."""
        at = 0
        while found := _UNSPACED.match(content, at):
            end = content.find("\n", found.end())
            end = end if end >= 0 else len(content)
            self._add_heading(_unclosed(content[found.end() : end]), len(found[1]))
            at = end + 1
        return content[at:]

    def _paragraph(self, text: str) -> None:
        depth = len(self._lists)
        for n, piece in enumerate(_split_enumerated(text)):
            if self._fresh_item and n == 0:
                self._writer.add(self._pending + piece, "list_item", min(depth, 99), keep_lines=True)
                self._fresh_item, self._pending = False, ""
            elif _ENUMERATED.match(piece) or (n and _LETTERED.match(piece)):
                self._writer.add(piece, "list_item", depth + 1, keep_lines=True)
            else:
                kind: BlockKind = "quote" if self._quotes and not depth else "paragraph"
                self._writer.add(piece, kind, keep_lines=True)

    def _html(self, content: str) -> None:
        from coditect.documents.readers.html.reader import visible_blocks

        for kind, level, text in visible_blocks(content, self.unseen):
            self._writer.add(text, kind, level, keep_lines=True)


def _parted(content: str) -> list[str]:
    """A paragraph before each of its lines that is a heading without a blank; its first line begins the first piece."""
    pieces: list[str] = []
    for line in content.split("\n"):
        if pieces and _UNSPACED.match(line) is None:
            pieces[-1] += f"\n{line}"
        else:
            pieces.append(line)
    return pieces if len(pieces) > 1 else [content]


def _unclosed(text: str) -> str:
    """A heading without the marks that close it: "Scope ##"; "C#" has none."""
    text = text.rstrip()
    bare = text.rstrip("#")
    return bare.rstrip() if len(text) - len(bare) > 1 or bare != bare.rstrip() else text


def _split_enumerated(text: str) -> list[str]:
    """Lines joined by a space, except where a line starts with an enumerator such as "(a)" or after a hard break."""
    pieces: list[str] = []
    lines = [_RUNS.sub(" ", raw).strip(" ") for raw in text.split("\n")]
    lettered = _lettered(lines)
    for number, line in enumerate(lines):
        if pieces and not (number in lettered or _ENUMERATED.match(line)):
            pieces[-1] = f"{pieces[-1]} {line}"
        else:
            pieces.append(line)
    return [piece.replace("\r", "\n") for piece in pieces]


def _lettered(lines: Sequence[str]) -> frozenset[int]:
    """The lines that begin with letters or numerals in a row, "a. ", "b. ", which are no items to CommonMark."""
    found = [(number, match[1]) for number, line in enumerate(lines) if (match := _LETTERED.match(line))]
    for row in _ROWS_OF_LETTERS:
        if len(found) >= _FEWEST_LETTERED and tuple(letter for _, letter in found) == row[: len(found)]:
            return frozenset(number for number, _ in found)
    return frozenset()


def _readable(content: str) -> str:
    r"""Text of inline Markdown: soft breaks as ``\n``, hard breaks as ``\r`` until the paragraph is put together."""
    if not _MARKUP.search(content) and "  \n" not in content:
        return content
    root = _inline_parser().parseInline(content)[0]
    parts: list[str] = []
    for token in root.children or ():
        if token.type in ("softbreak", "hardbreak"):
            parts.append("\n" if token.type == "softbreak" else "\r")
        elif token.type == "html_inline":
            if token.content[:3].lower() == "<br":
                parts.append("\r")
        else:  # text, code, and the alternative text of an image; opening and closing tokens have no content
            parts.append(token.content)
    return "".join(parts)
