"""A document that is derived on another machine: whoever does it reads the shared store, and stores what comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from coditect.errors import CoditectError, Conflict, Unavailable
from coditect.knowledge.derivation.beside import MadeBeside, StoresBeside
from coditect.knowledge.derivation.document import NOTHING, Derived, DeriveTask, derive
from coditect.knowledge.derivation.source import stored_text
from coditect.knowledge.labour.failures import failure_of_version
from coditect.knowledge.labour.scratch import scratch_folder
from coditect.schemas import DocumentVersion
from coditect.store.store import Store

__all__ = ["StoredTask", "derive_stored"]


@dataclass(frozen=True, slots=True)
class StoredTask:
    """A document that is read from the shared store, and whose items are written to it, by whoever derives it.

    Attributes:
        open_store: opens the shared store.
        task: what is wanted, without text and layout.
        beside: stores what is made beside the document's tiers; None: nothing is.
    """

    open_store: Callable[[], Store]
    task: DeriveTask
    beside: StoresBeside | None = None

    @property
    def version(self) -> DocumentVersion:
        """The document version."""
        return self.task.version


def derive_stored(stored: StoredTask) -> Derived:
    """Derive one document and store what comes out; its derivations, stored last, are the promise that it is there.

    What is made beside its tiers is stored behind them: a document of which it is missing, since whoever derived it was killed
    in between, is one of which nothing was made.

    Raises:
        Unavailable, Conflict: the store cannot be reached or written, which is no fault of the document.
    """
    version, beside = stored.version, stored.beside
    try:
        store = stored.open_store()
        text, layout = stored_text(store, version)
        with scratch_folder() as folder:
            plan = None if beside is None else beside.plan(folder)
            result = derive(replace(stored.task, text=text, layout=layout, folder=folder, beside=plan))
            store.put_item_rows(result.items.take())
            store.put_derivations(result.derivations)
            if beside is not None and isinstance(result.beside, MadeBeside):
                result = replace(result, beside=beside.store(store, result.beside, result.derivations))
    except (Unavailable, Conflict):
        raise
    except CoditectError as error:
        return Derived(version.document_id, failure=failure_of_version(version, error))
    return replace(result, items=NOTHING, is_stored=True)
