"""Answers to the questions of a questionnaire, out of one generation."""
