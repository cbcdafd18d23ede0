"""A second reader for the check of words: a small model over what the readings of a claim and its evidence measure."""
