"""What documents say, as findings read it: their statements, and the words by which these are passed over."""
