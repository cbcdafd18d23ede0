"""Statements that are at odds, put together: their sides, clusters of them, and documents below what a framework asks."""
