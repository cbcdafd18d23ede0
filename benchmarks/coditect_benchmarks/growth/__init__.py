"""How a build grows with its corpus: processor time and memory by phase, of a full build and of one changed document."""
