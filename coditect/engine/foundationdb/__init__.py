"""The engine for many machines: FoundationDB."""
