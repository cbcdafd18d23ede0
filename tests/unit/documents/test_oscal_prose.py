"""Prose of OSCAL in XML: no kind of block that the format has is left out."""

from __future__ import annotations

from coditect.documents.readers.regulatory.oscal import NAMESPACE, node_from_xml
from coditect.documents.readers.regulatory.regml import parse_markup

PART = f"""<part xmlns="{NAMESPACE}" name="guidance" id="g">
<p>Keep <!-- not this --> the log.</p>
<blockquote><p>As the harbour does.</p><ul><li>Daily.</li></ul></blockquote>
<table><tr><th>Log</th><th>Kept for</th></tr><tr><td>Gate</td><td><insert type="param" id-ref="z"/></td></tr></table>
<ol><li>Lock it.</li></ol></part>"""


def test_every_block_of_prose_is_read() -> None:
    """Paragraphs, quotations, tables row by row, and lists; comments are none of it."""
    assert node_from_xml(parse_markup(PART.encode(), "part.xml"))["prose"].split("\n\n") == [
        "Keep the log.",
        "As the harbour does.",
        "Daily.",
        "Log | Kept for",
        "Gate | {{ insert: param, z }}",
        "Lock it.",
    ]
