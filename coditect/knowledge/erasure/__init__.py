"""Erasure with a certificate, legal hold, and retention: what goes, what must stay, and the search that shows that it went."""
