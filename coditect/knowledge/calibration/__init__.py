"""Fitting the checker, the gate and the fusion on a corpus' own reviews and marks; proposing, never switching."""
