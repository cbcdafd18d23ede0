"""Signed notes, checkpoints, cosignatures and proofs as text, against C2SP's examples and the logs that others wrote."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode

import pytest
import rfc8785

from coditect.errors import InvalidProof, UsageError
from coditect.transparency.checkpoints import Checkpoint, open_checkpoint, sign_checkpoint
from coditect.transparency.cosignatures import COSIGNATURE, cosignature_time, message_at
from coditect.transparency.merkle.tiles import bundle_path, entries_of, subtree_hashes, tile_path
from coditect.transparency.merkle.tree import (
    EMPTY_ROOT,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    require_consistency,
    tree_root,
)
from coditect.transparency.notes import ED25519, Note, Signature, SigningKey, VerifierKey, open_note
from coditect.transparency.proofs import LogProof, verify_log_proof
from tests.unit.transparency.vector_files import vectors

TESSERA = vectors("tessera")
LOG_KEY = VerifierKey.parse(TESSERA["log_public_key"])
SIGNER = SigningKey.parse(TESSERA["log_private_key"])
WITNESS = SigningKey("witness.example.com/w1", bytes(range(32)))

SPEC_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
SPEC_NOTE = """This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
"""
"""The example of C2SP signed-note."""

SUMDB_KEY = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
SUMDB_CHECKPOINT = """go.sum database tree
6476701
mb8QLQIs0Z0yP5Cstq6guj87oXWeC9gEM8oVikmm9Wk=

— sum.golang.org Az3grsLX85Gz+s1SiTbgkuqxgItqFq7gsMUEyVnrsa9LM7Us9S+1xbFIGu95949rj4nPRYfvimWEPWL+o3GeoWwOoAw=
"""
"""A checkpoint of Go's checksum database, from transparency-dev/formats (Apache-2.0)."""


def test_example_of_the_specification_verifies() -> None:
    """The key and the note that C2SP signed-note shows belong together, and the key is written as it was read."""
    key = VerifierKey.parse(SPEC_KEY)
    note, signed = open_note(SPEC_NOTE.encode(), [key])
    assert (note.text, signed, str(key), str(note)) == ("This is an example message.\n", (key,), SPEC_KEY, SPEC_NOTE)


def test_checkpoint_of_another_log_verifies() -> None:
    """Go's checksum database names its origin otherwise than its key, which who verifies must say."""
    key = VerifierKey.parse(SUMDB_KEY)
    opened = open_checkpoint(SUMDB_CHECKPOINT.encode(), [key], origin="go.sum database tree")
    assert opened.checkpoint.size == 6_476_701
    with pytest.raises(InvalidProof, match="another log"):
        open_checkpoint(SUMDB_CHECKPOINT.encode(), [key])


def _root(size: int) -> bytes:
    files = {path: b64decode(data) for path, data in TESSERA["tiles"].items()}
    return tree_root(size, subtree_hashes(size, lambda tile: files[tile_path(tile)]))


@pytest.mark.parametrize("size", range(16))
def test_checkpoints_of_tessera_verify_and_are_signed_alike(size: int) -> None:
    """Each of Tessera's 16 checkpoints verifies, has the root of its tiles, and is what our key of the same secret signs."""
    raw = TESSERA["checkpoints"][size]
    opened = open_checkpoint(raw.encode(), [LOG_KEY])
    assert opened.checkpoint == Checkpoint("example.com/log/testdata", size, _root(size))
    assert (opened.log_keys, SIGNER.key, SIGNER.secret_text()) == ((LOG_KEY,), LOG_KEY, TESSERA["log_private_key"])
    assert sign_checkpoint(opened.checkpoint, [SIGNER]) == raw


def test_checkpoints_of_tessera_are_consistent() -> None:
    """Between any two of them that are not empty a proof from the tiles holds."""
    files = {path: b64decode(data) for path, data in TESSERA["tiles"].items()}
    for second in range(1, 16):
        subtree = subtree_hashes(second, lambda tile: files[tile_path(tile)])
        for first in range(1, second + 1):
            proof = consistency_proof(first, second, subtree)
            require_consistency(first, second, proof, _root(first), _root(second))


