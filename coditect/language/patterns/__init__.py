"""Patterns: compiled when they are first used, and led by how their matches can begin."""
