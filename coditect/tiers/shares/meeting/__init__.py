"""Which entries of documents that bind the same people may be in a conflict, and what is kept of what came of it."""
