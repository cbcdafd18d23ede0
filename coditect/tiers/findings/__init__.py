"""What statements of several documents say together: measures, conflicts, gaps and counts."""
