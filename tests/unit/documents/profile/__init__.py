"""Tests of what a document says of itself."""
