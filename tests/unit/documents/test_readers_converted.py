"""Formats that the optional converter reads; only where it is installed."""

from __future__ import annotations

import pytest

from coditect.documents.readers import read_source
from coditect.errors import ReadError
from tests.unit.documents.documents import blocks

pytest.importorskip("markitdown")


def test_notebook_is_read_by_the_converter() -> None:
    """The converter's Markdown goes through our own Markdown reader."""
    raw = b'{"cells":[{"cell_type":"markdown","source":["# Head\\n","text *x*"]}],"metadata":{},"nbformat":4}'
    source = read_source(raw, "a.ipynb")
    assert source.reader == "markitdown/1"
    assert blocks(source) == [("heading", 1, "Head"), ("paragraph", 0, "text x")]


@pytest.mark.parametrize("name", ["a.pptx", "a.epub", "a.msg", "a.xls", "a.ipynb"])
def test_damaged_files_are_not_converted_to_garbage(name: str) -> None:
    """A broken file is refused, not read as if its bytes were characters."""
    with pytest.raises(ReadError):
        read_source(b"PK\x03\x04 broken", name)
    with pytest.raises(ReadError):
        read_source(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"broken" * 200, name)
