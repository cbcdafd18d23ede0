"""The checker of claims."""
