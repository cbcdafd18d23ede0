"""Documents erased out of a corpus in use, and a search for their words that shares no code with the erasure."""
