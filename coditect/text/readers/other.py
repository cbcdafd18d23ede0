"""Formats that the optional ``markitdown`` package can turn into Markdown: slides, e-books, mails, rich text."""

from __future__ import annotations

import importlib.util
import io
import warnings

from coditect.errors import ReadError
from coditect.text.readers import markdown
from coditect.text.readers.canonical import canonicalize
from coditect.text.readers.failures import LIBRARY_FAILURES, broken
from coditect.text.readers.limits import ReadLimits
from coditect.text.source import SourceText

__all__ = ["CONVERTIBLE", "available", "read"]

# Suffix -> media type.
CONVERTIBLE: dict[str, str] = {
    ".epub": "application/epub+zip",
    ".ipynb": "application/x-ipynb+json",
    ".msg": "application/vnd.ms-outlook",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".rtf": "application/rtf",
    ".xls": "application/vnd.ms-excel",
}


def available() -> bool:
    """Whether the ``markitdown`` extra is installed."""
    return importlib.util.find_spec("markitdown") is not None


def read(raw: bytes, name: str, limits: ReadLimits, suffix: str) -> SourceText:
    """Convert to Markdown, then read that.

    Args:
        raw: the file.
        name: its relative name.
        limits: bounds.
        suffix: a key of :data:`CONVERTIBLE`.

    Raises:
        ReadError: the converter is not installed or fails, or the result holds no text.
    """
    if not available():
        raise ReadError(
            "this format needs the optional converter",
            hint="Install the extra: pip install 'coditect-knowledge[markitdown]'.",
            name=name,
        )
    from markitdown import MarkItDown, MarkItDownException

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            converted = MarkItDown(enable_plugins=False).convert_stream(io.BytesIO(raw), file_extension=suffix)
    except (MarkItDownException, *LIBRARY_FAILURES) as error:
        raise broken("the converter cannot read the file", name, error, "Save it as .docx or .pdf.") from error
    text = canonicalize(converted.markdown or "")
    if not text or text.isspace():
        raise ReadError(
            "the file holds no text", hint="Leave it out, or export it as PDF with a text layer.", name=name
        )
    return markdown.read_text(text, name, limits, media_type=CONVERTIBLE[suffix], reader="markitdown/1")
