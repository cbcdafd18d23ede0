"""Tests of coditect.text."""
