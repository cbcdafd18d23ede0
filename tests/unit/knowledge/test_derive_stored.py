"""A worker that reads the shared store itself: what the store lacks is no failure of a document."""

from __future__ import annotations

import pytest

from coditect.errors import Conflict, Corrupt, StoreError, Unavailable
from coditect.knowledge.derivation.document import DeriveTask
from coditect.knowledge.derivation.elsewhere import StoredTask, derive_stored
from coditect.knowledge.derivation.plan import ChunkPlan
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS


def _task(built: Store, error: StoreError) -> StoredTask:
    """A document of the small corpus, whose store cannot be opened by whoever derives it."""
    version = next(iter(open_view(built, CORPUS).documents.values()))

    def failing() -> Store:
        raise error

    return StoredTask(failing, DeriveTask("default", version, "", b"", frozenset(), ChunkPlan("textrank"), None))


@pytest.mark.parametrize("error", [Unavailable("no answer"), Conflict("retries ran out")])
def test_store_that_does_not_answer_ends_the_build_and_blames_no_document(built: Store, error: StoreError) -> None:
    """Whoever runs the build is told of the store; every document stays to be done."""
    with pytest.raises(type(error)):
        derive_stored(_task(built, error))


def test_document_whose_bytes_are_damaged_is_a_failure_of_its_own(built: Store) -> None:
    """The others go on."""
    derived = derive_stored(_task(built, Corrupt("stored bytes are not what was stored")))
    assert derived.failure is not None
    assert "not what was stored" in derived.failure.message
