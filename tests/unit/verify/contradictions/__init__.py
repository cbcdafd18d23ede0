"""Unit tests of the rules that find contradictions."""
