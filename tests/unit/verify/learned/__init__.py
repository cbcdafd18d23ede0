"""Unit tests of the statistical half of the claim checker."""
