"""Whether a hit answers at all."""
