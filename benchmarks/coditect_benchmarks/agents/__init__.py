"""Builds with agents against the service of the tests: time, memory, and what is not paid."""
