"""Roles that a command or a caller asks for, apart from any build: the examiner, the assessor and the tracer."""
