"""What third-party parsers may raise on a hostile file, so that each reader can translate it at its edge."""

from __future__ import annotations

import csv
import lzma
import struct
import zipfile
import zlib
from importlib import import_module

from coditect.errors import ReadError

__all__ = ["LIBRARY_FAILURES", "SLIPPED", "broken", "slipped"]


def _zstandard_failures() -> tuple[type[Exception], ...]:
    """What zipfile raises on a damaged Zstandard member, where Python can unpack such members (from 3.14 on)."""
    try:
        return (import_module("compression.zstd").ZstdError,)
    except ImportError:
        return ()


# UnicodeError and json.JSONDecodeError are ValueErrors; lxml.etree.ParseError and XMLSyntaxError are SyntaxErrors;
# zipfile raises NotImplementedError for unknown compression methods, RuntimeError for encrypted members, and what the
# library of each method raises on damaged ones: zlib.error, OSError and EOFError (bzip2), lzma.LZMAError, ZstdError.
LIBRARY_FAILURES: tuple[type[Exception], ...] = (
    KeyError,
    ValueError,
    TypeError,
    IndexError,
    AttributeError,
    OSError,
    EOFError,
    csv.Error,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
    RecursionError,
    AssertionError,
    OverflowError,
    SyntaxError,
    NotImplementedError,
    RuntimeError,
    lzma.LZMAError,
    *_zstandard_failures(),
)

SLIPPED = ("the reader failed on this file", "Convert it to plain text, and report what it held.")
"""Message and hint for a file on which a reader raised what it should have translated."""


def broken(message: str, name: str, cause: Exception, hint: str) -> ReadError:
    """A :class:`ReadError` that names the file and what the library said about it.

    Args:
        message: static text.
        name: the file's relative name.
        cause: what the library raised.
        hint: the way out.

    Returns:
        the error, to be raised ``from cause``.
    """
    return ReadError(message, hint=hint, name=name, reason=f"{type(cause).__name__}: {str(cause)[:200]}")


def slipped(cause: Exception) -> ReadError:
    """A :class:`ReadError` for what a reader raised by mistake.

    Args:
        cause: what it raised.

    Returns:
        the error, to be raised ``from cause``.
    """
    message, hint = SLIPPED
    return ReadError(message, hint=hint, reason=f"{type(cause).__name__}: {str(cause)[:200]}")
