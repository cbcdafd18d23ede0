"""Reading files in a process of their own, within a budget of memory and time: whatever a file does there costs one file."""
