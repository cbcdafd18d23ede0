"""Which sentences of a bank's policies a changed regulation touches: planted ones in other words, and what the work list names."""
