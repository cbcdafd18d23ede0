"""Witnesses: who cosigns only what continues what it saw, so that nobody can be shown another log. C2SP ``tlog-witness``."""
