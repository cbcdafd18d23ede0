"""What a signed note and a signing key are allowed to be."""

from __future__ import annotations

from base64 import b64encode

import pytest

from coditect.errors import InvalidProof, UsageError
from coditect.transparency.notes import Note, Signature, SigningKey

KEY = SigningKey("log.example.com/audit", bytes(range(32)))
LINE = Signature("a", b"1234", b"5")


def test_note_may_be_a_million_bytes_long_and_no_longer() -> None:
    """Whoever looks at one pays little for it."""
    rest = len(str(Note("", (LINE,))).encode())
    longest = Note("x" * (1_000_000 - rest - 1) + "\n", (LINE,))
    assert Note.parse(str(longest).encode()) == longest
    with pytest.raises(InvalidProof, match="too long"):
        Note.parse(str(Note("x" + longest.text, (LINE,))).encode())


def test_note_may_have_a_hundred_signatures_and_no_more() -> None:
    """Each of them could have to be verified."""
    assert len(Note.parse(str(Note("text\n", (LINE,) * 100)).encode()).signatures) == 100
    with pytest.raises(InvalidProof, match="too long"):
        Note.parse(str(Note("text\n", (LINE,) * 101)).encode())


@pytest.mark.parametrize(
    "raw", [b"", b"text\n", b"text\n\n", "text\n\n— a MTIzNDU=".encode(), "te\txt\n\n— a MTIzNDU=\n".encode(), b"\xff"]
)
def test_text_without_a_signature_is_no_note(raw: bytes) -> None:
    """Without signatures, with a last line that is cut, with control characters, or in another encoding."""
    with pytest.raises(InvalidProof):
        Note.parse(raw)


@pytest.mark.parametrize(
    "line", ["- a MTIzNDU=", "— a+b MTIzNDU=", "—  MTIzNDU=", "— a MTIzNA==", "— a MTIzNDV=", "— a b MTIzNDU="]
)
def test_signature_line_has_a_dash_a_name_and_more_than_an_id(line: str) -> None:
    """Four bytes name the key, and at least one signs; no other spelling of the same bytes will do."""
    assert Note.parse("text\n\n— a MTIzNDU=\n".encode()).signatures == (LINE,)
    with pytest.raises(InvalidProof):
        Note.parse(f"text\n\n{line}\n".encode())


def test_signing_key_is_read_from_its_text_and_from_nothing_like_it() -> None:
    """Without its prefix, with a seed of another length, of another kind, or with the id of another key it is none."""
    text = KEY.secret_text()
    assert SigningKey.parse(f"  {text}\n".lstrip()) == KEY
    prefix, key_id = text.rpartition("+")[0].rpartition("+")[0], KEY.key.key_id.hex()

    def spelled(kind: int, seed: bytes, own_id: str = key_id) -> str:
        return f"{prefix}+{own_id}+{b64encode(bytes((kind,)) + seed).decode()}"

    assert SigningKey.parse(spelled(1, KEY.seed)) == KEY
    for wrong in (
        text.removeprefix("PRIVATE+KEY+"),
        spelled(4, KEY.seed),
        spelled(1, KEY.seed[:-1]),
        spelled(1, KEY.seed + b"x"),
        spelled(1, KEY.seed, "00000000"),
        spelled(1, b""),
        "",
    ):
        with pytest.raises(UsageError):
            SigningKey.parse(wrong)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\tb", "a\x1fb", "a\u2003b"])
def test_name_of_a_key_has_neither_spaces_nor_plus(name: str) -> None:
    """It stands between spaces in a note, and between plus signs in a key."""
    with pytest.raises(UsageError):
        _ = SigningKey(name, bytes(32)).key
    assert SigningKey("a!b", bytes(32)).key.name == "a!b"
