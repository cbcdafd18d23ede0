"""What a sentence says of a requirement: whether it asks all of it, some of it, more, less, or the opposite."""
