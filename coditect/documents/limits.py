"""How much is taken in of one document."""

from __future__ import annotations

__all__ = ["MOST_EXTRACTIONS"]

MOST_EXTRACTIONS = 50_000
"""Extractions of one document, unless the user says otherwise. A document that holds more is a failure by name, and the others are
built; so what the derivation of one costs is bounded, by the same number on every machine."""
