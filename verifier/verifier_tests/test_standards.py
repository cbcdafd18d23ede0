"""Keys, notes and proofs as the standards have them, every one of small trees, and everything that is nearly one."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

import pytest
from coditect_verify import log
from coditect_verify.log import Checkpoint, Key, LogProof, Wrong, base64_bytes, require_consistency, require_inclusion
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MOST = 20
ENTRIES = [f"entry {number}".encode() for number in range(MOST)]
PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = PRIVATE.public_key().public_bytes_raw()


def _root(entries: list[bytes]) -> bytes:
    """RFC 9162, 2.1.1, as it is written there."""
    if not entries:
        return sha256(b"").digest()
    if len(entries) == 1:
        return sha256(b"\0" + entries[0]).digest()
    half = 1 << ((len(entries) - 1).bit_length() - 1)
    return sha256(b"\1" + _root(entries[:half]) + _root(entries[half:])).digest()


def _path(index: int, entries: list[bytes]) -> list[bytes]:
    """RFC 9162, 2.1.3.1."""
    if len(entries) == 1:
        return []
    half = 1 << ((len(entries) - 1).bit_length() - 1)
    if index < half:
        return [*_path(index, entries[:half]), _root(entries[half:])]
    return [*_path(index - half, entries[half:]), _root(entries[:half])]


def _grown(first: int, entries: list[bytes], whole: bool = True) -> list[bytes]:
    """RFC 9162, 2.1.4.1."""
    if first == len(entries):
        return [] if whole else [_root(entries)]
    half = 1 << ((len(entries) - 1).bit_length() - 1)
    if first <= half:
        return [*_grown(first, entries[:half], whole), _root(entries[half:])]
    return [*_grown(first - half, entries[half:], False), _root(entries[:half])]


def _worse(proof: list[bytes]) -> list[list[bytes]]:
    """A proof with each hash changed, each left out, one more, two exchanged, and one that is too short."""
    changed = [[*proof[:at], sha256(each).digest(), *proof[at + 1 :]] for at, each in enumerate(proof)]
    fewer = [[*proof[:at], *proof[at + 1 :]] for at in range(len(proof))]
    short = [[*proof[:at], each[:-1], *proof[at + 1 :]] for at, each in enumerate(proof)]
    turned = [proof[::-1]] if proof != proof[::-1] else []
    return [*changed, *fewer, *short, *turned, [*proof, bytes(32)], [bytes(32), *proof]]


@pytest.mark.parametrize("size", range(1, MOST + 1))
def test_inclusion_of_every_entry_and_of_nothing_else(size: int) -> None:
    """Every index of every small tree; another entry, index, size, root or proof is refused."""
    entries, root = ENTRIES[:size], _root(ENTRIES[:size])
    for index, entry in enumerate(entries):
        proof = _path(index, entries)
        require_inclusion(entry, index, size, proof, root)
        wrong = [(b"other", index, size, proof, root), (entry, index, size, proof, bytes(32))]
        wrong += [(entry, other, size, proof, root) for other in (-1, size, index ^ 1, index + 2) if other != index]
        wrong += [(entry, index, size, each, root) for each in _worse(proof)]
        for each in wrong:
            with pytest.raises(Wrong, match=r"inclusion proof of entry"):
                require_inclusion(*each)


@pytest.mark.parametrize("second", range(1, MOST + 1))
def test_consistency_of_every_two_trees_and_of_nothing_else(second: int) -> None:
    """Every beginning of every small tree; another root or proof is refused."""
    later = _root(ENTRIES[:second])
    for first in range(1, second + 1):
        earlier, proof = _root(ENTRIES[:first]), _grown(first, ENTRIES[:second])
        require_consistency(first, second, proof, earlier, later)
        wrong = [(proof, bytes(32), later), (proof, earlier, bytes(32))]
        wrong += [(each, earlier, later) for each in _worse(proof)]
        for each in wrong:
            with pytest.raises(Wrong):
                require_consistency(first, second, *each)


@pytest.mark.parametrize(("first", "second"), [(0, 3), (4, 3), (0, 0), (-1, 3)])
def test_a_log_goes_on_from_a_beginning_alone(first: int, second: int) -> None:
    """Of nothing nothing follows, and what was longer was cut."""
    with pytest.raises(Wrong, match=rf"does not go on from one of {first}"):
        require_consistency(first, second, [], _root(ENTRIES[: max(first, 0)]), _root(ENTRIES[:second]))


def test_two_histories_of_one_length_are_named() -> None:
    """Neither is a beginning of the other."""
    with pytest.raises(Wrong, match="two histories"):
        require_consistency(3, 3, [], _root(ENTRIES[:3]), _root(ENTRIES[1:4]))


def _key(algorithm: int = log.ED25519, public: bytes = PUBLIC, name: str = "log.example.com", key_id: str = "") -> str:
    own = sha256(name.encode() + b"\n" + bytes((algorithm,)) + public).hexdigest()[:8]
    return f"{name}+{key_id or own}+{b64encode(bytes((algorithm,)) + public).decode()}"


def test_a_key_is_read_as_it_is_written() -> None:
    """With white space around it, as in a file."""
    key = Key.parse(f"  {_key()}\n")
    assert (key.name, key.algorithm, key.public) == ("log.example.com", log.ED25519, PUBLIC)
    assert key.key_id.hex() == _key().split("+")[1]
    assert Key.parse(_key(log.COSIGNATURE)).algorithm == log.COSIGNATURE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "log.example.com",
        "log.example.com+00000000",
        _key(algorithm=2),
        _key(public=PUBLIC[:-1]),
        _key(public=PUBLIC + b"\0"),
        _key(name=""),
        _key(key_id="00000000"),
        _key() + "=",
        _key()[:-4] + "\u00e9=",
    ],
)
def test_what_is_nearly_a_key_is_none(text: str) -> None:
    """Another algorithm, too few bytes, no name, another id, another spelling."""
    with pytest.raises(Wrong, match="not a verifier key"):
        Key.parse(text)


@pytest.mark.parametrize("text", ["", "YQ", "YR==", "YQ==\n", " YQ==", "a-_a"])
def test_base64_has_one_spelling(text: str) -> None:
    """Nothing, missing or odd padding bits, white space and the other alphabet are refused."""
    with pytest.raises(Wrong, match="a root is not base64"):
        base64_bytes(text, "a root")
    assert base64_bytes("YQ==", "a root") == b"a"


def _note(size: str = "5", root: bytes = bytes(32), origin: str = "log.example.com", signed: int = 1) -> str:
    text = f"{origin}\n{size}\n{b64encode(root).decode()}\n"
    key = Key.parse(_key())
    line = f"— {key.name} {b64encode(key.key_id + PRIVATE.sign(text.encode())).decode()}\n"
    return f"{text}\n{line * signed}"


def test_a_checkpoint_is_read_and_its_signature_verified() -> None:
    """By the key that signed it; by no other, and not when a letter of it is another."""
    key, other = Key.parse(_key()), Key.parse(_key(name="log.example.org"))
    found = Checkpoint.parse(_note())
    assert (found.origin, found.size, found.root) == ("log.example.com", 5, bytes(32))
    assert list(found.signed_by([other, key])) == [key]
    assert found.signed_by([other]) == {}
    forged = Checkpoint.parse(_note().replace("\n5\n", "\n6\n"))
    with pytest.raises(Wrong, match=r"the signature of log\.example\.com on the checkpoint does not verify"):
        forged.signed_by([key])
    assert forged.signed_by([other]) == {}


def test_a_signature_that_is_too_long_or_short_is_none() -> None:
    """Sixty-four bytes, and no more behind them."""
    key = Key.parse(_key())
    text = b"log.example.com\n"
    signature = PRIVATE.sign(text)
    assert key.signs(text, signature)
    assert not key.signs(text, signature[:-1])
    assert not key.signs(text, signature + b"\0")
    assert not key.signs(text, bytes(64))
    assert not Key("log.example.com", log.ED25519, PUBLIC[:-1]).signs(text, signature)


def test_a_witness_signs_with_the_time() -> None:
    """The time is part of what is signed."""
    witness, time = Key.parse(_key(log.COSIGNATURE)), (1_700_000_000).to_bytes(8, "big")
    text = b"log.example.com\n5\n"
    signature = PRIVATE.sign(b"cosignature/v1\ntime 1700000000\n" + text)
    assert witness.signs(text, time + signature)
    assert not witness.signs(text, (1_700_000_001).to_bytes(8, "big") + signature)
    assert not witness.signs(text, signature)


@pytest.mark.parametrize(
    "note",
    [
        "",
        _note(signed=0),
        _note(signed=log.MOST_SIGNATURES + 1),
        _note(size="05"),
        _note(size="-1"),
        _note(size="1" + "0" * 19),
        _note(root=bytes(31)),
        _note(root=bytes(33)),
        _note(origin=""),
        _note().replace("\n\n", "\n"),
        _note() + "\n",
    ],
)
def test_what_is_nearly_a_checkpoint_is_none(note: str) -> None:
    """No signature or too many, a size that is none, a root of other bytes, no line between text and signatures."""
    with pytest.raises(Wrong, match="the checkpoint"):
        Checkpoint.parse(note)


def test_as_many_signatures_as_a_note_may_have() -> None:
    """A hundred, of which those of one key count once; and the largest size there is."""
    found = Checkpoint.parse(_note(signed=log.MOST_SIGNATURES, size="9" * 19))
    assert found.size == int("9" * 19)
    assert len(found.signatures) == log.MOST_SIGNATURES
    assert len(found.signed_by([Key.parse(_key())])) == 1


def _proof(index: str = "3", hashes: int = 2, extra: str = "") -> str:
    lines = "".join(f"{b64encode(bytes([each]) * 32).decode()}\n" for each in range(hashes))
    return f"c2sp.org/tlog-proof@v1\n{extra}index {index}\n{lines}\n{_note()}"


def test_a_proof_is_read_with_the_checkpoint_behind_it() -> None:
    """With extra lines, which other programs may write, and with none or as many hashes as a tree can be high."""
    for extra in ("", "extra AAAA\nextra BBBB\n"):
        found = LogProof.parse(_proof(extra=extra), "a proof")
        assert (found.index, found.hashes, found.note) == (3, [bytes(32), b"\1" * 32], _note())
    assert LogProof.parse(_proof(hashes=0), "a proof").hashes == []
    assert len(LogProof.parse(_proof(hashes=log.MOST_HASHES), "a proof").hashes) == log.MOST_HASHES


@pytest.mark.parametrize(
    "text",
    ["", _proof(index="03"), _proof(index="-3"), _proof(hashes=log.MOST_HASHES + 1), _proof().replace("@v1", "@v2")],
)
def test_what_is_nearly_a_proof_is_none(text: str) -> None:
    """Another version, an index that is none, more hashes than a tree is high."""
    with pytest.raises(Wrong, match="a proof is not a proof of a log for one entry"):
        LogProof.parse(text, "a proof")


def test_a_hash_of_a_proof_is_base64() -> None:
    """Said of the proof that holds it."""
    with pytest.raises(Wrong, match="a hash in a proof is not base64"):
        LogProof.parse(_proof().replace("AQEB", "!QEB", 1), "a proof")
