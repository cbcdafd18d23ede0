"""Unit tests of the verification benchmark."""
