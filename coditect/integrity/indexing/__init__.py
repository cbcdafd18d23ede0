"""Adding and dropping the indexes that a store may have, while it is in use."""
