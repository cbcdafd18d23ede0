"""Mappings that others published, taken as claims and checked against the words of both sides."""
