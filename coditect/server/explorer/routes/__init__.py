"""The addresses of the explorer: each takes a request apart, asks one use case, and renders one page."""
