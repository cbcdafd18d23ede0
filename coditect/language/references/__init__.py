"""Cross-references, and the places that they point to."""
