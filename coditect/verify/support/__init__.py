"""How probable it is that evidence supports a claim."""
