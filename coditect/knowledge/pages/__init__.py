"""Pages of documents as they look: where words stand on them, and their pictures."""
