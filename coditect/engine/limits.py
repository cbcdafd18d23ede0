"""The stricter of what LMDB and FoundationDB allow, enforced by every engine.

Source: FoundationDB 7.3 "Known limitations" (key 10,000 B, value 100,000 B, transaction 10,000,000 B, advised below
1 MB); LMDB's compiled-in key limit of 511 B.
"""

from __future__ import annotations

__all__ = ["KEY_BYTES", "RANGE_LIMIT", "TRANSACTION_BYTES", "VALUE_BYTES"]

KEY_BYTES = 500
"""Longest packed key. LMDB stops at 511."""

VALUE_BYTES = 100_000
"""Longest value. FoundationDB stops at 100,000."""

TRANSACTION_BYTES = 1_000_000
"""Keys and values that one transaction may affect. FoundationDB stops at 10,000,000 and advises 1,000,000."""

RANGE_LIMIT = 10_000
"""Most rows in one page of a range read."""
