"""Proof that a stored hierarchy is what it says."""
