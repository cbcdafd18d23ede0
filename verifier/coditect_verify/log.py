"""The log: keys, signed notes, checkpoints, cosignatures and proofs. C2SP signed-note, tlog-checkpoint, tlog-proof; RFC 9162."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ED25519, COSIGNATURE = 0x01, 0x04
HASH_BYTES, KEY_BYTES, SIGNATURE_BYTES, ID_BYTES, TIME_BYTES = 32, 32, 64, 4, 8
MOST_SIGNATURES, MOST_HASHES = 100, 64
NUMBER = r"(?:0|[1-9][0-9]{0,18})"
NOTE = re.compile(rf"(([^\n]+)\n({NUMBER})\n([^\n]+)\n(?:[^\n]+\n)*)\n((?:— [^ \n]+ [^\n]+\n){{1,{MOST_SIGNATURES}}})")
"""Text (with origin, size and root), and the lines of signatures."""
PROOF = re.compile(
    rf"c2sp\.org/tlog-proof@v1\n(?:extra [^\n]*\n)*index ({NUMBER})\n((?:[^\n]+\n){{0,{MOST_HASHES}}})\n"
)


class Wrong(Exception):  # noqa: N818 - what a check says of a bundle is no error of this program
    """What is checked is not what it has to be; the message says how."""


def must(holds: object, message: str) -> None:
    """Wrong, with this message, unless something holds."""
    if not holds:
        raise Wrong(message)


def base64_bytes(text: str, what: str) -> bytes:
    """The bytes in standard base64, which has one spelling here."""
    try:
        data = b64decode(text)  # what is no base64 is left out here, and missed below
    except ValueError:
        data = b""
    must(text and b64encode(data).decode() == text, f"{what} is not base64")
    return data


def ed25519_signs(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature over a message is that of a public key."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@dataclass(frozen=True)
class Key:
    """A public key by name: ``name+id+base64``; ``algorithm`` is 1 for a log or a person, 4 for a witness."""

    name: str
    algorithm: int
    public: bytes

    @property
    def key_id(self) -> bytes:
        """Four bytes that tell keys of one name apart."""
        return sha256(self.name.encode() + b"\n" + bytes((self.algorithm,)) + self.public).digest()[:ID_BYTES]

    @classmethod
    def parse(cls, text: str) -> Self:
        """The key in a text; Wrong where it is none, or where its id is not that of its bytes."""
        what = f"not a verifier key: {text.strip()[:100]!r}"
        name, key_id, encoded = (*text.strip().split("+", 2), "", "")[:3]
        data = base64_bytes(encoded, what)
        key = cls(name, data[0], data[1:])
        known = key.algorithm in (ED25519, COSIGNATURE) and len(key.public) == KEY_BYTES
        must(name and known and key.key_id.hex() == key_id, what)
        return key

    def signs(self, text: bytes, signature: bytes) -> bool:
        """Whether this key gave a signature over a note's text."""
        if self.algorithm == COSIGNATURE:
            time_s = int.from_bytes(signature[:TIME_BYTES], "big")
            text, signature = b"cosignature/v1\ntime %d\n" % time_s + text, signature[TIME_BYTES:]
        return len(signature) == SIGNATURE_BYTES and ed25519_signs(self.public, text, signature)


