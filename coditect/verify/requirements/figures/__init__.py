"""Figures of requirements and sentences: how often, by when, how long, how many, and which of two is stricter."""
