"""What Tier 1 reads from a quote, typed by the kind of extraction."""
