"""What models say of what is missing: the reducer reads a corpus for gaps, the validator reads what would be published of it."""