@pytest.mark.parametrize(
    "text",
    [
        "Uno+00000000+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        SPEC_KEY[:-4],
        SPEC_KEY.replace("530d903a", "530D903A"),
        SPEC_KEY.replace("foo", "bar"),
        "rekor.sigstore.dev+12345678+THIS_IS_NOT_BASE64!",
        "rekor.sigstore.dev+12345678+AwEB",
        "bananas.sigstore.dev+12344556",
        "+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        "",
    ],
)
def test_verifier_keys_that_are_none_are_refused(text: str) -> None:
    """Parts, id and bytes must fit each other; types that are not supported are refused, not guessed."""
    with pytest.raises(UsageError):
        VerifierKey.parse(text)


def test_keys_of_other_implementations_are_read() -> None:
    """Keys for notes and for cosignatures, from transparency-dev/formats."""
    for text, algorithm in (
        ("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", ED25519),
        ("TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6", ED25519),
        ("remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2", COSIGNATURE),
    ):
        key = VerifierKey.parse(text)
        assert (str(key), key.algorithm) == (text, algorithm)
    secret = "PRIVATE+KEY+logandmap+38581672+AXJ0FKWOcO2ch6WC8kP705Ed3Gxu7pVtZLhfHAQwp+FE"
    assert str(SigningKey.parse(secret).key) == "logandmap+38581672+Ab/PCr1eCclRPRMBqw/r5An1xO71MCnImLiospEq6b4l"


def test_secrets_are_not_shown() -> None:
    """Neither what a key looks like in a traceback nor the message about a broken one holds its secret."""
    assert "range" not in repr(WITNESS)
    assert repr(WITNESS.seed) not in repr(WITNESS)
    broken = WITNESS.secret_text()[:-2]
    with pytest.raises(UsageError) as refused:
        SigningKey.parse(broken)
    assert broken[-20:] not in str(refused.value)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"text\n",
        b"text\n\n",
        b"text\n\nno dash AAAA\n",
        SPEC_NOTE.encode()[:-1],
        SPEC_NOTE.replace("This", "Th\tis").encode(),
        SPEC_NOTE.encode() + b"\xff",
        SPEC_NOTE.replace("foo Uw", "foo+bar Uw").encode(),
        (SPEC_NOTE + SPEC_NOTE.splitlines()[-1] + "\n" * 2).encode(),
        ("text\n\n" + "— a AAAAAAAA\n" * 101).encode(),
    ],
)
def test_what_is_no_note_is_refused(raw: bytes) -> None:
    """No signature, no last line end, control characters, other encodings, or more signatures than anybody needs."""
    with pytest.raises(InvalidProof):
        Note.parse(raw)


def test_unknown_signatures_are_passed_over_and_false_ones_refuse() -> None:
    """What an unknown key says does not matter; a known key's signature over another text spoils the note."""
    checkpoint = Checkpoint("example.com/log/testdata", 0, EMPTY_ROOT)
    raw = sign_checkpoint(checkpoint, [WITNESS, SIGNER])
    assert open_note(raw.encode(), [LOG_KEY])[1] == (LOG_KEY,)
    with pytest.raises(InvalidProof, match="no known key"):
        open_note(raw.encode(), [VerifierKey.parse(SPEC_KEY)])
    forged = raw.replace("\n0\n", "\n1\n")
    with pytest.raises(InvalidProof, match="does not verify"):
        open_note(forged.encode(), [LOG_KEY])
    # A key of the same name and another id is unknown.
    namesake = VerifierKey(LOG_KEY.name, ED25519, WITNESS.key.public)
    with pytest.raises(InvalidProof, match="no known key"):
        open_note(sign_checkpoint(checkpoint, [SIGNER]).encode(), [namesake])


