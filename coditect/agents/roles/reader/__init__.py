"""The reader (Tier 1): a model reads provisions, and says the norms and definitions in them by words that stand there."""
