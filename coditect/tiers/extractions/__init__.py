"""Tier 1: each sentence of a document as records, verbatim and with offsets."""
