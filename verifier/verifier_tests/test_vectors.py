"""The verifier against the public vectors that the program is held against: whoever wrote them knew neither."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from coditect_verify.log import Checkpoint, Key, LogProof, Wrong, ed25519_signs, must, require_consistency, roots

from tests.unit.transparency.vector_files import vectors

TESSERA = vectors("tessera")


def _holds(case: dict[str, Any]) -> bool:
    """Whether a case of transparency-dev/merkle is accepted; its leaves are hashes, so that the climb alone is asked."""
    proof = [b64decode(each) for each in case["proof"] or ()]
    try:
        if "leafHash" in case:
            index, size = case["leafIdx"], case["treeSize"]
            must(0 <= index < size, "no such entry")
            leaf, root = b64decode(case["leafHash"]), b64decode(case["root"])
            must(len(leaf) == len(root) == 32, "no hash: an entry is hashed and a root is measured before a climb")
            must(roots(index, size - 1, leaf, proof, "the proof")[1] == root, "another root")
        else:
            earlier, later = b64decode(case["root1"]), b64decode(case["root2"])
            require_consistency(case["size1"], case["size2"], proof, earlier, later)
    except Wrong:
        return False
    return True


def test_trees_are_accepted_and_refused_as_they_must() -> None:
    """98 inclusion and 98 consistency cases of transparency-dev/merkle, the two empty trees of its trap among them."""
    counted: Counter[tuple[str, bool]] = Counter()
    for case in vectors("merkle")["cases"]:
        assert _holds(case) is not case["wantErr"], case["file"]
        counted["inclusion" if "leafHash" in case else "consistency", _holds(case)] += 1
    assert counted == {
        ("inclusion", True): 6,
        ("inclusion", False): 92,
        ("consistency", True): 6,
        ("consistency", False): 92,
    }


def test_ed25519_is_accepted_and_refused_as_it_must() -> None:
    """Wycheproof's 151."""
    counted: Counter[bool] = Counter()
    for public, number, message, signature, result in vectors("ed25519")["cases"]:
        holds = ed25519_signs(bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature))
        assert holds is (result == "valid"), number
        counted[holds] += 1
    assert counted == {True: 88, False: 63}


def test_checkpoints_of_another_log_are_read_and_verified() -> None:
    """Tessera's sixteen, by its key; with another root none."""
    key = Key.parse(TESSERA["log_public_key"])
    found = [Checkpoint.parse(each) for each in TESSERA["checkpoints"]]
    assert [each.size for each in found] == list(range(16))
    assert all(list(each.signed_by([key])) == [key] for each in found)
    for each, other in pairwise(found):
        spoilt = Checkpoint.parse(each.note.replace(each.text.splitlines()[2], other.text.splitlines()[2]))
        with pytest.raises(Wrong, match="does not verify"):
            spoilt.signed_by([key])


def test_keys_of_other_implementations_are_read() -> None:
    """Of notes and of cosignatures, from transparency-dev/formats; what is none there is none here."""
    for text in (
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6",
        "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
    ):
        assert Key.parse(text).key_id.hex() == text.split("+")[1]
    for text in (
        "rekor.sigstore.dev+12345678+THIS_IS_NOT_BASE64!",
        "rekor.sigstore.dev+12345678+AwEB",
        "bananas.sigstore.dev+12344556",
        "Uno+00000000+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    ):
        with pytest.raises(Wrong, match="not a verifier key"):
            Key.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "wrong-header\nindex 0\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\n\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex notanumber\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex -5\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex 05\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n!!notbase64!!\n\ncheckpoint\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n",
    ],
)
def test_proofs_that_are_none_are_refused(text: str) -> None:
    """The malformed ones of transparency-dev/formats, but for the extra line, which nobody here reads."""
    with pytest.raises(Wrong):
        LogProof.parse(text, "a proof")
