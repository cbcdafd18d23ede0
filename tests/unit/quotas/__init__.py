"""Quotas: the operator's file, and what tenants may take in and build."""
