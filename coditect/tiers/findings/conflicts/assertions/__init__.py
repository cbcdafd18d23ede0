"""Assertions: what single sentences say of numbers of people, places, meanings and limits, each read by itself."""
