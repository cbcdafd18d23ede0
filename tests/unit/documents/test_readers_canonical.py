"""Decoding and canonical text."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.documents.readers.canonical import canonicalize, collapse, decode
from coditect.errors import ReadError

_ANY_TEXT = st.text(st.characters(), max_size=60) | st.text(
    "e\u0301\u0323\u00ad\ufeff\r\n\x00\x85\u2028\u0344\u1100\u1161", max_size=80
)


@given(_ANY_TEXT)
def test_canonicalize_is_idempotent_nfc_and_free_of_controls(text: str) -> None:
    """Canonical text does not change when it is made canonical again, whatever it was made from."""
    once = canonicalize(text)
    assert canonicalize(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n" for c in once)
    once.encode()


def test_canonicalize_composes_across_removed_characters() -> None:
    """A soft hyphen between a letter and its accent does not keep them apart."""
    assert canonicalize("e\u00ad\u0301") == "\u00e9"


def test_canonicalize_maps_every_line_end_to_one_newline() -> None:
    """CRLF, CR, VT, FF, NEL, LS and PS are one line end each; CR NUL LF is one as well."""
    assert canonicalize("a\r\nb\rc\vd\fe\x85f\u2028g\u2029h\r\x00\ni") == "a\nb\nc\nd\ne\nf\ng\nh\ni"


def test_canonicalize_keeps_tabs_and_no_break_spaces() -> None:
    """A quote must be found in the source as it stands there."""
    assert canonicalize("a\tb\u00a0c") == "a\tb\u00a0c"
    assert collapse(" a \t\n b\u00a0c ") == "a b\u00a0c"


@pytest.mark.parametrize("unit", ["\u0301\u0323", "e\u0301 ", "word \u00e9", "a", "\u0344"])
def test_canonicalize_is_linear_in_hostile_text(unit: str) -> None:
    """Eight million characters of anything, runs of combining marks included, take seconds."""
    begin = time.process_time()
    canonicalize(unit * (8_000_000 // len(unit)))
    assert time.process_time() - begin < 15


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"\xef\xbb\xbfcaf\xc3\xa9", "caf\u00e9"),
        (b"\xff\xfec\x00\xe9\x00", "c\u00e9"),
        (b"\xfe\xff\x00c\x00\xe9", "c\u00e9"),
        (b"plain", "plain"),
    ],
)
def test_decode_honours_byte_order_marks(raw: bytes, text: str) -> None:
    """A byte order mark decides, and leaves no trace and no warning."""
    assert decode(raw, "a.txt") == (text, ())


def test_decode_reads_stray_bytes_as_windows_1252_and_says_so() -> None:
    """A file that is no UTF-8 is read as windows-1252, with the place and the number of characters."""
    text, warnings = decode(b"\x93shall\x94 applies to the caf\xe9", "a.txt")
    assert text == "\u201cshall\u201d applies to the caf\u00e9"
    assert warnings == ("invalid UTF-8 at byte 0: read as windows-1252 (3 characters)",)


def test_decode_replaces_damage_in_real_utf8() -> None:
    """One damaged byte does not garble the accents of a whole UTF-8 file."""
    text, warnings = decode("\u00e9\u00e8\u00ea and more text to read ".encode() + b"\xff end", "a.txt")
    assert text == "\u00e9\u00e8\u00ea and more text to read \ufffd end"
    assert warnings == ("invalid UTF-8 at byte 29: 1 characters replaced by U+FFFD",)


def test_decode_uses_a_declared_encoding_only_if_it_is_harmless() -> None:
    """HTML may name its encoding; Python's own codecs cannot be named."""
    raw = "\u0431\u0443\u043c\u0430\u0433\u0430".encode("windows-1251")
    assert decode(raw, "a.html", "windows-1251")[0] == "\u0431\u0443\u043c\u0430\u0433\u0430"
    assert "windows-1252" in decode(raw, "a.html", "unicode_escape")[1][0]


@pytest.mark.parametrize(
    "raw", [b"a\x00b", bytes(range(1, 32)) * 9 + b"text", b"\x81\x8d" * 20, b"\xff\xfe\x00\xd8" * 9]
)
def test_decode_refuses_binary_garbage(raw: bytes) -> None:
    """NULs, and many control or undecodable characters, are no text."""
    with pytest.raises(ReadError, match="not text although its name says so"):
        decode(raw, "a.txt")


def test_decode_refuses_white_space() -> None:
    """A file of blanks says nothing."""
    with pytest.raises(ReadError, match="only white space") as caught:
        decode(b" \r\n\t ", "a.txt")
    assert caught.value.hint
    assert caught.value.context["name"] == "a.txt"
