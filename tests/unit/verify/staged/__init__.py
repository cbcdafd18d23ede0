"""Tests of the two stages and of the second reader."""
