"""Audit reports: one model, rendered as a self-contained HTML document and as JSON."""
