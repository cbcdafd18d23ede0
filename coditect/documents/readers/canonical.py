r"""From bytes to characters, and from characters to canonical text.

Canonical text is NFC, has ``\n`` as its only line end, and holds no control character but the tab. Removed: C0 and C1
controls, DEL, U+FEFF and the soft hyphen U+00AD, none of which a reader of the document sees; the last two are counted, for
:func:`counting_removed`. Line separators of every kind (CR, VT, FF, NEL, U+2028, U+2029) become ``\n``. NBSP and other
visible-width spaces stay, because a quote must be found in the source as it stands there, and so do all other characters that
print nothing: words are matched without them (:mod:`coditect.language.matched`). Lone surrogates become U+FFFD, since text must be
encodable.

Every step is linear in the length of the text.
"""

from __future__ import annotations

import codecs
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from coditect.errors import ReadError

__all__ = ["canonicalize", "collapse", "counting_removed", "decode"]

_JOINERS = {"\xad": "soft hyphen", "\ufeff": "zero-width no-break space (U+FEFF)"}
# Of the file that is read at the moment: made canonical in many small pieces, by every reader.
_removed: ContextVar[Counter[str] | None] = ContextVar("removed", default=None)

_DROPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\ufeff]+")
_DROPPED_ASCII = re.compile("[\x00-\x08\x0e-\x1f\x7f]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = re.compile("[ \t\n]+")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_CONTROL_BYTES = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\x1b") + b"\x7f"
# The encodings that real HTML declares. Anything else that Python knows (punycode, unicode_escape) is slow or unsafe.
_DECLARABLE = re.compile(
    r"(iso-?8859-\d{1,2}|latin-?1|windows-\d{3,4}|cp\d{3,4}|shift_jis|euc-(jp|kr)|gb2312|gbk|gb18030|big5|koi8-[ru])",
    re.ASCII | re.IGNORECASE,
)
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_MAX_GARBAGE = 0.05

# Unicode Standard Annex #15, UAX15-D3: no text of any language has more than 30 non-starters in a row. Longer runs are
# cut there, because canonical reordering is quadratic in the length of a run.
_MAX_MARKS = 30


@cache
def _mark_run(astral: bool) -> re.Pattern[str]:
    """A pattern for over-long runs of combining marks; the marks beyond the basic plane cost more and are rare."""
    last = sys.maxunicode if astral else 0xFFFF
    marks = "".join(re.escape(chr(c)) for c in range(0x300, last + 1) if unicodedata.combining(chr(c)))
    return re.compile(f"([{marks}]{{{_MAX_MARKS}}})[{marks}]+")


def canonicalize(text: str) -> str:
    """Canonical text; idempotent, linear in ``len(text)``.

    Args:
        text: any string, lone surrogates included.

    Returns:
        NFC text as the module's docstring says.
    """
    if text.isascii():
        if text.isprintable():  # most headings and cells, at no cost
            return text
        text = _DROPPED_ASCII.sub("", text)
    else:
        if (counts := _removed.get()) is not None:
            for each in _JOINERS:
                counts[each] += text.count(each)
        text = _SURROGATE.sub("\ufffd", _DROPPED.sub("", text))
        for line_break in "\x85\u2028\u2029":
            text = text.replace(line_break, "\n")
        cut = _mark_run(_ASTRAL.search(text) is not None)
        # Cut again afterwards: a single mark may decompose into two.
        text = cut.sub(r"\1", unicodedata.normalize("NFC", cut.sub(r"\1", text)))
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\v", "\n").replace("\f", "\n")


@contextmanager
def counting_removed() -> Iterator[Callable[[], tuple[str, ...]]]:
    """Count the soft hyphens and the like that are removed in the block; what it gives tells of them, for a file's warnings."""
    counts: Counter[str] = Counter()
    token = _removed.set(counts)
    try:
        yield lambda: tuple(
            f"{counts[each]} {noun}{'s' * (counts[each] > 1)} removed"
            for each, noun in _JOINERS.items()
            if counts[each]
        )
    finally:
        _removed.reset(token)


def collapse(text: str) -> str:
    """Runs of spaces, tabs and line ends as one space, none at the ends; NBSP is not white space here."""
    if "  " not in text and "\n" not in text and "\t" not in text:
        return text.strip(" ")
    return _SPACES.sub(" ", text).strip(" ")


def decode(raw: bytes, name: str, declared: str = "") -> tuple[str, tuple[str, ...]]:
    """Characters of a text file: by its byte order mark, else UTF-8, else as the file declares, else windows-1252.

    Bytes that are UTF-8 apart from a few damaged characters are not taken for windows-1252, which would garble all the
    sound ones: the damaged become U+FFFD.

    Args:
        raw: the file.
        name: its relative name, for messages.
        declared: an encoding that the file names itself, or "".

    Returns:
        the characters (not canonical yet), and warnings that say what was guessed or replaced.

    Raises:
        ReadError: NULs, or more than 5 % control or undecodable characters; or nothing but white space.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            text, warnings = _decode_as(raw[len(mark) :], encoding)
            break
    else:
        if b"\0" in raw:
            raise _garbage(name, "it holds NUL bytes")
        text, warnings = _decode_unmarked(raw, declared)
    undecodable = text.count("\ufffd") if warnings else 0
    controls = sum(text.count(chr(b)) for b in _CONTROL_BYTES)
    if undecodable + controls > _MAX_GARBAGE * len(text):
        raise _garbage(name, f"{undecodable + controls} of {len(text)} characters are controls or cannot be decoded")
    if not text or text.isspace():
        raise ReadError("the file holds only white space", hint="Leave it out, or restore its content.", name=name)
    return text, warnings


def _garbage(name: str, reason: str) -> ReadError:
    return ReadError(
        "not text although its name says so",
        hint="Save it as UTF-8 if it is text in another encoding; else give it the suffix of its real format.",
        name=name,
        reason=reason,
    )


def _decode_as(raw: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    try:
        return raw.decode(encoding), ()
    except UnicodeDecodeError as error:
        before = raw.decode(encoding, "ignore").count("\ufffd")
        text = raw.decode(encoding, "replace")
        count = text.count("\ufffd") - before
        label = encoding[:6].rstrip("-").upper()
        return text, (f"invalid {label} at byte {error.start}: {count} characters replaced by U+FFFD",)


def _decode_unmarked(raw: bytes, declared: str) -> tuple[str, tuple[str, ...]]:
    text, warnings = _decode_as(raw, "utf-8")
    if not warnings:
        return text, ()
    # More sound multi-byte characters than damaged ones: this was UTF-8 once.
    damaged = text.count("\ufffd")
    sound = sum(1 for c in text if c > "\x7f") - damaged if len(raw) != len(text) else 0
    if sound > damaged:
        return text, warnings
    at = warnings[0].split(":")[0]
    for encoding in (declared if _DECLARABLE.fullmatch(declared) else "", "windows-1252"):
        if not encoding:
            continue
        try:
            guess = raw.decode(encoding)
        except (UnicodeError, LookupError):
            continue
        count = len(guess) - sum(map(guess.count, map(chr, range(128))))
        return guess, (f"{at}: read as {encoding.lower()} ({count} characters)",)
    return text, warnings
