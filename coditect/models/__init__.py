"""Ports of embedders, language models and entailment checkers, and their adapters."""
