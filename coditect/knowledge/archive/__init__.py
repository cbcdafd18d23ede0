"""A corpus as one archive file: export, and import by one process at a time."""
