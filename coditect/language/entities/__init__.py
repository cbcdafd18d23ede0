"""Names of companies, bodies, roles and terms: where a text mentions them, and how a name is written to be looked up."""
