"""How documents and whole corpora come into a store: what is written first is not seen before the row that says so."""
