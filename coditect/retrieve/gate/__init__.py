"""The relevance gate: decides whether a hit answers at all; knowledge/query withholds what does not."""
