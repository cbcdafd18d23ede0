"""Regulations and control catalogues in formats of their own: OSCAL and RegML."""
