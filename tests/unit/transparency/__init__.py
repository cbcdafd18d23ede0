"""The transparency log, held against the public vectors of its standards."""
