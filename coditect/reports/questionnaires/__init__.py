"""Questionnaires as workbooks: read as they come, filled in their own formatting."""
