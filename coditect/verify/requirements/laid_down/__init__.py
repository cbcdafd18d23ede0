"""What is left of "meets" where a sentence is read once more: who speaks, and what falls short word for word (ADR 101, 108)."""
