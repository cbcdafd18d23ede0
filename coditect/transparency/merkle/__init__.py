"""The tree over the log: hashes, proofs that need no store, the tiles that it is kept in, and those as rows of the store."""
