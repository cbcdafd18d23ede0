"""Tier 4 as it is published: contradicting edits planted into claims, citations followed, the calibration of the checker."""
