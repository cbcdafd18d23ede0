"""Tests of the verifier, on bundles that coditect knowledge wrote."""
