"""Registers for assistants: every duty, deadline, definition, contract and exception, a page at a time."""