@pytest.mark.parametrize(
    "text",
    [
        "Head\n9944\n",
        "\n9944\n" + b64encode(EMPTY_ROOT).decode() + "\n",
        "Log\n09\n" + b64encode(EMPTY_ROOT).decode() + "\n",
        "Log\n-1\n" + b64encode(EMPTY_ROOT).decode() + "\n",
        "Log\n٣\n" + b64encode(EMPTY_ROOT).decode() + "\n",
        "Log\nbananas\n" + b64encode(EMPTY_ROOT).decode() + "\n",
        "Log\n1\n" + b64encode(EMPTY_ROOT).decode(),
        "Log\n1\nYmFuYW5hcw==\n",
        "Log\n1\n" + b64encode(EMPTY_ROOT).decode() + "\n\nextension\n",
    ],
)
def test_checkpoints_that_are_none_are_refused(text: str) -> None:
    """Lines, sizes and roots must be as the specification has them."""
    with pytest.raises(InvalidProof):
        Checkpoint.parse(text)


def test_extension_lines_of_others_are_read_and_kept() -> None:
    """They are part of what was signed, so they are written again; ours has none."""
    text = "Log\n1\n" + b64encode(EMPTY_ROOT).decode() + "\nmore\n"
    assert Checkpoint.parse(text).extensions == ("more",)
    assert Checkpoint.parse(text).text == text


def _cosigned(raw: str, time_s: int) -> str:
    key = VerifierKey(WITNESS.name, COSIGNATURE, WITNESS.key.public)
    text = Note.parse(raw.encode()).text.encode()
    data = time_s.to_bytes(8, "big") + WITNESS.sign(message_at(text, time_s))
    return raw + Signature(key.name, key.key_id, data).line + "\n"


def test_cosignatures_cover_time_and_checkpoint() -> None:
    """A witness' signature verifies as a cosignature only, with its own time and for this checkpoint."""
    witness = VerifierKey(WITNESS.name, COSIGNATURE, WITNESS.key.public)
    raw = _cosigned(TESSERA["checkpoints"][3], 1_679_315_147)
    opened = open_checkpoint(raw.encode(), [LOG_KEY], [witness])
    assert opened.witnesses == (witness,)
    assert cosignature_time(opened.note.signatures[-1].data) == 1_679_315_147
    assert open_checkpoint(raw.encode(), [LOG_KEY], [WITNESS.key]).witnesses == ()
    later = opened.note.signatures[-1]
    moved = Signature(later.name, later.key_id, (1_679_315_148).to_bytes(8, "big") + later.data[8:])
    for forged in (raw.replace(later.line, moved.line), raw.replace("\n3\n", "\n4\n")):
        with pytest.raises(InvalidProof):
            open_checkpoint(forged.encode(), [LOG_KEY], [witness])
    with pytest.raises(InvalidProof, match="log did not sign"):
        open_checkpoint((opened.note.text + "\n" + later.line + "\n").encode(), [LOG_KEY], [witness])


def test_cosignature_times_of_others_are_read() -> None:
    """The time in a real witness' signature (transparency-dev/formats), and no time in what is none."""
    data = b64decode(
        "ZGhGuQAAAABm/qTPeyKXD+R2rzyQsxPiP8mXum7qq/iF0u4vanlqJyocWODBt97w9uL+8qT7S5gxEHWWOworDcFiEBYJXORmnFBOBA=="
    )
    assert cosignature_time(data[4:]) == 1_727_964_367
    for wrong in (data[4:-1], b"\xff" + data[5:], b""):
        with pytest.raises(InvalidProof):
            cosignature_time(wrong)


def _proof(index: int, size: int) -> tuple[str, bytes]:
    files = {path: b64decode(data) for path, data in TESSERA["tiles"].items()}
    hashes = inclusion_proof(index, size, subtree_hashes(size, lambda tile: files[tile_path(tile)]))
    entry = entries_of(files[bundle_path(0, size)])[index]
    return str(LogProof(index, tuple(hashes), TESSERA["checkpoints"][size])), entry


