"""What one sentence says, read once: its words and tokens, negations, binding words, quantities, conditions, and who acts."""
