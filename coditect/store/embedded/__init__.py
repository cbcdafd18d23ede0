"""What models made of items, kept beside them: vectors of items, and of their tokens."""
