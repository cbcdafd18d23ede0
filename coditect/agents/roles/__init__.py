"""What each role of a language model is told, and what is read from its answers."""
