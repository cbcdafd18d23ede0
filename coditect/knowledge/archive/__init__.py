"""A corpus as one archive file: export and import."""
