"""Faithful rewrites, proven word by word."""
