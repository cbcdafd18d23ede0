"""The key layout and the value envelope."""

from coditect.keyspace.encoding import ENVELOPE_BYTES, POINTER, WHOLE, seal, unseal
from coditect.keyspace.layout import FORMAT, LAYOUT, PART_BYTES, Keyspace, Part, Table, key_part, part_text

__all__ = [
    "ENVELOPE_BYTES",
    "FORMAT",
    "LAYOUT",
    "PART_BYTES",
    "POINTER",
    "WHOLE",
    "Keyspace",
    "Part",
    "Table",
    "key_part",
    "part_text",
    "seal",
    "unseal",
]
