"""The log: keys, signed notes, checkpoints, cosignatures and proofs. C2SP signed-note, tlog-checkpoint, tlog-proof; RFC 9162."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

__all__ = ["Checkpoint", "Key", "LogProof", "Wrong", "must", "require_consistency", "require_inclusion"]

ED25519, COSIGNATURE = 0x01, 0x04
HASH_BYTES, KEY_BYTES, SIGNATURE_BYTES, ID_BYTES, TIME_BYTES = 32, 32, 64, 4, 8
MOST_SIGNATURES = 100
NUMBER = re.compile(r"0|[1-9][0-9]{0,18}", re.ASCII)


class Wrong(Exception):  # noqa: N818 - what a check says of a bundle is no error of this program
    """What is checked is not what it has to be; the message says how."""


def must(holds: object, message: str) -> None:
    """Wrong, with this message, unless something holds."""
    if not holds:
        raise Wrong(message)


def base64_bytes(text: str, what: str) -> bytes:
    """The bytes in standard base64, which has one spelling here."""
    try:
        data = b64decode(text, validate=True)
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
    def parse(cls, text: str) -> Key:
        """The key in a text; Wrong where it is none, or where its id is not that of its bytes."""
        name, _, rest = text.strip().partition("+")
        key_id, _, encoded = rest.partition("+")
        data = base64_bytes(encoded, "a key")
        key = cls(name, data[0], data[1:])
        known = key.algorithm in (ED25519, COSIGNATURE) and len(key.public) == KEY_BYTES
        must(name and known and key.key_id.hex() == key_id, f"not a verifier key: {text.strip()[:100]!r}")
        return key

    def signs(self, text: bytes, signature: bytes) -> bool:
        """Whether this key gave a signature over a note's text."""
        if self.algorithm == COSIGNATURE:
            time_s = int.from_bytes(signature[:TIME_BYTES], "big")
            text, signature = b"cosignature/v1\ntime %d\n" % time_s + text, signature[TIME_BYTES:]
        return len(signature) == SIGNATURE_BYTES and ed25519_signs(self.public, text, signature)


@dataclass(frozen=True)
class Checkpoint:
    """The head of a log as somebody signed it: nothing of it is verified by being read."""

    origin: str
    size: int
    root: bytes
    text: str
    signatures: tuple[tuple[str, bytes], ...]
    """(name, key id and signature) of each line."""

    @classmethod
    def parse(cls, note: str) -> Checkpoint:
        """The checkpoint in a signed note."""
        text, blank, tail = note.rpartition("\n\n")
        lines = text.split("\n")
        signed = tail.removesuffix("\n").split("\n")
        whole = blank and tail.endswith("\n") and len(lines) > 2 and all(lines) and len(signed) <= MOST_SIGNATURES
        must(whole, "the checkpoint is not a signed note")
        root = base64_bytes(lines[2], "the checkpoint's root")
        said = NUMBER.fullmatch(lines[1]) and len(root) == HASH_BYTES
        must(said, "the checkpoint does not say the size and the root of its log")
        signatures = []
        for line in signed:
            name, _, encoded = line.removeprefix("— ").partition(" ")
            must(line.startswith("— ") and name, "a signature line of the checkpoint cannot be read")
            signatures.append((name, base64_bytes(encoded, "a signature of the checkpoint")))
        return cls(lines[0], int(lines[1]), root, text + "\n", tuple(signatures))

    def signed_by(self, keys: Iterable[Key]) -> dict[Key, bytes]:
        """The given keys that signed it, with the signature; Wrong where the signature of one does not verify."""
        known = {(key.name, key.key_id): key for key in keys}
        found: dict[Key, bytes] = {}
        for name, data in self.signatures:
            key = known.get((name, data[:ID_BYTES]))
            if key is not None and key not in found:
                holds = key.signs(self.text.encode(), data[ID_BYTES:])
                must(holds, f"the signature of {name} on the checkpoint does not verify")
                found[key] = data[ID_BYTES:]
        return found


@dataclass(frozen=True)
class LogProof:
    """A C2SP tlog-proof: the index of an entry, the hashes beside its way to the root, and the checkpoint as a note."""

    index: int
    hashes: tuple[bytes, ...]
    note: str

    @classmethod
    def parse(cls, text: str) -> LogProof:
        """The proof in a text."""
        head, blank, note = text.partition("\n\n")
        lines = [line for line in head.split("\n") if not line.startswith("extra ")]
        must(blank and len(lines) > 1 and lines[0] == "c2sp.org/tlog-proof@v1", "not a proof of a log")
        word, _, number = lines[1].partition(" ")
        said = word == "index" and NUMBER.fullmatch(number) and len(lines) <= 2 + 64
        must(said, "a proof of a log does not say of which entry")
        return cls(int(number), tuple(base64_bytes(line, "a hash of a proof") for line in lines[2:]), note)


def node(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node. RFC 9162, 2.1.1."""
    return sha256(b"\x01" + left + right).digest()


def require_inclusion(entry: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Wrong unless the entry is in the tree at this index. RFC 9162, 2.1.3.2."""
    hashes = all(len(each) == HASH_BYTES for each in proof)
    must(0 <= index < size and hashes, f"its proof speaks of entry {index} of a log of {size}")
    first, last, found = index, size - 1, sha256(b"\x00" + entry).digest()
    for each in proof:
        must(last, "its inclusion proof is longer than the tree is high")
        if first & 1 or first == last:
            found = node(each, found)
            while first and not first & 1:
                first, last = first >> 1, last >> 1
        else:
            found = node(found, each)
        first, last = first >> 1, last >> 1
    leads = not last and found == root
    must(leads, f"its inclusion proof as entry {index} does not lead to the root of the checkpoint")


def require_consistency(first: int, second: int, proof: Sequence[bytes], earlier: bytes, later: bytes) -> None:
    """Wrong unless a tree is the beginning of a later one. RFC 9162, 2.1.4.2; of the empty tree nothing follows."""
    hashes = all(len(each) == HASH_BYTES for each in proof)
    must(0 < first <= second and hashes, f"nothing can be proved between logs of {first} and {second} entries")
    if first == second:
        one = not proof and earlier == later
        must(one, f"two checkpoints of {first} entries have different roots: there are two histories")
        return
    path = [earlier, *proof] if first & (first - 1) == 0 else list(proof)
    left, right = first - 1, second - 1
    while left & 1:
        left, right = left >> 1, right >> 1
    old = new = path[0] if path else b""
    for each in path[1:]:
        must(right, "the consistency proof is longer than the tree is high")
        if left & 1 or left == right:
            old, new = node(each, old), node(each, new)
            while left and not left & 1:
                left, right = left >> 1, right >> 1
        else:
            new = node(new, each)
        left, right = left >> 1, right >> 1
    leads = not right and old == earlier and new == later
    must(leads, f"the log of {second} entries does not begin with the {first} that you keep a checkpoint of")
