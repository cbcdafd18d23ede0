"""Ranking by meaning: vectors of passages, coarse and exact, single words, and what is made where documents are derived."""
