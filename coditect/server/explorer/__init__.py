"""The explorer: server-rendered pages from a corpus' summary to the highlighted words, readable and usable without script."""
