"""Registers of what the documents of a generation say: duties, definitions, deadlines, references, figures, claims."""
