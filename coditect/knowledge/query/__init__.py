"""Answering questions at any tier, with the chain of evidence."""