def test_proofs_as_text_verify_for_their_entry() -> None:
    """Every entry of Tessera's log in every tree that has it, as tlog-proof, parsed and verified."""
    for size in range(1, 16):
        for index in range(size):
            text, entry = _proof(index, size)
            assert str(LogProof.parse(text)) == text
            assert verify_log_proof(text, entry, [LOG_KEY]).checkpoint.size == size


def test_proof_is_written_as_the_specification_says() -> None:
    """First line, extra data where there are any, index, hashes, an empty line, the checkpoint verbatim."""
    hashes = (leaf_hash(b"1"), leaf_hash(b"2"))
    lines = [b64encode(each).decode() for each in hashes]
    text = str(LogProof(5, hashes, "test checkpoint\n", b"extra information"))
    head = f"c2sp.org/tlog-proof@v1\nextra {b64encode(b'extra information').decode()}\nindex 5\n"
    assert text == head + "\n".join(lines) + "\n\ntest checkpoint\n"
    assert LogProof.parse(text) == LogProof(5, hashes, "test checkpoint\n", b"extra information")
    assert str(LogProof(0, (), "checkpoint\n")) == "c2sp.org/tlog-proof@v1\nindex 0\n\ncheckpoint\n"


@pytest.mark.parametrize(
    "text",
    [
        "wrong-header\nindex 0\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nextra !!notbase64!!\nindex 0\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\n\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex notanumber\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex -5\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex 05\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n!!notbase64!!\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n" + b64encode(bytes(64)).decode() + "\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n" + (b64encode(bytes(32)).decode() + "\n") * 65 + "\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n",
    ],
)
def test_proofs_that_are_none_are_refused(text: str) -> None:
    """The malformed proofs of transparency-dev/formats, and some more."""
    with pytest.raises(InvalidProof):
        LogProof.parse(text)


def test_a_proof_has_at_most_sixty_four_hashes() -> None:
    """As many as the highest tree can need."""
    head, line = "c2sp.org/tlog-proof@v1\nindex 0\n", b64encode(bytes(32)).decode() + "\n"
    assert len(LogProof.parse(f"{head}{line * 64}\ncheckpoint\n").hashes) == 64
    with pytest.raises(InvalidProof):
        LogProof.parse(f"{head}{line * 65}\ncheckpoint\n")


def test_a_proof_without_a_signature_proves_nothing() -> None:
    """With the log's signature cut off, a proof is refused, and the message says why."""
    text, entry = _proof(2, 7)
    unsigned = text.rpartition("— ")[0]
    with pytest.raises(InvalidProof, match="proves nothing"):
        verify_log_proof(unsigned, entry, [LOG_KEY])
    with pytest.raises(InvalidProof, match="proves nothing"):
        verify_log_proof(text, entry, [WITNESS.key])
    with pytest.raises(InvalidProof, match="does not lead"):
        verify_log_proof(text, entry + b"!", [LOG_KEY])


def test_ed25519_vectors_are_accepted_and_refused_as_they_must() -> None:
    """Wycheproof's cases: malleable, truncated and otherwise forged signatures among them."""
    counted = {"valid": 0, "invalid": 0}
    for public, number, message, signature, result in vectors("ed25519")["cases"]:
        key = VerifierKey("wycheproof", ED25519, bytes.fromhex(public))
        verified = key.verifies(bytes.fromhex(message), bytes.fromhex(signature))
        assert verified == (result == "valid"), number
        counted[result] += 1
    assert counted == {"valid": 88, "invalid": 63}


def test_canonical_json_is_that_of_the_vectors() -> None:
    """Cyberphone's inputs and outputs for RFC 8785: the library that writes our entries agrees with them."""
    cases = vectors("jcs")["cases"]
    for name, (given, wanted) in cases.items():
        assert rfc8785.dumps(json.loads(given)) == wanted.encode(), name
    assert len(cases) == 6
