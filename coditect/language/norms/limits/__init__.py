"""What limits an act: conditions, exceptions and times around it, what they open with, and where the act itself ends."""
