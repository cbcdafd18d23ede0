"""The Merkle tree of RFC 9162, against transparency-dev's vectors and against trees computed from the definition."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coditect.errors import InvalidProof, UsageError
from coditect.transparency.merkle.tree import (
    EMPTY_ROOT,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    require_consistency,
    require_inclusion,
    root_of_hashes,
    tree_root,
)
from tests.unit.transparency.vector_files import vectors

CASES = vectors("merkle")["cases"]
EMPTY_TREES = "consistency/additional/sizes-are-equal-zero-and-proof-is-empty"


def _hashes(case: dict[str, Any]) -> list[bytes]:
    return [b64decode(each) for each in case["proof"] or ()]


def _check(case: dict[str, Any]) -> None:
    if "leafHash" in case:
        leaf, root = b64decode(case["leafHash"]), b64decode(case["root"])
        require_inclusion(leaf, case["leafIdx"], case["treeSize"], _hashes(case), root)
    else:
        roots = b64decode(case["root1"]), b64decode(case["root2"])
        require_consistency(case["size1"], case["size2"], _hashes(case), *roots)


def test_vectors_are_accepted_and_refused_as_they_must() -> None:
    """All 98 inclusion and 98 consistency cases of transparency-dev/merkle: 12 hold, 184 are refused."""
    accepted = refused = 0
    for case in CASES:
        if case["wantErr"]:
            with pytest.raises(InvalidProof):
                _check(case)
            refused += 1
        else:
            _check(case)
            accepted += 1
    assert (accepted, refused) == (12, 184)


def test_consistency_of_two_empty_trees_is_refused() -> None:
    """The trap in the vectors: of the empty tree nothing follows, so its proof is none, even where both roots agree."""
    assert any(case["file"] == EMPTY_TREES and case["wantErr"] for case in CASES)
    with pytest.raises(InvalidProof):
        require_consistency(0, 0, [], EMPTY_ROOT, EMPTY_ROOT)


def _defined(leaves: list[bytes]) -> bytes:
    """MTH as RFC 9162, 2.1.1 defines it."""
    if len(leaves) < 2:
        return leaves[0] if leaves else EMPTY_ROOT
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    return node_hash(_defined(leaves[:middle]), _defined(leaves[middle:]))


LEAVES = [leaf_hash(str(number).encode()) for number in range(70)]


def _subtree(level: int, index: int) -> bytes:
    return _defined(LEAVES[index << level : (index + 1) << level])


@pytest.mark.parametrize("size", range(len(LEAVES) + 1))
def test_root_is_that_of_the_definition(size: int) -> None:
    """Whether it is computed from subtrees or from all hashes, a root is RFC 9162's."""
    wanted = _defined(LEAVES[:size])
    assert tree_root(size, _subtree) == wanted
    assert root_of_hashes(LEAVES[:size]) == wanted


@given(st.data())
def test_proofs_hold_for_their_place_and_for_no_other(data: st.DataObject) -> None:
    """A proof that is made here is accepted, and refused with another index, size, leaf, root or path."""
    size = data.draw(st.integers(1, len(LEAVES)))
    index = data.draw(st.integers(0, size - 1))
    proof, root = inclusion_proof(index, size, _subtree), tree_root(size, _subtree)
    require_inclusion(LEAVES[index], index, size, proof, root)
    other = data.draw(st.integers(0, size).filter(lambda each: each != index))
    for forged in (
        (LEAVES[index], other, size, proof, root),
        (LEAVES[index], index, size, [*proof, root], root),
        (LEAVES[index], index, size, proof, LEAVES[0] if root != LEAVES[0] else EMPTY_ROOT),
        (leaf_hash(b"another"), index, size, proof, root),
    ):
        with pytest.raises(InvalidProof):
            require_inclusion(*forged)


@given(st.data())
def test_consistency_holds_for_a_beginning_and_for_nothing_else(data: st.DataObject) -> None:
    """A log that changed what it said before cannot be proved consistent with it."""
    second = data.draw(st.integers(2, len(LEAVES)))
    first = data.draw(st.integers(1, second - 1))
    proof = consistency_proof(first, second, _subtree)
    earlier, later = tree_root(first, _subtree), tree_root(second, _subtree)
    require_consistency(first, second, proof, earlier, later)
    rewritten = _defined([leaf_hash(b"rewritten"), *LEAVES[1:first]])
    for forged in ((proof, rewritten, later), (proof[:-1], earlier, later), ([*proof, later], earlier, later)):
        with pytest.raises(InvalidProof):
            require_consistency(first, second, *forged)


def test_proofs_of_nothing_are_not_made() -> None:
    """Nobody is given a proof from the empty tree, of a larger to a smaller one, or of an entry that is not there."""
    for first, second in ((0, 4), (5, 4), (-1, 2)):
        with pytest.raises(UsageError):
            consistency_proof(first, second, _subtree)
    with pytest.raises(UsageError):
        inclusion_proof(4, 4, _subtree)
