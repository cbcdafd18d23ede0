"""Placeholder until the branch of the server is merged."""
