"""What is gathered of shares beside the store: read by the next build, made again where it is damaged, gone with what is erased."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coditect.knowledge.building import material, shares
from coditect.knowledge.building.gathered.corpus import Gathered, KeptBuild
from coditect.knowledge.building.gathered.pairs import read_pairs, write_pairs
from coditect.knowledge.service import Knowledge
from coditect.retrieve.local.inventory import write_inventory
from coditect.retrieve.local.replica import Replicas
from coditect.retrieve.local.search import HybridSearcher
from coditect.schemas import BuildSettings, Manifest
from coditect.store.store import Store
from coditect.testing.engine.memory import MemoryEngine
from coditect.tiers.shares import families
from coditect.tiers.shares.meeting.pairs import NO_PAIRS
from coditect.tiers.shares.sums import Sums
from tests.corpora import CORPUS, DOCUMENTS, clock, folder_of

SETTINGS = BuildSettings(today="2026-09-30")
NAME = "access.md"
CHANGED = DOCUMENTS[NAME].replace("90 days", "60 days")
MORE = "# Storage of samples {0}\n\nThe laboratory must keep samples for {0} years. Staff must label each sample.\n"


@pytest.fixture(autouse=True)
def _kept(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in (shares, material):
        monkeypatch.setattr(each, "KEPT_FROM", 0)


def _service(store: Store, cache: Path) -> Knowledge:
    replicas = Replicas(store, cache)
    return Knowledge(store, HybridSearcher(replicas, None), clock=clock, jobs=1, folders=replicas)


def _built(store: Store, folder: Path, **changes: str) -> Knowledge:
    knowledge = _service(store, folder / "cache")
    more = {f"more-{number}.md": MORE.format(number) for number in range(8)}
    documents = {**DOCUMENTS, **more, **{f"{name}.md": text for name, text in changes.items()}}
    knowledge.ingest(CORPUS, [folder_of(folder / "in", documents)], sync=True)
    knowledge.build(CORPUS, SETTINGS)
    return knowledge


def _folders(folder: Path) -> list[Path]:
    return sorted(
        (each for each in folder.rglob("*.gathered-*") if each.is_dir()), key=lambda each: each.stat().st_mtime
    )


def _gathered(knowledge: Knowledge) -> Gathered:
    assert knowledge.folders is not None
    return Gathered(knowledge.folders, knowledge.store, CORPUS)


def test_a_change_links_what_it_leaves_alone(memory: Store, tmp_path: Path) -> None:
    """The shares of the other documents stay in the file that they lie in, and only one document is counted."""
    _built(memory, tmp_path)
    _built(memory, tmp_path, access=CHANGED)
    before, after = _folders(tmp_path)
    assert (before / "0.shares").samefile(after / "0.shares")
    assert (before / "0.columns").samefile(after / "0.columns")
    assert (after / "1.shares").stat().st_size < (after / "0.shares").stat().st_size


def test_what_is_gathered_goes_with_an_erasure(memory: Store, tmp_path: Path) -> None:
    """No folder stays, and what the next build gathers is of the documents that are left."""
    knowledge = _built(memory, tmp_path)
    view = knowledge.view(CORPUS)
    gone = next(each.document_id for each in view.documents.values() if each.name == NAME)
    chunk = view.chunks(gone)[0].chunk_id.encode()
    assert any(chunk in each.read_bytes() for each in _folders(tmp_path)[-1].iterdir())
    knowledge.erase(CORPUS, [NAME], reason="r", by="A. Officer")
    assert not _folders(tmp_path)
    knowledge.build(CORPUS, SETTINGS)
    assert {each.document_id for each in _gathered(knowledge).shares} == view.entries.keys() - {gone}
    assert not any(chunk in each.read_bytes() for each in _folders(tmp_path)[-1].iterdir())


def test_what_was_opened_before_an_erasure_is_not_written_after_it(memory: Store, tmp_path: Path) -> None:
    """A build that began before it leaves no file with what was erased meanwhile."""
    knowledge = _built(memory, tmp_path)
    gathered = _gathered(knowledge)
    own = gathered.shares
    gathered.kept = KeptBuild(own, Sums.of(own), {}, NO_PAIRS, {})
    knowledge.erase(CORPUS, [NAME], reason="r", by="A. Officer")
    gathered.put(knowledge.view(CORPUS))
    assert not _folders(tmp_path)


@pytest.fixture(scope="module")
def manifest_without(tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    """What the changed documents give where nothing was gathered before."""
    store = Store(MemoryEngine())
    return _built(store, tmp_path_factory.mktemp("other"), access=CHANGED).view(CORPUS).manifest


@pytest.mark.parametrize(
    "name", ["shares.json", "0.shares", "0.columns", "sums.json", "found.0.run", "families", "pairs", "places"]
)
@pytest.mark.parametrize("harm", ["cut", "gone", "other"])
def test_damaged_files_are_made_again(
    memory: Store, tmp_path: Path, manifest_without: Manifest, name: str, harm: str
) -> None:
    """A file that is cut, missing or another one costs the next build its time, and not its result."""
    _built(memory, tmp_path)
    file = _folders(tmp_path)[-1] / name
    data = file.read_bytes()
    file.unlink()
    if harm != "gone":
        file.write_bytes(data[:-9] if harm == "cut" else data[:-9] + bytes(9))
    assert _built(memory, tmp_path, access=CHANGED).view(CORPUS).manifest == manifest_without


def test_deep_validation_tells_what_is_gathered_and_is_not_what_documents_give(memory: Store, tmp_path: Path) -> None:
    """Nothing of files as they were written; shares, sums and conflicts that somebody planted."""
    knowledge = _built(memory, tmp_path)
    assert knowledge.validate(CORPUS, deep=True).clean
    folder = _folders(tmp_path)[-1]
    for name, harmed in (
        ("sums.json", "its entries"),
        ("0.shares", "its document"),
        ("0.columns", "its document"),
        ("families", "its conflicts"),
    ):
        whole, listed = (folder / name).read_bytes(), (folder / "files.json").read_bytes()
        for each in (name, "files.json"):
            (folder / each).unlink()
        (folder / name).write_bytes(HARM[name](whole))
        write_inventory(folder, folder.name)
        messages = [each.message for each in knowledge.validate(CORPUS, deep=True).findings]
        assert messages, name
        assert all(harmed in each for each in messages), name
        (folder / name).write_bytes(whole)
        (folder / "files.json").write_bytes(listed)


def test_deep_validation_tells_pairs_that_are_not_what_documents_give(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which entries of many documents are to be compared decides what the next build finds."""
    monkeypatch.setattr(families, "MOST_TOGETHER", 2)
    knowledge = _built(memory, tmp_path)
    assert knowledge.validate(CORPUS, deep=True).clean
    folder = _folders(tmp_path)[-1]
    kept = read_pairs(folder)
    assert len(kept.ours)
    fewer = replace(kept, ours=kept.ours[:-1].copy(), theirs=kept.theirs[:-1].copy())
    for each in ("pairs", "files.json"):
        (folder / each).unlink()
    write_pairs(folder, fewer)
    write_inventory(folder, folder.name)
    messages = [each.message for each in knowledge.validate(CORPUS, deep=True).findings]
    assert messages
    assert all("other entries are to be compared" in each for each in messages)


