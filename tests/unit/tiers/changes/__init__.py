"""Tests of what changed between two versions of a document."""
