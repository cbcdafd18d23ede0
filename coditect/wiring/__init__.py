"""Parts of the wiring: which engine a URL names and what is done with a whole store, and which models settings name."""
