"""Which sentences of a bank's policies a changed regulation touches: planted ones, in words of their own, and what the work list names."""
