"""The use cases: ingest, build, query, drill down, validate, report."""
