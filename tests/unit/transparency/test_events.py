"""Entries of the log as they were written, byte for byte: whoever kept a proof of one holds these bytes."""

from __future__ import annotations

import pytest

from coditect.errors import NewerRecord
from coditect.schemas import Corpus, LogEvent
from coditect.transparency.events import entry_of, event_of

FIRST = (
    b'{"$record":"log_event/1","at":"2026-01-01T00:00:00Z","corpus":"e5195ba60c04","kind":"import","release":"0.2.0",'
    b'"sha256":"aa5bb39cf72ddd3af1cd5b4e0cfd1a7eb2aee3d7a2e7b5a8f1e9d9bd5a4c7d10"}'
)
"""An import as the first version told it."""

SECOND = (
    b'{"$record":"log_event/2","at":"2026-01-01T00:00:00Z","corpus":"2e7d2c03a950","digest":"%s","kind":"import",'
    b'"release":"0.2.0","sha256":"%s"}'
)
"""The second version."""


def test_entry_of_the_first_version_is_read_and_names_no_archive() -> None:
    """Its bytes stay what they are: only what is written now is of the second version."""
    event = LogEvent.parse(FIRST)
    assert (event.kind, event.at, event.digest) == ("import", "2026-01-01T00:00:00Z", "")


def test_entry_of_an_import_names_the_digest_of_its_archive() -> None:
    """Canonical JSON, and nothing that is empty."""
    record = Corpus(corpus_id="c", created_at="2026-01-01T00:00:00Z")
    event = event_of("import", "c", record, at="2026-01-01T00:00:00Z", digest="d" * 64)
    event = event.model_copy(update={"release": "0.2.0"})
    tag = event.corpus.encode()
    wanted = SECOND.replace(b"2e7d2c03a950", tag) % (b"d" * 64, event.sha256.encode())
    assert entry_of(event) == wanted
    assert LogEvent.parse(wanted) == event


def test_entry_of_a_later_version_is_refused_by_name() -> None:
    """The audit trail says so of that entry, and goes on."""
    with pytest.raises(NewerRecord, match="newer release"):
        LogEvent.parse(FIRST.replace(b"log_event/1", b"log_event/99"))
