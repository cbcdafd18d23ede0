"""What every embedder must do, as a test suite, and one to test with."""
