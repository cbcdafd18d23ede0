"""Salts: random digits in records whose hash stands in the log, and whose words could otherwise be guessed from it.

A salt lies in the record that it protects: reviews, marks, switches, signatures, keys, failures and acts have a field for it,
which the hash covers with all others. Whoever removes the record, as erasure does, removes the salt with it, and then no guess at
a name, a message or a question can be held against the log any more.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from coditect.schemas import sha256_hex

__all__ = ["SALT_DIGITS", "Salts", "random_salt", "salted_sha256"]

SALT_DIGITS = 32
"""Of a salt: 128 random bits."""

Salts = Callable[[], str]
"""Gives another salt each time; a constructor argument wherever salts are needed, so that tests know them."""


def random_salt() -> str:
    """A salt from the system's source of random bytes."""
    return secrets.token_hex(SALT_DIGITS // 2)


def salted_sha256(salt: str, words: str) -> str:
    """A hash of words that says nothing to who has no salt, and to who has it, whether these are the words.

    Args:
        salt: of the record that the hash stands in.
        words: a name, a question.
    Returns:
        64 hex digits.
    """
    return sha256_hex(f"{salt}\n{words}".encode())
