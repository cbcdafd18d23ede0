"""The audit trail: the log's entries joined with the records that they tell of, and the reads that are logged in batches."""
