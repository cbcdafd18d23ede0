"""The light embedder that comes with the installation."""
