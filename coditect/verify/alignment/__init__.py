"""A claim beside its evidence: which sentences hold its words, and which word stands for which."""
