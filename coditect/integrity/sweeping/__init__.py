"""Removing what nothing refers to: what killed builds and ingests left, and documents that were replaced before any build."""
