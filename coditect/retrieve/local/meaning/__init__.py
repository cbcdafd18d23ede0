"""Ranking by meaning: vectors of passages, coarse and exact, the best read word for word, and what is made where documents are derived."""
