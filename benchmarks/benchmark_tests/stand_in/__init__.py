"""Tests of the stand-in for the model's service."""
