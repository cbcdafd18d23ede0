"""The Merkle tree of RFC 9162 with SHA-256: hashes of leaves and nodes, proofs, and the checks of proofs.

Nothing here holds a tree. Who makes a proof gives a function that tells the hash of a complete subtree, which
:mod:`coditect.transparency.merkle.tiles` reads from tiles; who checks one needs the proof and two roots.

A *complete subtree* of level ``l`` and index ``i`` spans the leaves ``i * 2**l`` to ``(i + 1) * 2**l``, half-open.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from coditect.errors import InvalidProof, UsageError

__all__ = [
    "EMPTY_ROOT",
    "HASH_BYTES",
    "SubtreeHash",
    "TreeFold",
    "consistency_proof",
    "inclusion_proof",
    "leaf_hash",
    "node_hash",
    "require_consistency",
    "require_inclusion",
    "root_of_hashes",
    "tree_root",
]

HASH_BYTES = 32

EMPTY_ROOT = hashlib.sha256(b"").digest()
"""The root of the tree without leaves. RFC 9162, 2.1.1."""

SubtreeHash = Callable[[int, int], bytes]
"""(level, index) to the hash of that complete subtree, 32 bytes."""


def leaf_hash(entry: bytes) -> bytes:
    """The hash of an entry as a leaf. RFC 9162, 2.1.1."""
    return hashlib.sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node over those of its children. RFC 9162, 2.1.1."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of_hashes(hashes: Sequence[bytes]) -> bytes:
    """The root of the tree over these leaf hashes, all of them at hand: for tiles, which have at most 256."""
    if not hashes:
        return EMPTY_ROOT
    level = list(hashes)
    while len(level) > 1:
        # A node without a sibling is carried up as it is: the same tree as RFC 9162's, which splits from the top.
        odd = [level[-1]] if len(level) % 2 else []
        level = [node_hash(*level[each : each + 2]) for each in range(0, len(level) - 1, 2)] + odd
    return level[0]


def _split(size: int) -> int:
    """The largest power of two below ``size``, which must be > 1: where RFC 9162 divides a tree."""
    return 1 << ((size - 1).bit_length() - 1)


def _range_hash(begin: int, end: int, subtree: SubtreeHash) -> bytes:
    """The hash of the leaves ``begin`` to ``end``, half-open, as they come about when a tree is divided."""
    size = end - begin
    level = size.bit_length() - 1
    if size == 1 << level:
        return subtree(level, begin >> level)
    middle = begin + _split(size)
    return node_hash(_range_hash(begin, middle, subtree), _range_hash(middle, end, subtree))


class TreeFold:
    """The root of a tree whose leaves come one by one: one hash is held for each bit of its size.

    Attributes:
        size: leaves so far.
    """

    def __init__(self) -> None:
        self.size = 0
        self._complete: list[bytes] = []

    def add(self, leaf: bytes) -> None:
        """Add a leaf's hash."""
        size = self.size
        while size & 1:  # two complete subtrees of one height are one of the next
            leaf = node_hash(self._complete.pop(), leaf)
            size >>= 1
        self._complete.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """The root over the leaves so far."""
        if not self._complete:
            return EMPTY_ROOT
        *left, found = self._complete
        for each in reversed(left):
            found = node_hash(each, found)
        return found


