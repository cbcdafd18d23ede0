"""Signed notes: a text and lines that sign it. C2SP ``signed-note``, with the private keys of Go's ``sumdb/note``.

::

    text, any number of lines

    — name of the key base64(4 bytes of the key's id, signature)
"""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from coditect.errors import InvalidProof, UsageError
from coditect.transparency.cosignatures import COSIGNATURE, cosigned_message

__all__ = [
    "ED25519",
    "Note",
    "Signature",
    "Signer",
    "SigningKey",
    "VerifierKey",
    "base64_of",
    "open_note",
    "read_base64",
]

ED25519 = 0x01
"""The signature type of an Ed25519 signature over the text. :data:`COSIGNATURE` is that of a witness."""

MOST_BYTES = 1_000_000
MOST_SIGNATURES = 100
"""More of either is refused, so that a note costs whoever looks at it little."""

_KEY_BYTES = 32
_ID_BYTES = 4
_DASH = "— "
_PRIVATE = "PRIVATE+KEY+"


def base64_of(data: bytes) -> str:
    """``data`` in standard base64."""
    return b64encode(data).decode("ascii")


def read_base64(text: str, what: str) -> bytes:
    """The bytes in standard base64, written as they would be written again.

    Args:
        text: the base64.
        what: is read, for the message.

    Raises:
        InvalidProof: it is none.
    """
    try:
        data = b64decode(text, validate=True)
    except (NotBase64, ValueError) as error:
        raise InvalidProof("not base64", what=what) from error
    if base64_of(data) != text:  # two spellings of one value would be two notes that say the same
        raise InvalidProof("not base64", what=what)
    return data


