"""What persons decided of extractions, applied to Tier 1 on its way to the tiers above: dismissed, corrected, or signed as read."""
