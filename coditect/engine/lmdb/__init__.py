"""The embedded engine: LMDB."""
