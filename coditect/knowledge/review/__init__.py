"""Checking what others wrote, replaying verdicts, and signing them."""
