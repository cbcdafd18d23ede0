"""Formats that the optional ``markitdown`` package can turn into Markdown: slides, e-books, mails, notebooks."""

from __future__ import annotations

import importlib.util
import io
import warnings
from dataclasses import dataclass

from coditect.documents.readers import markdown
from coditect.documents.readers.archive import check_archive
from coditect.documents.readers.canonical import canonicalize
from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.source import SourceText
from coditect.errors import ReadError

__all__ = ["CONVERTIBLE", "Format", "available", "read"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format and what converts it.

    Attributes:
        media_type: IANA media type.
        converter: the class in ``markitdown.converters``.
        member: for zip archives, the member that makes them this format; else "".
    """

    media_type: str
    converter: str
    member: str = ""


CONVERTIBLE: dict[str, Format] = {
    ".epub": Format("application/epub+zip", "EpubConverter", "META-INF/container.xml"),
    ".ipynb": Format("application/x-ipynb+json", "IpynbConverter"),
    ".msg": Format("application/vnd.ms-outlook", "OutlookMsgConverter"),
    ".pptx": Format(
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "PptxConverter",
        "ppt/presentation.xml",
    ),
    ".xls": Format("application/vnd.ms-excel", "XlsConverter"),
}
"""By suffix."""


def available() -> bool:
    """Whether the ``markitdown`` extra is installed."""
    return importlib.util.find_spec("markitdown") is not None


def read(raw: bytes, name: str, limits: ReadLimits, suffix: str) -> SourceText:
    """Convert to Markdown, then read that.

    Args:
        raw: the bytes of the file.
        name: its relative name.
        limits: the bounds on what is read.
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
    from markitdown import MarkItDown, MarkItDownException, converters

    form = CONVERTIBLE[suffix]
    if form.member:
        check_archive(raw, name, form.member, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Only the one converter: with all of them, a damaged file is "converted" by the one for plain text.
            engine = MarkItDown(enable_builtins=False, enable_plugins=False)
            engine.register_converter(getattr(converters, form.converter)())
            converted = engine.convert_stream(io.BytesIO(raw), file_extension=suffix)
    except (MarkItDownException, *LIBRARY_FAILURES) as error:
        raise broken("the converter cannot read the file", name, error, "Save it as .docx or .pdf.") from error
    text = canonicalize(converted.markdown or "")
    if not text or text.isspace():
        raise ReadError(
            "the file holds no text", hint="Leave it out, or export it as PDF with a text layer.", name=name
        )
    return markdown.read_text(text, name, limits, media_type=form.media_type, reader="markitdown/1")
