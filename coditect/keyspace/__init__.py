"""The key layout and the value envelope."""

from coditect.keyspace.encoding import ENVELOPE_BYTES, POINTER, WHOLE, seal, unseal
from coditect.keyspace.layout import FORMAT, LAYOUT, PART_BYTES, Keyspace, Table, key_part

__all__ = [
    "ENVELOPE_BYTES",
    "FORMAT",
    "LAYOUT",
    "PART_BYTES",
    "POINTER",
    "WHOLE",
    "Keyspace",
    "Table",
    "key_part",
    "seal",
    "unseal",
]
