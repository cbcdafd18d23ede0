"""Office files are zip archives; this module looks into one safely before any library unpacks it."""

from __future__ import annotations

import io
import zipfile

from coditect.documents.readers.failures import LIBRARY_FAILURES, broken
from coditect.documents.readers.limits import ReadLimits
from coditect.errors import ReadError

__all__ = ["check_archive", "member_names"]

_STEP_BYTES = 1024 * 1024
# A document of a few bytes packs very well; the ratio says something only about sizes that hurt.
_HARMLESS_BYTES = 16 * 1024 * 1024
_MAX_MEMBERS = 20_000
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def member_names(raw: bytes) -> frozenset[str]:
    """Names of an archive's members; empty for what is no archive."""
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            return frozenset(archive.namelist())
    except LIBRARY_FAILURES:
        return frozenset()


def check_archive(raw: bytes, name: str, required: str, limits: ReadLimits) -> None:
    """Unpack every member once, to nowhere, counting; stop at the first bound that is passed.

    Args:
        raw: the bytes of the file.
        name: its relative name, for messages.
        required: the member that makes the archive what its suffix says.
        limits: bounds on sizes.

    Raises:
        ReadError: encrypted, no sound archive, a zip bomb (by declared or by actual size), or without ``required``.
    """
    if raw.startswith(_OLE_MAGIC):
        raise ReadError(
            "the office file is encrypted or in a format from before 2007",
            hint="Remove the password, or save it as .docx or .xlsx.",
            name=name,
        )
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            infos = archive.infolist()
            _check_size(sum(info.file_size for info in infos), len(raw), len(infos), name, limits)
            total = 0
            for info in infos:
                with archive.open(info) as member:
                    while block := member.read(_STEP_BYTES):
                        total += len(block)
                        _check_size(total, len(raw), len(infos), name, limits)
            names = frozenset(info.filename for info in infos)
    except LIBRARY_FAILURES as error:
        raise broken(
            "the office file is damaged", name, error, "Restore the file, or open it in its program and save it again."
        ) from error
    if required not in names:
        raise ReadError(
            "not the office file that its name says",
            hint="Give the file the suffix of its real format.",
            name=name,
            missing=required,
        )


def _check_size(size: int, packed: int, members: int, name: str, limits: ReadLimits) -> None:
    too_dense = size > _HARMLESS_BYTES and size > limits.max_expansion_ratio * packed
    if size > limits.max_expanded_bytes or too_dense or members > _MAX_MEMBERS:
        raise ReadError(
            "the office file expands to more than is allowed",
            hint="If the file can be trusted, raise ReadLimits.max_expanded_bytes or max_expansion_ratio.",
            name=name,
            packed_bytes=packed,
            expanded_bytes=size,
        )
