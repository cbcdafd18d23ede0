"""Long work that a request starts: kept in files, told as it goes on, and told as interrupted after a restart."""
