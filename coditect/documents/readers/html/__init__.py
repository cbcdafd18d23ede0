"""Web pages, as a browser shows them."""
