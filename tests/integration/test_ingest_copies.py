"""Several names for the same bytes, and several files with the same name."""

from __future__ import annotations

from pathlib import Path

from coditect.knowledge.report.status import corpus_status
from coditect.schemas import Failure, Intake
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, DOCUMENTS, build_all, folder_of, ingest_all
from tests.unit.documents.documents import pdf

ONE, TWO = DOCUMENTS["access.md"], DOCUMENTS["incident.md"]


def _names(store: Store) -> list[str]:
    build_all(store)
    return sorted(version.name for version in open_view(store, CORPUS).documents.values())


def _aliases(store: Store) -> dict[str, tuple[str, ...]]:
    return {record.name: record.aliases for _, record in store.scan("intake", Intake, CORPUS) if record.aliases}


def test_ingest_of_copies_keeps_one_document_and_says_so(tmp_path: Path, memory: Store) -> None:
    """One document under the first name; the others are told as copies, every time, and nothing is pending."""
    folder = folder_of(tmp_path, {"b.md": ONE, "a.md": ONE, "c/d.md": ONE, "other.md": TWO})
    for status in ("added", "unchanged"):
        report = ingest_all(memory, folder)
        said = {outcome.name: outcome.status for outcome in report.outcomes}
        assert said == {"a.md": status, "b.md": "duplicate", "c/d.md": "duplicate", "other.md": status}
        assert "'a.md'" in next(o.message for o in report.outcomes if o.name == "b.md")
        assert _names(memory) == ["a.md", "other.md"]
        assert _aliases(memory) == {"a.md": ("b.md", "c/d.md")}
        assert corpus_status(memory, CORPUS)[0].pending == 0


def test_ingest_of_a_changed_original_keeps_the_copy(tmp_path: Path, memory: Store) -> None:
    """The first of two copies is edited: the other still says what both said. Nothing is lost."""
    ingest_all(memory, folder_of(tmp_path, {"a.md": ONE, "b.md": ONE}))
    assert _names(memory) == ["a.md"]
    report = ingest_all(memory, folder_of(tmp_path, {"a.md": TWO}))
    assert {o.name: o.status for o in report.outcomes} == {"a.md": "updated", "b.md": "unchanged"}
    assert _names(memory) == ["a.md", "b.md"]
    assert _aliases(memory) == {}


def test_ingest_of_only_the_changed_original_keeps_the_copy(tmp_path: Path, memory: Store) -> None:
    """Also where the copy is not given again."""
    ingest_all(memory, folder_of(tmp_path, {"a.md": ONE, "b.md": ONE}))
    folder_of(tmp_path, {"a.md": TWO})
    ingest_all(memory, tmp_path / "a.md")
    assert _names(memory) == ["a.md", "b.md"]


def test_ingest_with_sync_of_a_renamed_file_calls_it_by_its_new_name(tmp_path: Path, memory: Store) -> None:
    """The old name is withdrawn; the document is cited as it is called now."""
    ingest_all(memory, folder_of(tmp_path, {"old.md": ONE, "other.md": TWO}))
    (tmp_path / "old.md").rename(tmp_path / "renamed.md")
    report = ingest_all(memory, tmp_path, sync=True)
    assert {o.name: o.status for o in report.outcomes} == {
        "old.md": "withdrawn",
        "renamed.md": "added",
        "other.md": "unchanged",
    }
    assert _names(memory) == ["other.md", "renamed.md"]


def test_ingest_with_sync_of_a_removed_original_keeps_the_copy(tmp_path: Path, memory: Store) -> None:
    """The bytes are still there under their other name."""
    ingest_all(memory, folder_of(tmp_path, {"a.md": ONE, "b.md": ONE, "other.md": TWO}))
    (tmp_path / "a.md").unlink()
    ingest_all(memory, tmp_path, sync=True)
    assert _names(memory) == ["b.md", "other.md"]


def test_ingest_of_a_document_that_becomes_a_copy_gives_up_its_own(tmp_path: Path, memory: Store) -> None:
    """Overwritten with another document's bytes, it is that document; written back, it is its own again."""
    ingest_all(memory, folder_of(tmp_path, {"a.md": ONE, "b.md": TWO}))
    assert _names(memory) == ["a.md", "b.md"]
    ingest_all(memory, folder_of(tmp_path, {"b.md": ONE}))
    assert _names(memory) == ["a.md"]
    ingest_all(memory, folder_of(tmp_path, {"b.md": TWO}))
    assert _names(memory) == ["a.md", "b.md"]


def test_ingest_of_copies_of_which_one_cannot_be_read_takes_the_other(tmp_path: Path, memory: Store) -> None:
    """The same PDF under a wrong and a right suffix: the wrong one fails, the right one is read."""
    raw = pdf([[(72.0, 700.0, "The clerk shall sign each page within 2 days.")]])
    report = ingest_all(memory, folder_of(tmp_path, {"a.md": raw, "b.pdf": raw, "other.md": TWO}))
    assert {o.name: o.status for o in report.outcomes} == {"a.md": "failed", "b.pdf": "added", "other.md": "added"}
    assert _names(memory) == ["b.pdf", "other.md"]


def test_ingest_of_thousands_of_copies_is_stored_and_read_again(tmp_path: Path, memory: Store) -> None:
    """The list of the other names may be longer than a value."""
    names = {f"{n:04} {'a name of some length ' * 7}.md": ONE for n in range(800)}
    ingest_all(memory, folder_of(tmp_path, names))
    first = min(names)
    assert _names(memory) == [first]
    assert _aliases(memory)[first] == tuple(sorted(set(names) - {first}))


def test_ingest_of_two_files_with_one_name_takes_the_first_and_lists_the_clash(tmp_path: Path, memory: Store) -> None:
    """Two folders given at once hold the same relative name: one is taken, and the other is neither lost silently nor mixed up."""
    first = folder_of(tmp_path / "1", {"a.md": ONE})
    second = folder_of(tmp_path / "2", {"a.md": TWO, "b.md": TWO})
    for _ in range(2):
        report = ingest_all(memory, first, second)
        assert [o.name for o in report.outcomes if o.status == "failed"] == ["a.md"]
        failures = [record for _, record in memory.scan("failures", Failure, CORPUS)]
        assert [(f.name, "same name" in f.message) for f in failures] == [("a.md", True)]
        assert _names(memory) == ["a.md", "b.md"]
    ingest_all(memory, first)
    assert list(memory.scan("failures", Failure, CORPUS)) == []


def test_ingest_of_one_path_given_twice_takes_it_once(tmp_path: Path, memory: Store) -> None:
    """The same file is no clash with itself."""
    folder = folder_of(tmp_path, {"a.md": ONE})
    report = ingest_all(memory, folder, folder, folder / "a.md")
    assert [(o.name, o.status) for o in report.outcomes] == [("a.md", "added")]