def tree_root(size: int, subtree: SubtreeHash) -> bytes:
    """The root of the first ``size`` leaves.

    Args:
        size: leaves, >= 0.
        subtree: tells the hashes of complete subtrees.
    """
    return _range_hash(0, size, subtree) if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, subtree: SubtreeHash) -> list[bytes]:
    """The proof that a leaf is in a tree, from the leaf's sibling up. RFC 9162, 2.1.3.1.

    Args:
        index: of the leaf, from 0.
        size: leaves of the tree.
        subtree: tells the hashes of complete subtrees.

    Raises:
        UsageError: the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise UsageError("the log has no entry of this index at that size", index=index, size=size)
    proof: list[bytes] = []
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if index < middle:
            proof.append(_range_hash(middle, end, subtree))
            end = middle
        else:
            proof.append(_range_hash(begin, middle, subtree))
            begin = middle
    return proof[::-1]


def consistency_proof(first: int, second: int, subtree: SubtreeHash) -> list[bytes]:
    """The proof that a tree is the beginning of a later one. RFC 9162, 2.1.4.1; empty where both have one size.

    Args:
        first: leaves of the earlier tree, > 0: every tree begins with the empty one, so that proves nothing.
        second: leaves of the later one.
        subtree: tells the hashes of complete subtrees.

    Raises:
        UsageError: sizes between which nothing can be proved.
    """
    if not 0 < first <= second:
        raise UsageError("nothing can be proved between these sizes of a log", first=first, second=second)
    proof: list[bytes] = []
    begin, end = 0, second
    while first != end:
        middle = begin + _split(end - begin)
        if first <= middle:
            proof.append(_range_hash(middle, end, subtree))
            end = middle
        else:
            proof.append(_range_hash(begin, middle, subtree))
            begin = middle
    if begin:  # else it is the earlier tree's root, which whoever checks the proof has
        proof.append(_range_hash(begin, end, subtree))
    return proof[::-1]


def require_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Check that a leaf is in a tree. RFC 9162, 2.1.3.2.

    Args:
        leaf: the leaf's hash, computed by who checks.
        index: of the leaf, from 0.
        size: leaves of the tree.
        proof: from the leaf's sibling up.
        root: of the tree, from a checkpoint whose signature was checked.

    Raises:
        InvalidProof: it does not prove that.
    """
    _require_hashes([leaf, *proof])
    if not 0 <= index < size:
        raise InvalidProof("a proof speaks of an entry outside of its log", index=index, size=size)
    first, last, found = index, size - 1, leaf
    for each in proof:
        if last == 0:
            raise InvalidProof("an inclusion proof is longer than its tree is high", index=index, size=size)
        if first & 1 or first == last:
            found = node_hash(each, found)
            while first and not first & 1:
                first, last = first >> 1, last >> 1
        else:
            found = node_hash(found, each)
        first, last = first >> 1, last >> 1
    if last or found != root:
        raise InvalidProof("an inclusion proof does not lead to the root of its checkpoint", index=index, size=size)


def require_consistency(first: int, second: int, proof: Sequence[bytes], earlier: bytes, later: bytes) -> None:
    """Check that a tree is the beginning of a later one. RFC 9162, 2.1.4.2.

    Args:
        first: leaves of the earlier tree, > 0.
        second: leaves of the later one.
        proof: as :func:`consistency_proof` gives it.
        earlier: the root of the earlier tree.
        later: the root of the later one.

    Raises:
        InvalidProof: it does not prove that; also where the earlier tree is empty, of which nothing follows.
    """
    _require_hashes(proof)
    sizes: dict[str, Any] = {"first": first, "second": second}
    if not 0 < first <= second:
        raise InvalidProof("a consistency proof is between sizes that prove nothing", **sizes)
    if first == second:
        if proof or earlier != later:
            raise InvalidProof("two trees of one size differ", **sizes)
        return
    path = list(proof)
    if first & (first - 1) == 0:  # a complete subtree: its root is the first node of the path
        path.insert(0, earlier)
    if not path:
        raise InvalidProof("a consistency proof is empty", **sizes)
    left, right = first - 1, second - 1
    while left & 1:
        left, right = left >> 1, right >> 1
    old = new = path[0]
    for each in path[1:]:
        if right == 0:
            raise InvalidProof("a consistency proof is longer than its tree is high", **sizes)
        if left & 1 or left == right:
            old, new = node_hash(each, old), node_hash(each, new)
            while left and not left & 1:
                left, right = left >> 1, right >> 1
        else:
            new = node_hash(new, each)
        left, right = left >> 1, right >> 1
    if right or old != earlier or new != later:
        raise InvalidProof("a log does not begin with what it was before", **sizes)


def _require_hashes(hashes: Sequence[bytes]) -> None:
    """Hashes of one length, or two nodes could be read as two others; roots are compared, so theirs need no look."""
    if any(len(each) != HASH_BYTES for each in hashes):
        raise InvalidProof("a hash of a proof does not have 32 bytes")
