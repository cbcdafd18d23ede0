"""Limits: figures that sentences fix, whatever verb they hang on, and how two of them are known to be about one thing."""
