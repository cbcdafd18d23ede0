"""The key layout and the value envelope."""

from coditect.keyspace.encoding import ENVELOPE_BYTES, POINTER, WHOLE, seal, seal_compressed, unseal
from coditect.keyspace.ids import packed_id, unpacked_id
from coditect.keyspace.layout import FORMAT, FORMATS, PART_BYTES, Keyspace, Part, key_part, part_text
from coditect.keyspace.tables import LAYOUT, Table

__all__ = [
    "ENVELOPE_BYTES",
    "FORMAT",
    "FORMATS",
    "LAYOUT",
    "PART_BYTES",
    "POINTER",
    "WHOLE",
    "Keyspace",
    "Part",
    "Table",
    "key_part",
    "packed_id",
    "part_text",
    "seal",
    "seal_compressed",
    "unpacked_id",
    "unseal",
]
