"""Statements that stand on their own, with what they take from their context."""
