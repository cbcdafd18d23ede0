"""Storage engines behind one port, and folders beside them that several processes use."""
