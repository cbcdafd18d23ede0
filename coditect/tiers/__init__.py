"""The four tiers as pure functions from records to records."""
