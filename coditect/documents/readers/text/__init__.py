"""Texts without a layout of their own: plain text, JSON, and mail."""
