"""Tier 1: what each sentence of a document says, verbatim and with offsets."""
