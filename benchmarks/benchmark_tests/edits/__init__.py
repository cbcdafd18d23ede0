"""Unit tests of the compliance-edit benchmark."""
