"""Registers: which rows they hold, and the files that they are written to."""
