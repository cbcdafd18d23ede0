"""PDF files with a text layer."""
