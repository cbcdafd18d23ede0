"""Pairs of statements that cannot both be followed, and pairs that only look so."""
