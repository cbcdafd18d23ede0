"""Keys in files: the secret part is its owner's alone, and never in the store that it signs for."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

from coditect.errors import UsageError
from coditect.transparency.notes import SigningKey

__all__ = ["new_key", "read_key_file", "write_key_file"]

_SEED_BYTES = 32


def new_key(name: str) -> SigningKey:
    """A new key.

    Args:
        name: of the key, and the origin of the log that it signs for.

    Raises:
        UsageError: not a name for a key.
    """
    key = SigningKey(name, secrets.token_bytes(_SEED_BYTES))
    _ = key.key  # refuses a name that is none
    return key


def write_key_file(path: Path, key: SigningKey) -> None:
    """Write a key to a new file that its owner alone can read.

    Raises:
        UsageError: a file is there, which is never overwritten; or it cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, stat.S_IRUSR | stat.S_IWUSR)
    except FileExistsError as error:
        raise UsageError("a key is never written over a file", path=str(path), hint="Give a new name.") from error
    except OSError as error:
        raise UsageError("the key cannot be written", path=str(path), reason=str(error)) from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(key.secret_text() + "\n")


def read_key_file(path: Path) -> SigningKey:
    """The key in a file.

    Raises:
        UsageError: it cannot be read, is no key, or others than its owner can read it.
    """
    try:
        mode = path.stat().st_mode
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("the key cannot be read", path=str(path), reason=str(error)) from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(
            "others can read this key", path=str(path), hint=f"Run 'chmod 600 {path}', and think who may have read it."
        )
    return SigningKey.parse(text)
