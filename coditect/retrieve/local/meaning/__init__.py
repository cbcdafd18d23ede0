"""Ranking by meaning: vectors of passages, coarse and exact, and the best passages read word for word."""
