"""From a file's bytes to canonical text, its outline, its sentences and its passages."""
