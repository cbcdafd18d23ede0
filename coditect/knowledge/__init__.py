"""The use cases: ingest, build, query, drill down, validate, verify, review, calibrate, report, export and import."""
