"""What a quota leaves room for is taken in, and what it does not is named; nothing that is stored is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from coditect.errors import OverQuota
from coditect.knowledge.ingest.intake import IngestReport, ingest
from coditect.knowledge.ingest.quotas.usage import Allowance, registrar_for, usage_of
from coditect.schemas.quota import NO_QUOTA, Quota, TenantUsage
from coditect.store.store import Store
from coditect.store.work import registered
from tests.corpora import clock

TEXT = "# Rule\n\n1 The clerk shall sign each page.\n"
SHORT = "# Note\n\n1 Pay.\n"


def _files(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


def _ingest(store: Store, corpus_id: str, folder: Path, quota: Quota, *, sync: bool = False) -> IngestReport:
    return ingest(store, corpus_id, [folder], clock=clock, quota=quota, sync=sync)


def _told(report: IngestReport) -> dict[str, str]:
    return {each.name: each.status for each in report.outcomes}


def test_documents_beyond_the_quota_are_left_out_and_the_others_are_in(memory: Store, tmp_path: Path) -> None:
    """Those of all corpora count, and a new version of a document is no new document."""
    quota = Quota(documents=3)
    assert _told(_ingest(memory, "one", _files(tmp_path / "one", {"a.md": TEXT, "b.md": SHORT}), quota)) == {
        "a.md": "added",
        "b.md": "added",
    }
    other = _files(tmp_path / "two", {"c.md": TEXT, "d.md": SHORT})
    report = _ingest(memory, "two", other, quota)
    assert _told(report) == {"c.md": "added", "d.md": "failed"}
    assert report.partial
    refused = next(each for each in report.outcomes if each.name == "d.md")
    assert refused.error == "OverQuota"
    assert refused.message.startswith("the tenant has as many documents as it was granted")
    assert "store quota" in refused.hint
    assert _told(_ingest(memory, "one", _files(tmp_path / "one", {"a.md": TEXT + "2 So be it.\n"}), quota)) == {
        "a.md": "updated",
        "b.md": "unchanged",
    }
    assert usage_of(memory).documents == 3
    assert _told(_ingest(memory, "two", other, Quota(documents=4)))["d.md"] == "added"


def test_bytes_beyond_the_quota_are_left_out_and_smaller_files_behind_them_are_in(
    memory: Store, tmp_path: Path
) -> None:
    """Files, texts and layouts of every version that is kept count, also of documents that were withdrawn."""
    folder = _files(tmp_path / "one", {"a.md": TEXT})
    _ingest(memory, "one", folder, NO_QUOTA)
    taken = usage_of(memory).bytes
    assert taken > 2 * len(TEXT)
    _files(folder, {"b.md": TEXT * 500, "c.md": SHORT})
    quota = Quota.model_validate({"bytes": 2 * taken})
    report = _ingest(memory, "one", folder, quota)
    assert _told(report) == {"a.md": "unchanged", "b.md": "failed", "c.md": "added"}
    assert "more bytes than it was granted" in next(each.message for each in report.outcomes if each.name == "b.md")
    has = usage_of(memory).bytes
    assert taken < has <= 2 * taken
    for each in folder.iterdir():
        each.unlink()
    _ingest(memory, "one", folder, quota, sync=True)
    assert (usage_of(memory).documents, usage_of(memory).bytes) == (0, has)


def test_documents_that_take_the_place_of_others_need_no_more_room(memory: Store, tmp_path: Path) -> None:
    """With ``sync`` what is going to be withdrawn makes room for what comes."""
    quota = Quota(documents=2)
    folder = _files(tmp_path / "one", {"a.md": TEXT, "b.md": SHORT})
    _ingest(memory, "one", folder, quota)
    (folder / "a.md").rename(folder / "z.md")
    assert _told(_ingest(memory, "one", folder, quota, sync=True)) == {
        "a.md": "withdrawn",
        "b.md": "unchanged",
        "z.md": "added",
    }


def test_room_is_told_before_a_file_is_read_and_counted_after(tmp_path: Path) -> None:
    """A file's own length says already that it does not fit; what was taken once is not free any more."""
    allowance = Allowance(
        Quota.model_validate({"documents": 2, "bytes": 100}), TenantUsage(documents=1, bytes=40, builds=0)
    )
    allowance.require(60, is_new=True)
    with pytest.raises(OverQuota, match="more bytes"):
        allowance.require(61, is_new=False)
    allowance.take(30, is_new=True)
    with pytest.raises(OverQuota, match="as many documents") as caught:
        allowance.require(1, is_new=True)
    assert caught.value.context == {"documents": 2}
    with pytest.raises(OverQuota, match="more bytes") as caught:
        allowance.take(31, is_new=False)
    assert caught.value.context == {"bytes": 100, "taken": 70, "more": 31}
    allowance.take(30, is_new=False)
    allowance.give_back()
    allowance.require(0, is_new=True)


def test_builds_of_a_tenant_at_one_time_are_as_many_as_it_was_granted(memory: Store) -> None:
    """Of all corpora together; other work does not count, and room is there again when one has ended."""
    two = registrar_for(Quota(builds=2))
    with registered(memory, "a", "build", two), registered(memory, "a", "ingest", two):
        with registered(memory, "b", "build", two):
            assert usage_of(memory).builds == 2
            with (
                pytest.raises(OverQuota, match="as much work of this kind") as caught,
                registered(memory, "c", "build", two),
            ):
                pytest.fail("it began")
            assert caught.value.context == {"what": "build", "most": 2, "corpora": "a, b", "retry_after_s": 30}
        with registered(memory, "c", "build", two):
            pass
    assert usage_of(memory).builds == 0
    assert registrar_for(NO_QUOTA).most == {}
