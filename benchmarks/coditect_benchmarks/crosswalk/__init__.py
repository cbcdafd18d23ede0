"""Crosswalks of policies and standards: what a published mapping and the removal of documents show of them.

The material is the folder ``templates`` of the public repository ``JupiterOne/security-policy-templates``:
``standards/controls-mapping.json`` says which requirements of seven standards each procedure implements, ``config.json`` which
policies a procedure belongs to. Procedures and requirements whose id has an even SHA-256 are for development; the others are opened
once for each release, with a line in ``OPENINGS.md``.
"""
