"""A corpus against its log: the log against a checkpoint that somebody kept, then every row against what the log tells of it."""
