"""Which parser reads sentences best: rules, a statistical dependency parser, a small tagger; all on the gold, in one run."""
