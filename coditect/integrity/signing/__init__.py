"""Persons who sign: the register of their keys, how many of them a corpus asks for, and what is in force by their signatures."""
