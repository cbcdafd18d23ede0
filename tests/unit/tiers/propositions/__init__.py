"""Statements that stand on their own."""
