"""Tests of coditect.documents."""
