"""Conflicts: what statements fix or ask, which of them speak of one matter, and which of these cannot both be followed."""
