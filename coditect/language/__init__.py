"""What one sentence says: norms, definitions, quantities, references, entities and quotes."""
