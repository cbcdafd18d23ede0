"""What keeps two statements apart before they are compared: what a time runs from, and what does not stand by itself."""
