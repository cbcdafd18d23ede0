"""Turn files into canonical text with layout.

One module per format; none is imported before a file needs it. The suffix proposes a format, the content confirms it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import cast

from coditect.documents.languages import describe_language
from coditect.documents.readers.canonical import counting_removed
from coditect.documents.readers.limits import ReadLimits
from coditect.documents.readers.shape import require_shape
from coditect.documents.source import SourceText
from coditect.errors import ReadError
from coditect.language.matched import describe_invisible

__all__ = ["SUPPORTED_SUFFIXES", "ReadLimits", "is_light", "is_pdf", "read_source"]

# Suffix -> module of this package.
_ARCHIVES = (".zip", ".7z", ".rar", ".tar", ".tgz", ".gz", ".bz2", ".xz")
_FORMATS: dict[str, str] = {
    ".csv": "spreadsheet",
    ".docx": "docx.reader",
    ".eml": "text.mail",
    ".htm": "html.reader",
    ".html": "html.reader",
    ".json": "text.jsontext",
    ".jsonl": "text.jsontext",
    ".markdown": "markdown",
    ".md": "markdown",
    ".ndjson": "text.jsontext",
    ".pdf": "pdf.reader",
    ".text": "text.plain",
    ".tsv": "spreadsheet",
    ".txt": "text.plain",
    ".xhtml": "html.reader",
    ".xlsm": "spreadsheet",
    ".xlsx": "spreadsheet",
    ".xml": "regulatory.regml",
}
_TEMPLATE_SUFFIXES = (".tmpl", ".j2", ".jinja", ".jinja2", ".mustache", ".hbs", ".tpl")
_WORKBOOKS = frozenset({".xlsm", ".xlsx"})
_BINARY_FORMATS = frozenset({"docx.reader", "pdf.reader"})
_DEFAULT_LIMITS = ReadLimits()

# The longest file of a text format, bytes, that the worst text of that length cannot make costly: less than a second, and less
# than 64 MB (measured with the kinds of tests/hostile). JSON and XML have none: a catalogue of a few hundred bytes may insert
# its parameters into each other for ever.
_LIGHT_BYTES = {
    "html.reader": 32 * 1024,
    "markdown": 32 * 1024,
    "text.plain": 1024 * 1024,
    "spreadsheet": 256 * 1024,
}

SUPPORTED_SUFFIXES: frozenset[str] = frozenset(_FORMATS)
"""Suffixes that are read without any extra package, lower case, with their dot."""


def read_source(raw: bytes, name: str, limits: ReadLimits = _DEFAULT_LIMITS) -> SourceText:
    """Read a file. The same bytes under the same name give the same result.

    Args:
        raw: the whole file.
        name: its relative name; the suffix is looked at, a template suffix (``.tmpl``, ``.j2``) before it is skipped.
        limits: bounds on sizes.

    Returns:
        canonical text with blocks, and pages where the format has them.

    Raises:
        ReadError: empty, too large, damaged, encrypted, not what its name says, or of an unknown format.
    """
    if not raw:
        raise ReadError("the file is empty", hint="Leave it out, or restore its content.", name=name)
    if len(raw) > limits.max_file_bytes:
        raise ReadError(
            "the file is too large",
            hint="Split the file, or raise ReadLimits.max_file_bytes.",
            name=name,
            size_bytes=len(raw),
            limit_bytes=limits.max_file_bytes,
        )
    suffix = _suffix(name)
    module = _FORMATS.get(suffix)
    if module is None:
        if _is_converted(suffix):
            from coditect.documents.readers import other

            return _read(lambda: other.read(raw, name, limits, suffix), name, limits)
        module = _sniff(raw, name)
    elif module not in _BINARY_FORMATS and suffix not in _WORKBOOKS:
        _refuse_disguise(raw, name)
    read = cast(
        "Callable[[bytes, str, ReadLimits], SourceText]", import_module(f"coditect.documents.readers.{module}").read
    )
    return _read(lambda: read(raw, name, limits), name, limits)


def _read(read: Callable[[], SourceText], name: str, limits: ReadLimits) -> SourceText:
    """What a reader makes of a file, with what is to be said of its invisible characters, whatever the format."""
    with counting_removed() as removed:
        source = require_shape(read(), name, limits)
        notes = (*describe_invisible(source.text), *removed(), *describe_language(source.text))
    return replace(source, warnings=(*source.warnings, *notes)) if notes else source


def is_pdf(raw: bytes, name: str) -> bool:
    """Whether :func:`read_source` takes a file for a PDF."""
    suffix = _suffix(name)
    module = _FORMATS.get(suffix)
    return module == "pdf.reader" or (module is None and not _is_converted(suffix) and b"%PDF-" in raw[:1024])


def is_light(raw: bytes, name: str) -> bool:
    """Whether reading a file costs little, whatever it holds: short text, that is. Everything else is read in a process of its own.

    Args:
        raw: the whole file.
        name: its relative name.
    """
    suffix = _suffix(name)
    module = _FORMATS.get(suffix)
    if suffix in _WORKBOOKS or _is_binary_document(raw) or b"%PDF-" in raw[:1024]:
        return False
    if module is None:
        return len(raw) <= min(_LIGHT_BYTES.values()) and not _is_converted(suffix)
    return len(raw) <= _LIGHT_BYTES.get(module, 0)


def _is_converted(suffix: str) -> bool:
    from coditect.documents.readers import other

    return suffix in other.CONVERTIBLE


def _suffix(name: str) -> str:
    """The last suffix, lower case, once template suffixes are stripped; "" if there is none."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    while last.endswith(_TEMPLATE_SUFFIXES):
        last = last.rsplit(".", 1)[0]
    stem, dot, suffix = last.rpartition(".")
    return dot + suffix if stem and dot else ""


def _is_binary_document(raw: bytes) -> bool:
    return raw.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")) or raw.startswith(b"%PDF-")


def _refuse_disguise(raw: bytes, name: str) -> None:
    if _is_binary_document(raw):
        raise ReadError(
            "not text although its name says so",
            hint="Give the file the suffix of its real format, or restore it from its source.",
            name=name,
            reason="it starts like a PDF or an office file",
        )


def _sniff(raw: bytes, name: str) -> str:
    """The module for a file whose name says nothing."""
    if b"%PDF-" in raw[:1024]:
        return "pdf.reader"
    if raw.startswith(b"PK\x03\x04"):
        from coditect.documents.readers.archive import member_names

        members = member_names(raw)
        if "word/document.xml" in members:
            return "docx.reader"
        if "xl/workbook.xml" in members:
            return "spreadsheet"
    head = raw[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if head.startswith((b"<!doctype html", b"<html")):
        return "html.reader"
    if head.startswith(b"<?xml"):
        return "regulatory.regml"
    if head.startswith(b"{\\rtf"):  # all ASCII, yet nobody wants to read its control words
        raise _unknown(name)
    if raw.isspace():
        return "text.plain"  # which says what is wrong
    from coditect.documents.readers.canonical import decode

    try:
        decode(raw, name)
    except ReadError as error:
        raise _unknown(name) from error
    return "text.plain"


def _unknown(name: str) -> ReadError:
    if name.lower().endswith(_ARCHIVES):
        return ReadError("an archive of files", hint="Unpack it, and give its folder instead.", name=name)
    return ReadError(
        "a file of unknown format",
        hint=f"Supported: text, {', '.join(sorted(_FORMATS))}; more with the extra: "
        "pip install 'coditect-knowledge[markitdown]'.",
        name=name,
    )
