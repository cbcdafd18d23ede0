"""Pairs of sentences that may be at odds: what each of them fixes, and the nearest two that fix different things (ADR 110)."""
