"""The use cases by subject: each module a class, all of which ``Knowledge`` is."""
