"""Runs the check of words: rules that refute first, then the calibrated probability of support."""
