"""The roles that a language model plays in a build."""
