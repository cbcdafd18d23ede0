"""Tests of how a claim is laid beside its evidence."""
