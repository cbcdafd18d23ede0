"""What language models are asked, at what cost, and what is read from their answers."""
