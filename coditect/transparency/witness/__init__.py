"""Witnesses: whoever cosigns only what continues what it saw before, so that nobody can be shown another log. C2SP ``tlog-witness``."""
