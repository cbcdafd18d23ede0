"""Storage engines behind one port."""
