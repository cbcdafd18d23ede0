"""Every row of a corpus, of all generations: its checksum, its shape, its id, its index entries, and what it points to."""
