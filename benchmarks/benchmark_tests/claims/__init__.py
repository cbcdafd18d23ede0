"""Tests of the benchmark of written claims."""
