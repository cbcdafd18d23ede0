"""What one sentence says, read once."""
