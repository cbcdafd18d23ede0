"""What the reducer is asked of statements that may be at odds, two at a time or all of a corpus at once."""