@dataclass(frozen=True)
class Checkpoint:
    """The head of a log as a ``note``, with ``signatures`` by (name, key id and signature): reading it verifies nothing."""

    origin: str
    size: int
    root: bytes
    text: str
    note: str
    signatures: tuple[tuple[str, bytes], ...]

    @classmethod
    def parse(cls, note: str, what: str = "the checkpoint") -> Self:
        """The checkpoint in a signed note."""
        found = NOTE.fullmatch(note)
        must(found, f"{what} is not a signed note that says the size and the root of its log")
        text, origin, size, root, signed = found.groups()  # type: ignore[union-attr]
        names = [line.split(" ", 2)[1:] for line in signed.splitlines()]
        signatures = tuple((name, base64_bytes(data, f"a signature of {what}")) for name, data in names)
        hashed = base64_bytes(root, f"the root in {what}")
        must(len(hashed) == HASH_BYTES, f"{what} does not say the root of its log")
        return cls(origin, int(size), hashed, text, note, signatures)

    def signed_by(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        """The given keys that signed it, with the signature; Wrong where the signature of one does not verify."""
        known = {(key.name, key.key_id): key for key in keys}
        found: dict[Key, bytes] = {}
        for name, data in self.signatures:
            key = known.get((name, data[:ID_BYTES]))
            if key is not None and key not in found:
                changed = (
                    f"the signature of {name} on the checkpoint does not verify: it or the {self.size} entries changed"
                )
                must(key.signs(self.text.encode(), data[ID_BYTES:]), changed)
                found[key] = data[ID_BYTES:]
        return found


@dataclass(frozen=True)
class LogProof:
    """A C2SP tlog-proof: the index of an entry, the hashes beside its way to the root, and the checkpoint as a note."""

    index: int
    hashes: list[bytes]
    note: str

    @classmethod
    def parse(cls, text: str, what: str) -> Self:
        """The proof in a text; ``what`` names it."""
        found = PROOF.match(text)
        must(found, f"{what} is not a proof of a log for one entry")
        index, hashes = found.groups()  # type: ignore[union-attr]
        data = [base64_bytes(line, f"a hash in {what}") for line in hashes.splitlines()]
        return cls(int(index), data, text[found.end() :])  # type: ignore[union-attr]


def node(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node. RFC 9162, 2.1.1."""
    return sha256(b"\x01" + left + right).digest()


def roots(first: int, last: int, start: bytes, proof: Sequence[bytes], what: str) -> tuple[bytes, bytes]:
    """The roots of the smaller and of the larger tree, on the way up from a node. RFC 9162, 2.1.3.2 and 2.1.4.2."""
    old = new = start
    for each in proof:
        must(last and len(each) == HASH_BYTES, f"{what} is longer than the tree is high, or not of hashes")
        if first & 1 or first == last:
            old, new = node(each, old), node(each, new)
            while first and not first & 1:
                first, last = first >> 1, last >> 1
        else:
            new = node(new, each)
        first, last = first >> 1, last >> 1
    must(not last, f"{what} is shorter than the tree is high")
    return old, new


def require_inclusion(entry: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Wrong unless the entry is in the tree at this index."""
    what = f"the inclusion proof of entry {index}"
    must(0 <= index < size, f"{what} is of a log of {size}")
    _, found = roots(index, size - 1, sha256(b"\x00" + entry).digest(), proof, what)
    changed = f"log/{index}.entry or log/{index}.tlog-proof was changed, or is another's"
    must(found == root, f"{what} does not lead to the root of the checkpoint: {changed}")


def require_consistency(first: int, second: int, proof: Sequence[bytes], earlier: bytes, later: bytes) -> None:
    """Wrong unless a tree is the beginning of a later one; of the empty tree nothing follows."""
    cut = f"a log of {second} entries does not go on from one of {first}: it was cut, or there is nothing to go on from"
    must(0 < first <= second, cut)
    if first == second:
        same = not proof and earlier == later
        return must(same, f"two checkpoints of {first} entries have different roots: there are two histories")
    start, *rest = [earlier, *proof] if first & (first - 1) == 0 else [*proof] or [b""]
    left, right, what = first - 1, second - 1, f"the consistency proof from {first} to {second} entries"
    while left & 1:
        left, right = left >> 1, right >> 1
    begins = f"does not show that the log of {second} entries begins with the {first} that you keep"
    which = "this proof was damaged, or the log was rewritten; another bundle of the same root settles which"
    shown = roots(left, right, start, rest, what) == (earlier, later)
    return must(shown, f"log/consistency-{first} {begins}: {which}")
