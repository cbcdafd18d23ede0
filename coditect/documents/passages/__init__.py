"""Passages: the unit that Tier 2 summarises, and the tree of sizes that search matches in."""
