"""Building a corpus: sections, summary, and one pointer that is flipped; the same for items that a program stores step by step."""
