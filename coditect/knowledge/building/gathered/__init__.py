"""What the shares of a corpus give together, kept beside the store, so that a change reads and writes its own part alone."""
