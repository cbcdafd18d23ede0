"""What every engine must do, as a test suite, and engines to test with."""
