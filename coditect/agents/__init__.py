"""The agent pool and its roles."""
