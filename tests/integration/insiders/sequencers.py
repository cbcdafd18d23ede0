"""Attacks with a second sequencer, and with what another tenant's log says and was signed as."""

from __future__ import annotations

from coditect.knowledge.ingest.intake import ingest
from coditect.schemas import LogHead
from coditect.transparency.checkpoints import Checkpoint
from coditect.transparency.notes import Note
from tests.corpora import folder_of
from tests.integration.insiders.hands import LOG_TABLES, Hands
from tests.integration.insiders.lived import CORPUS, KEY, at
from tests.integration.insiders.logs import drop_checkpoints, other_tenant, put_checkpoint

__all__ = [
    "checkpoint_of_another_tenant",
    "entry_of_another_tenant_takes_the_place_of_ones_own",
    "log_of_another_tenant_under_the_same_key",
    "second_sequencer_begins_from_an_old_head",
    "second_sequencer_enters_events_twice",
    "second_sequencer_signs_another_order",
]


def _ingest(hands: Hands) -> None:
    """Something happens, and its events wait."""
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as place:
        folder = folder_of(Path(place), {"new.md": "# New\n\nStaff shall lock screens.\n"})
        ingest(hands.store, CORPUS, [folder], clock=lambda: at(9), jobs=1)


def second_sequencer_enters_events_twice(hands: Hands) -> None:
    """It took the events that wait before the first one had entered them, and enters them behind it."""
    _ingest(hands)
    waiting = list(hands.log.waiting())
    hands.log.sequence()
    for entry in waiting:
        hands.append(entry)
    hands.log.checkpoint(KEY)


def second_sequencer_begins_from_an_old_head(hands: Hands) -> None:
    """It goes on from where the log was some time ago, over what was entered since; who has no key cannot sign that."""
    earlier = Checkpoint.parse(Note.parse(hands.lived.kept_earlier.encode()).text)
    head = LogHead(size=earlier.size, root=earlier.root.hex())
    hands.put(hands.keys.key("log/heads", "events"), head.payload())
    _ingest(hands)
    hands.log.sequence()


def second_sequencer_signs_another_order(hands: Hands) -> None:
    """The last entries, which nothing orders but the log, stand in the other order; the key signed the first order, too."""
    entries = hands.entries()
    assert entries[-1]["kind"] == "ingested"
    assert entries[-2]["kind"] == "document"
    hands.begin_log([*entries[:-2], entries[-1], entries[-2]])


def entry_of_another_tenant_takes_the_place_of_ones_own(hands: Hands) -> None:
    """What another tenant's log tells of a document stands where this one told of its own, under unchanged tiles."""
    _, other = other_tenant()
    theirs = next(entry for _, entry in other.entries() if b'"document"' in entry)
    index = next(number for number, each in enumerate(hands.entries()) if each["kind"] == "document")
    hands.put(hands.keys.key("log/entries", index), theirs)


def checkpoint_of_another_tenant(hands: Hands) -> None:
    """The newest checkpoint is that of another tenant's log, which the same key signed under the same origin."""
    _, other = other_tenant()
    note = other.checkpoint(KEY)
    drop_checkpoints(hands)
    put_checkpoint(hands, Checkpoint.parse(Note.parse(note.encode()).text).size, note)


def log_of_another_tenant_under_the_same_key(hands: Hands) -> None:
    """The whole log is another tenant's, with its checkpoint: two tenants under one key are two histories."""
    store, other = other_tenant()
    other.checkpoint(KEY)
    hands.clear_log()
    for table in LOG_TABLES:
        for page in store.pages(*store.keys.bounds(table)):
            hands.set_rows(*((hands.keys.prefix + key[len(store.keys.prefix) :], value) for key, value in page))
