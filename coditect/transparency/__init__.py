"""The transparency log: an append-only Merkle tree of events, its signed checkpoints, and proofs that need none of our code."""
