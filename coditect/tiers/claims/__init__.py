"""Tier 4 without a model: claims composed from Tier 3 quotes."""
