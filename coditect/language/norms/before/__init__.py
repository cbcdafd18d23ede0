"""What stands before words of force: segments, noun phrases, subordinate clauses, later subjects and pronouns."""
