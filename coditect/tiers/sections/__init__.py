"""Tier 3: topics, and the sections that quote several documents on each."""
