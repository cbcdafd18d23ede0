"""Outline, passages and sentences."""
