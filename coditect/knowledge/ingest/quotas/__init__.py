"""What tenants were granted: the operator's file, what a tenant has already, and what an intake may still take in."""
