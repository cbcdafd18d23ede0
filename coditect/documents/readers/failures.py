"""What third-party parsers may raise on a hostile file, so that each reader can translate it at its edge."""

from __future__ import annotations

import csv
import struct
import zipfile
import zlib

from coditect.errors import ReadError

__all__ = ["LIBRARY_FAILURES", "broken"]

# UnicodeError and json.JSONDecodeError are ValueErrors; lxml.etree.ParseError and XMLSyntaxError are SyntaxErrors;
# zipfile raises NotImplementedError for unknown compression methods and RuntimeError for encrypted members.
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
)


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
