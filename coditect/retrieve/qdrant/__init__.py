"""Search in a Qdrant vector store, behind the same port as local search."""