def _require_name(name: str) -> str:
    if not name or "+" in name or any(each.isspace() or ord(each) < ord(" ") for each in name):
        raise UsageError(
            "not a name for a key", name=name, hint="Use one without spaces or '+', e.g. 'log.example.com/audit'."
        )
    return name


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key by name, as who verifies is configured with it.

    Attributes:
        name: of the key; for a log's key, its origin.
        algorithm: the signature type, :data:`ED25519` or :data:`COSIGNATURE`.
        public: 32 bytes.
    """

    name: str
    algorithm: int
    public: bytes

    @property
    def key_id(self) -> bytes:
        """Four bytes that tell keys of one name apart."""
        named = self.name.encode() + b"\n" + bytes((self.algorithm,)) + self.public
        return hashlib.sha256(named).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """The key as text: ``name+id+key``."""
        return f"{self.name}+{self.key_id.hex()}+{base64_of(bytes((self.algorithm,)) + self.public)}"

    @classmethod
    def parse(cls, text: str) -> VerifierKey:
        """The key in a text.

        Raises:
            UsageError: not a verifier key, of an unknown type, or its id is not that of its bytes.
        """
        name, _, rest = text.strip().partition("+")
        key_id, _, encoded = rest.partition("+")
        try:
            data = read_base64(encoded, "key")
            key = cls(_require_name(name), data[0], data[1:])
            if len(key.public) == _KEY_BYTES and key.algorithm in (ED25519, COSIGNATURE) and key.key_id.hex() == key_id:
                return key
        except (InvalidProof, IndexError):
            pass
        raise UsageError(
            "not a verifier key", key=text[:200], hint="Give the line that 'coditect keys new' printed: name+id+key."
        )

    def verifies(self, text: bytes, signature: bytes) -> bool:
        """Whether this key signed a note's text.

        Args:
            text: of the note, with its last line end.
            signature: without the key's id.
        """
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        message = text
        try:
            if self.algorithm == COSIGNATURE:
                message, signature = cosigned_message(text, signature)
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, InvalidProof, ValueError):
            return False
        return True


class Signer(Protocol):
    """What signs: a key in a file, or a program that asks a device."""

    @property
    def key(self) -> VerifierKey:
        """The public part."""
        ...

    def sign(self, text: bytes) -> bytes:
        """The signature over a note's text, without the key's id."""
        ...


@dataclass(frozen=True, slots=True)
class SigningKey:
    """An Ed25519 key in memory.

    Attributes:
        name: of the key.
        seed: the 32 secret bytes; never shown.
    """

    name: str
    seed: bytes = field(repr=False)

    @property
    def key(self) -> VerifierKey:
        """The public part."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        public = Ed25519PrivateKey.from_private_bytes(self.seed).public_key().public_bytes_raw()
        return VerifierKey(_require_name(self.name), ED25519, public)

    def sign(self, text: bytes) -> bytes:
        """The signature over ``text``, 64 bytes; the same each time."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return Ed25519PrivateKey.from_private_bytes(self.seed).sign(text)

    def secret_text(self) -> str:
        """The key with its secret as text: ``PRIVATE+KEY+name+id+seed``."""
        return f"{_PRIVATE}{self.name}+{self.key.key_id.hex()}+{base64_of(bytes((ED25519,)) + self.seed)}"

    @classmethod
    def parse(cls, text: str) -> SigningKey:
        """The key in a text.

        Raises:
            UsageError: it is none; the message does not repeat it.
        """
        name, _, rest = text.strip().removeprefix(_PRIVATE).partition("+")
        key_id, _, encoded = rest.partition("+")
        try:
            data = read_base64(encoded, "key")
            if text.startswith(_PRIVATE) and data[0] == ED25519 and len(data) == 1 + _KEY_BYTES:
                key = cls(name, data[1:])
                if key.key.key_id.hex() == key_id:
                    return key
        except (InvalidProof, IndexError):
            pass
        raise UsageError("not a signing key", hint="Give a file that 'coditect keys new' wrote.")


@dataclass(frozen=True, slots=True)
class Signature:
    """A line that signs.

    Attributes:
        name: of the key.
        key_id: four bytes.
        data: the signature.
    """

    name: str
    key_id: bytes
    data: bytes

    @property
    def line(self) -> str:
        """The line, without its end."""
        return f"{_DASH}{self.name} {base64_of(self.key_id + self.data)}"


@dataclass(frozen=True, slots=True)
class Note:
    """A text and what signs it; nothing of it is verified by being parsed.

    Attributes:
        text: ends with a line end.
        signatures: in the order of their lines.
    """

    text: str
    signatures: tuple[Signature, ...] = ()

    def __str__(self) -> str:
        """The note as it is sent."""
        return self.text + "\n" + "".join(each.line + "\n" for each in self.signatures)

    def signed_by(self, signers: Iterable[Signer]) -> Note:
        """The note with more signatures."""
        text = self.text.encode()
        more = [Signature(each.key.name, each.key.key_id, each.sign(text)) for each in signers]
        return Note(self.text, (*self.signatures, *more))

    @classmethod
    def parse(cls, raw: bytes) -> Note:
        """The note in these bytes.

        Raises:
            InvalidProof: not a note: no signature, or more than a note is allowed to hold.
        """
        try:
            whole = raw.decode()
        except UnicodeDecodeError as error:
            raise InvalidProof("a signed note is not UTF-8") from error
        text, blank, lines = whole.rpartition("\n\n")
        signatures = [_signature(line) for line in lines.removesuffix("\n").split("\n")] if lines else []
        control = any(each < " " and each != "\n" for each in whole)
        if not blank or not signatures or control or not lines.endswith("\n"):
            raise InvalidProof("not a signed note", hint="A text without a signature proves nothing.")
        if len(raw) > MOST_BYTES or len(signatures) > MOST_SIGNATURES:
            raise InvalidProof("a signed note is too long", size_bytes=len(raw), signatures=len(signatures))
        return cls(text + "\n", tuple(signatures))


def _signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    data = read_base64(encoded, "signature") if line.startswith(_DASH) else b""
    if len(data) <= _ID_BYTES or not name or "+" in name or any(each.isspace() for each in name):
        raise InvalidProof("a signature line of a note cannot be read", line=line[:100])
    return Signature(name, data[:_ID_BYTES], data[_ID_BYTES:])


def open_note(raw: bytes, keys: Sequence[VerifierKey]) -> tuple[Note, tuple[VerifierKey, ...]]:
    """A note, and which of the known keys signed it.

    Signatures of unknown keys are passed over; one of a known key that does not verify refuses the whole note.

    Args:
        raw: the note.
        keys: those that whoever asks trusts.

    Raises:
        InvalidProof: no known key signed it, or the signature of one does not verify.
    """
    note = Note.parse(raw)
    text = note.text.encode()
    known = {(key.name, key.key_id): key for key in keys}
    signed: dict[VerifierKey, None] = {}
    for each in note.signatures:
        key = known.get((each.name, each.key_id))
        if key is None or key in signed:
            continue
        if not key.verifies(text, each.data):
            raise InvalidProof("a signature does not verify", key=str(key))
        signed[key] = None
    if not signed:
        raise InvalidProof(
            "no known key signed this",
            signed_by=[each.name for each in note.signatures],
            hint="A proof without a checkpoint's signature proves nothing.",
        )
    return note, tuple(signed)
