"""What each role is asked, and what is made of its answers."""
