"""Tiers 3 and 4."""
