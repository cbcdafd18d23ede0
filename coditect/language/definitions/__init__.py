"""Terms and what they mean, in prose and in glossaries."""
