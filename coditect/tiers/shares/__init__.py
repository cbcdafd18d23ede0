"""What one document gives to the tiers above documents, read once and kept, so that a change reads the changed document alone."""
