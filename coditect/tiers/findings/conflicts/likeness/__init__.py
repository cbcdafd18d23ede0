"""Likeness: how probable it is that two limits in other words are of one thing, and which documents are held against each other."""
