"""Building a corpus: documents, sections, summary, and one pointer that is flipped."""
