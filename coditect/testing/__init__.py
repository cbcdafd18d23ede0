"""Shipped test equipment: a perfect in-memory engine, and the conformance suite that every engine passes."""
