"""Signatures of persons: their keys and how long these hold, what is shown to who signs, and what makes a signature valid."""
