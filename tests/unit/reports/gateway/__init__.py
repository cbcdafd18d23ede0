"""Checked texts for code review and build servers."""
