"""The same use cases over HTTP: an API for programs and pages for people. Nothing in it knows more than ``knowledge`` does."""
