"""Claude over the anthropic library."""
