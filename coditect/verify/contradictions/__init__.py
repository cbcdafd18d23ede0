"""Hard differences between a claim and its evidence, found by rules."""
