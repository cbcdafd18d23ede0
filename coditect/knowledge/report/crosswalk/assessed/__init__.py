"""A crosswalk as a language model reads it: what is asked, and what becomes of the answers (ADR 112)."""
