"""Tier 2: the sentences that stand for each chunk of a document."""
