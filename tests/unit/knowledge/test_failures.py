"""Failures of single documents: what is written down of an error, ours or a slip."""

from __future__ import annotations

from coditect.errors import Corrupt, ReadError
from coditect.knowledge.labour.failures import LONGEST_REASON, failure_of, failure_of_version
from tests.unit.store.items import version


def test_failure_has_the_error_with_its_variables_but_the_name() -> None:
    """The name and the path stand beside the message, and are not repeated in it."""
    error = ReadError("too large", name="a.md", path="/x/a.md", size_bytes=9, hint="Split it.")
    failure = failure_of("c", "a.md", error, "00")
    assert (failure.error, failure.message, failure.hint) == ("ReadError", "too large (size_bytes=9)", "Split it.")
    assert (failure.corpus_id, failure.name, failure.raw_sha256) == ("c", "a.md", "00")


def test_failure_of_a_slip_is_reported_under_a_class_of_ours() -> None:
    """A mistake of code is named, cut where it is long, and comes with what to do."""
    slip = IndexError("x" * (LONGEST_REASON + 50))
    failure = failure_of("c", "a.md", slip, slip=ReadError, slipped=("the reader failed", "Convert it."))
    assert (failure.error, failure.hint) == ("ReadError", "Convert it.")
    assert failure.message == f"the reader failed (reason='IndexError: {'x' * LONGEST_REASON}')"


def test_failure_of_version_names_the_document_and_its_bytes() -> None:
    """Which bytes failed is kept, so that a later build knows whether they are still the same."""
    made = version()
    assert failure_of_version(made, Corrupt("gone")).raw_sha256 == made.raw_sha256
    failure = failure_of_version(made, ValueError("odd"))
    assert (failure.name, failure.error) == (made.name, "CoditectError")
    assert "ValueError: odd" in failure.message
