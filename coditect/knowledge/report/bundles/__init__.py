"""Evidence bundles: what a third party needs to check a claim, a section, a document or a report without this program."""
