"""The relevance gate: whether a hit answers at all, or the answer is that nothing does."""
