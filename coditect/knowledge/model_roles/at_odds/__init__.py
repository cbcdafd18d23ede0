"""What the reducer reads for conflicts in a build: statements, pairs of them, what rules would publish; and what comes of it."""
