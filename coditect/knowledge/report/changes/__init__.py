"""What changed between two states of a corpus, and what rests on it."""
