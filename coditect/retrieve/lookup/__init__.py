"""What a question or a reference names outright, found through the store's indexes: nothing is ranked by how it sounds."""
