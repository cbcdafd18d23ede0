"""Likeness: how probable it is that two limits in other words are of one thing."""
