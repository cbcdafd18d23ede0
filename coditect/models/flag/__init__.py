"""Models from a local folder through FlagEmbedding and torch."""
