"""Asking a language model: many at a time, within budgets and prices, nothing paid twice."""
