"""Keys in files: the secret part is its owner's alone, and never in the store that it signs for.

A file holds a key, or says which program signs with one that never leaves its device or service::

    log.example.com/audit+4f9b2c11+AX…
    command: kms-sign --key alias/audit

The program is given the bytes to be signed on its standard input, and prints the Ed25519 signature in base64.
"""

from __future__ import annotations

import os
import secrets
import shlex
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

from coditect.errors import InvalidProof, Unavailable, UsageError
from coditect.transparency.notes import Signer, SigningKey, VerifierKey, read_base64

__all__ = ["CommandSigner", "new_key", "read_key_file", "read_signer", "write_key_file"]

_SEED_BYTES = 32
_COMMAND = "command:"
COMMAND_S = 120.0
"""How long a program may take to sign, in seconds: a person may have to touch a device."""


@dataclass(frozen=True, slots=True)
class CommandSigner:
    """A program that signs.

    Attributes:
        key: the public part.
        command: the program and its arguments.
    """

    key: VerifierKey
    command: tuple[str, ...]

    def sign(self, text: bytes) -> bytes:
        """The signature that the program gives, verified.

        Raises:
            Unavailable: it cannot be run, fails, takes too long, or gives no signature of this key.
        """
        what = {"command": self.command[0], "key": str(self.key)}
        try:
            done = subprocess.run(self.command, input=text, capture_output=True, timeout=COMMAND_S, check=False)  # noqa: S603 - the user's
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unavailable("the program that signs cannot be run, or takes too long", **what) from error
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()[-200:]
            raise Unavailable("the program that signs failed", status=done.returncode, said=said, **what)
        try:
            signature = read_base64(done.stdout.decode("ascii", "replace").strip(), "signature")
        except InvalidProof as error:
            raise Unavailable("the program that signs did not print base64", **what) from error
        if not self.key.verifies(text, signature):
            raise Unavailable("the program that signs gave a signature that its key does not verify", **what)
        return signature


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
        raise _unwritten(path, error) from error
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(key.secret_text() + "\n")
    except OSError as error:
        path.unlink(missing_ok=True)  # half a key is none, and would stand in the way of the next
        raise _unwritten(path, error) from error


def _unwritten(path: Path, error: OSError) -> UsageError:
    return UsageError(
        "the key cannot be written",
        path=str(path),
        reason=error.strerror,
        hint="Name a file in a folder where you may write and there is room.",
    )


def read_key_file(path: Path) -> SigningKey:
    """The key in a file.

    Raises:
        UsageError: it cannot be read, is no key, or others than its owner can read it.
    """
    try:
        mode = path.stat().st_mode
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            "the key cannot be read",
            path=str(path),
            reason=getattr(error, "strerror", None) or "not UTF-8",
            hint="Name the file that 'coditect keys new' wrote.",
        ) from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(
            "others can read this key", path=str(path), hint=f"Run 'chmod 600 {path}', and think who may have read it."
        )
    return SigningKey.parse(text)


def read_signer(path: Path) -> Signer:
    """What signs, as a file says: the key in it, or the program that it names.

    Raises:
        UsageError: it cannot be read, is neither, or others than its owner can read the key in it.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    if len(lines) > 1 and lines[1].startswith(_COMMAND):
        try:
            command = tuple(shlex.split(lines[1].removeprefix(_COMMAND)))
        except ValueError:  # a quotation mark that is never closed
            command = ()
        if not command:
            raise UsageError("a key file names no program", path=str(path), hint="Write 'command: PROGRAM ARGUMENTS'.")
        return CommandSigner(VerifierKey.parse(lines[0]), command)
    return read_key_file(path)
