"""How well claim checkers tell supported claims from unsupported ones, on labelled sets that others made."""
