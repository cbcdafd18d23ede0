"""The intake of a corpus: versions first, then what points to them; and which of several copies counts."""

from __future__ import annotations

import pytest

from coditect.errors import Corrupt, ImmutableViolation
from coditect.schemas import Derivation, DocumentVersion, Intake
from coditect.store.intake import documents as module
from coditect.store.intake.documents import IntakeWriter, iter_present
from coditect.store.store import Store
from tests.unit.store.items import CORPUS, section, version


def test_intake_is_written_behind_the_versions_that_it_points_to(memory: Store) -> None:
    """Nothing is there before the flush; after it the version, its bytes and the intake record are."""
    writer, made = IntakeWriter(memory, CORPUS), version()
    record = writer.put_version(made, b"The clerk shall sign.", b"The clerk shall sign.", b"{}")
    assert list(iter_present(memory, CORPUS)) == []
    writer.flush()
    assert list(iter_present(memory, CORPUS)) == [record]
    assert memory.get("documents", DocumentVersion, CORPUS, record.document_id, record.version_id) == made
    assert memory.get_blob(CORPUS, made.text_sha256, made.text_bytes) == b"The clerk shall sign."


def test_intake_flushes_by_itself_where_much_waits(memory: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory does not grow with the number of files."""
    monkeypatch.setattr(module, "FLUSH_BYTES", 10)
    IntakeWriter(memory, CORPUS).put_version(version(), b"The clerk shall sign.", b"The clerk shall sign.", b"{}")
    assert len(list(iter_present(memory, CORPUS))) == 1


def test_iter_present_takes_the_first_name_of_copies_and_no_withdrawn_one(memory: Store) -> None:
    """Of several names for the same bytes the first counts, and the next where that is withdrawn."""
    writer = IntakeWriter(memory, CORPUS)
    records = [writer.put_version(version(name), b"x", b"x", b"{}") for name in ("b.md", "a.md", "c.md")]
    writer.flush()
    assert [record.name for record in iter_present(memory, CORPUS)] == ["a.md"]
    writer.put(records[1].model_copy(update={"status": "withdrawn"}))
    writer.flush()
    assert [record.name for record in iter_present(memory, CORPUS)] == ["b.md"]
    assert len(list(memory.scan("intake", Intake, CORPUS))) == 3


def test_finish_stores_outputs_before_the_step_that_promises_them(memory: Store) -> None:
    """A step is there with its outputs; one whose output contradicts a stored item is not."""
    step = Derivation.create(CORPUS, "section", (), "test", {}, "test/1")
    made = [section("access"), section("incident")]
    done = memory.finish(step, made)
    assert done.outputs == tuple(each.section_id for each in made)
    assert memory.derivations(CORPUS, [step.derivation_id]) == {step.derivation_id: done}
    other = Derivation.create(CORPUS, "section", (), "test", {}, "test/2")
    with pytest.raises(ImmutableViolation):
        memory.finish(other, [made[0].model_copy(update={"topic": "changed"})])
    assert memory.derivations(CORPUS, [other.derivation_id]) == {}


def test_intake_waits_until_more_is_queued_than_fits(memory: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """As much as fits waits; one byte more is written at once."""
    for name, limit, there in (("a.md", 42, 0), ("b.md", 41, 1)):
        monkeypatch.setattr(module, "FLUSH_BYTES", limit)
        data = f"The clerk signs {name[0]}....".encode()
        assert len(data) == 21
        IntakeWriter(memory, CORPUS).put_version(version(name, data.decode()), data, data, b"{}")
        assert len(list(iter_present(memory, CORPUS))) == there


def test_records_of_a_corpus_are_read_without_their_places_but_for_some(memory: Store) -> None:
    """In the order of their keys; what is passed over is not even opened."""
    writer = IntakeWriter(memory, CORPUS)
    record = writer.put_version(version(), b"The clerk shall sign.", b"The clerk shall sign.", b"{}")
    writer.flush()
    place = (CORPUS, record.document_id)
    assert list(memory.records("intake", Intake, CORPUS)) == [own for _, own in memory.scan("intake", Intake, CORPUS)]
    assert list(memory.records("intake", Intake, CORPUS, but=[place])) == []
    assert list(memory.records("intake", Intake, "another")) == []
    key = memory.keys.key("intake", *place)
    memory.engine.run(lambda transaction: transaction.set(key, b"no record"))
    assert list(memory.records("intake", Intake, CORPUS, but=[place])) == []
    with pytest.raises(Corrupt, match="intake"):
        list(memory.records("intake", Intake, CORPUS))
