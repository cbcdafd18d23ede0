"""What is derived of single documents: plans, Tiers 1 and 2 and passages, and who computes them."""
