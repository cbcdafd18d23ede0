"""What sentences and tables say of exceptions that were made: who is excused from what, by whom, and until when."""
