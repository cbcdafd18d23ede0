"""Faithful rewrites: a claim in other words, proven word by word from one statement of its evidence."""
