"""What a house must have and has not: duties that nobody takes up, roles without a holder or a task, what is too old."""
