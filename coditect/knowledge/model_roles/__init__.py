"""Where in a build each role of a language model is called, and what comes of its answers."""
