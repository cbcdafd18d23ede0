"""Stored answers of language models, and the leases that keep a request from being sent twice."""
