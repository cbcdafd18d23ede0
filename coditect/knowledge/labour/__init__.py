"""Work on many documents: spread over processes, and what fails of one of them does not stop the others."""
