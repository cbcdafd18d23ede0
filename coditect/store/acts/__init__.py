"""What persons and programs did: events of a corpus, and which calibration they put in force."""
