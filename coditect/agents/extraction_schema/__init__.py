"""What the mapper is to extract."""