def _with_another_number(data: bytes) -> bytes:
    """The bytes of a container in which the first number of the first array is another one."""
    at = 8 + int.from_bytes(data[:8], "little")
    at += -at % 8
    return data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :]


HARM: dict[str, Callable[[bytes], bytes]] = {
    "sums.json": lambda data: data.replace(b'"statements": ', b'"statements": 1'),
    "0.shares": lambda data: data.replace(b"access", b"excess"),
    "0.columns": _with_another_number,
    "families": lambda data: data.replace(b'"conflict"', b'"stricter"'),
}
"""How each file is changed by somebody who lists its new sum, too."""


def test_a_process_that_lives_on_builds_what_a_new_one_builds(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it read before it does not read again: neither documents, nor profiles, nor what sections quote."""
    knowledge = _built(memory, tmp_path)
    other = _service(memory, tmp_path / "other")
    for number, text in enumerate((CHANGED, DOCUMENTS[NAME], CHANGED.replace("60 days", "45 days"))):
        file = folder_of(tmp_path / f"in-{number}", {NAME: text}) / NAME
        knowledge.ingest(CORPUS, [file])
        asked: list[str] = []
        with monkeypatch.context() as patch:
            patch.setattr(memory, "get_many", _counted(memory, asked))
            report = knowledge.build(CORPUS, SETTINGS)
        fresh = Store(MemoryEngine())
        more = {f"more-{each}.md": MORE.format(each) for each in range(8)}
        documents = folder_of(tmp_path / f"all-{number}", {**DOCUMENTS, **more, NAME: text})
        clean = _service(fresh, tmp_path / f"clean-{number}")
        clean.ingest(CORPUS, [documents])
        assert clean.build(CORPUS, SETTINGS).build_id == report.build_id
        assert other.view(CORPUS).documents == knowledge.view(CORPUS).documents
        assert other.view(CORPUS).profiles == knowledge.view(CORPUS).profiles
        if number:
            assert asked.count("documents") + asked.count("profiles") <= 2


def _counted(store: Store, asked: list[str]) -> Callable[..., list[Any]]:
    """Reads as a store does, and notes the table of every record that is asked for."""
    reading = store.get_many

    def read(table: str, cls: type[Any], places: Sequence[Any]) -> list[Any]:
        asked.extend([table] * len(places))
        return reading(table, cls, places)

    return read


def test_program_that_lives_on_builds_what_a_fresh_one_builds(memory: Store, tmp_path: Path) -> None:
    """What one build planned, and read of shares, serves the next; of a document that changed nothing of it does."""
    knowledge = _built(memory, tmp_path)
    other = Store(MemoryEngine())
    for days in ("60 days", "45 days", "9 days"):
        (tmp_path / "in" / NAME).write_text(DOCUMENTS[NAME].replace("90 days", days), "utf-8")
        knowledge.ingest(CORPUS, [tmp_path / "in"], sync=True)
        report = knowledge.build(CORPUS, SETTINGS)
        fresh = _service(other, tmp_path / "other")
        fresh.ingest(CORPUS, [tmp_path / "in"], sync=True)
        assert report.build_id == fresh.build(CORPUS, SETTINGS).build_id
        view = knowledge.view(CORPUS)
        key = CORPUS, report.generation, ""
        planned = knowledge._planned.kept(key)
        assert planned is not None
        plans, heads = planned
        assert plans.documents.keys() == heads.keys() == view.entries.keys()
        listed = {each for each, plan in plans.documents.items() if plan.listed is not None}
        same = {each.document_id for each in view.documents.values() if each.name != NAME}
        assert listed == same
        assert all(plans.documents[each].listed is view.entries[each] for each in same)
