"""Asking a language model: many at a time, within limits, and nothing paid twice."""
