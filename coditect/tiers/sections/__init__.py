"""Tier 3: which topics a corpus has, and what the section on each quotes from which documents."""
