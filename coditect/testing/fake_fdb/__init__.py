"""A FoundationDB client that keeps everything in memory."""
