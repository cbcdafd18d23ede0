"""Search on this machine: words by tantivy, vectors by numpy."""
