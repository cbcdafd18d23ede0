"""Corpora between stores: archives that are written, proven and imported, and stores that are brought to the format of today."""
