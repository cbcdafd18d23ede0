"""What one sentence says, in parts: norms, definitions, quantities, references, entities and quotes; and words as data."""
