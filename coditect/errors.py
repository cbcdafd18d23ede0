"""Every error this package raises, one tree.

::

    CoditectError
    ├── UsageError                the caller asked for something that cannot be (exit code 2)
    │   ├── AccessDenied          a server does not know who asks, or their role does not allow it
    │   ├── NotFound              an unknown corpus, document or item
    │   └── OverQuota             the tenant has as much as its operator granted
    ├── SchemaError               a record or a setting does not have the declared shape
    ├── ReadError                 a source file cannot be turned into text
    ├── StoreError
    │   ├── Conflict              retries ran out, or another build came first
    │   ├── TooLarge              a key, value or transaction over the limits
    │   ├── Corrupt               stored bytes are not what was stored
    │   ├── NewerRecord           a record, or a whole store, that a later release wrote
    │   ├── ImmutableViolation    a different record under an existing id
    │   └── Unavailable           the store cannot be opened or does not answer
    │       └── Unwritable        it can be read and not be written
    ├── ModelError
    │   ├── RateLimited           the service asks to slow down
    │   ├── Unreachable           no answer that may still come: connection, time-out, a failing service
    │   ├── Refused               the model declined
    │   ├── Malformed             an answer without the asked-for shape, or cut off
    │   ├── BudgetExceeded        the tokens that were granted are used up
    │   └── NotConfigured         a model that something stored was made with is not configured
    └── EvidenceError
        ├── QuoteNotFound         a text is not the document's text at its offsets
        ├── NotExtractive         a selected sentence is not verbatim in its source
        ├── SynthesisRatioExceeded
        ├── InvalidProof          a proof, signature or checkpoint that proves nothing
        └── Unsupported           a claim without sufficient support, or a validator that failed

Messages are static; what varies is passed as keywords and kept in ``context``, so that logs can be grouped and
programs need not parse text. ``hint`` says the way out. Addresses lose what authenticates in them, whoever raises the error.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = [
    "AccessDenied",
    "BudgetExceeded",
    "CoditectError",
    "Conflict",
    "Corrupt",
    "EvidenceError",
    "ImmutableViolation",
    "InvalidProof",
    "Malformed",
    "ModelError",
    "NewerRecord",
    "NotConfigured",
    "NotExtractive",
    "NotFound",
    "OverQuota",
    "QuoteNotFound",
    "RateLimited",
    "ReadError",
    "Refused",
    "SchemaError",
    "StoreError",
    "SynthesisRatioExceeded",
    "TooLarge",
    "Unavailable",
    "Unreachable",
    "Unsupported",
    "Unwritable",
    "UsageError",
]


_CREDENTIALS = re.compile(
    r"""(?<=://)[^/?#\s"']*(?=@)                                              # http://user:password@host
      | (?<=[?&])((?:api[-_]?key|key|token|secret|password)=)[^&\#\s"']+      # https://host/?api_key=…
    """,
    re.VERBOSE | re.IGNORECASE,
)


def without_credentials(text: str) -> str:
    """``text`` with the user names, passwords and keys in its addresses replaced by three asterisks."""
    return _CREDENTIALS.sub(lambda found: (found[1] or "") + "***", text)


def _public(value: Any) -> Any:  # noqa: ANN401 - any value may be shown
    """A value of an error's context as it may be shown."""
    match value:
        case str():
            return without_credentials(value)
        case list() | tuple() | set() | frozenset():
            return type(value)(map(_public, value)) if type(value) in (list, tuple, set, frozenset) else value
        case dict():
            return {name: _public(each) for name, each in value.items()}
        case _:
            return value


class CoditectError(Exception):
    """Root of the tree.

    Attributes:
        message: static text, the same for every occurrence.
        hint: what the reader can do about it, or None.
        context: the values that vary, by name, without credentials.
    """

    def __init__(self, message: str, /, *, hint: str | None = None, **context: Any) -> None:  # noqa: ANN401 - any value may be shown
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.context: dict[str, Any] = _public(context)

    def __str__(self) -> str:
        """The message, its variables in brackets, and the hint."""
        text = self.message
        if self.context:
            text += " (" + ", ".join(f"{name}={value!r}" for name, value in self.context.items()) + ")"
        return f"{text}. {self.hint}" if self.hint else text

    def __reduce__(self) -> tuple[Any, ...]:
        """Survive the way back from a worker process."""
        return _restore, (type(self), self.message, self.hint, self.context)


def _restore(cls: type[CoditectError], message: str, hint: str | None, context: dict[str, Any]) -> CoditectError:
    return cls(message, hint=hint, **context)


class UsageError(CoditectError):
    """The caller asked for something that cannot be."""


class AccessDenied(UsageError):
    """A server does not know who asks, or does not let them: no other words of the same request help."""


class NotFound(UsageError):
    """An unknown corpus, document or item."""


class OverQuota(UsageError):
    """The tenant has, or does, as much as its operator granted."""


class SchemaError(CoditectError):
    """A record or a setting does not have the declared shape."""


class ReadError(CoditectError):
    """A source file cannot be turned into text."""


class StoreError(CoditectError):
    """Something about stored data."""


class Conflict(StoreError):
    """Retries ran out, or another writer came first."""


class TooLarge(StoreError):
    """A key, a value or a transaction is over the limits that every engine honours."""


class Corrupt(StoreError):
    """Stored bytes are not what was stored."""


class NewerRecord(StoreError):
    """A record, or a whole store, is of a version that a later release writes: nothing is wrong with it."""


class ImmutableViolation(StoreError):
    """A different record under an existing id."""


class Unavailable(StoreError):
    """The store cannot be opened or does not answer."""


class Unwritable(Unavailable):
    """The store can be read and not be written: a read-only file system, or somebody else's files."""


class ModelError(CoditectError):
    """Something about a model."""


class RateLimited(ModelError):
    """The service asks to slow down."""


class Unreachable(ModelError):
    """No answer, and the same request may be answered later."""


class Refused(ModelError):
    """The model declined to answer."""


class Malformed(ModelError):
    """An answer that does not have the asked-for shape."""


class BudgetExceeded(ModelError):
    """The token budget is used up."""


class NotConfigured(ModelError):
    """A model that something stored was made with is not configured here."""


class EvidenceError(CoditectError):
    """Something about evidence."""


class QuoteNotFound(EvidenceError):
    """A text is not the document's text at its offsets."""


class NotExtractive(EvidenceError):
    """A selected sentence is not verbatim in its source."""


class SynthesisRatioExceeded(EvidenceError):
    """A section holds more synthetic characters than its gate allows."""


class Unsupported(EvidenceError):
    """A claim lacks support, or its validator failed."""


class InvalidProof(EvidenceError):
    """A proof, a signature or a checkpoint that proves nothing."""
