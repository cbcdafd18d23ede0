"""Files that nobody would write but to do harm, each kind made in any size, and what they may cost."""
