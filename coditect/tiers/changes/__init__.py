"""What changed between two versions of a document: provisions, how they are paired, and what of their duties differs."""
