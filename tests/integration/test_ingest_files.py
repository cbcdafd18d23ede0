"""Bad input costs the bad file: it is named with a reason and a way out, and all others are taken in and built."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from coditect.documents.readers import ReadLimits, read_source
from coditect.errors import UsageError
from coditect.integrity.validate import validate
from coditect.knowledge.ingest.files import find_files
from coditect.knowledge.ingest.intake import ingest
from coditect.knowledge.query.drilldown import drill_down
from coditect.knowledge.report.status import corpus_status
from coditect.schemas import Failure
from coditect.store.store import Store
from coditect.store.view import open_view
from tests.corpora import CORPUS, DOCUMENTS, build_all, clock, folder_of, ingest_all
from tests.unit.documents.documents import archive, pdf

GOOD = {"good.md": DOCUMENTS["incident.md"], "z-good.md": DOCUMENTS["access.md"]}
PAGE = [[(72.0, 700.0, "The clerk shall sign each page.")]]
_KEYS = b"/O <%s> /U <%s>" % (b"41" * 32, b"42" * 32)
ENCRYPTED = b"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 %s >> /ID [<%s> <%s>]" % (_KEYS, b"43" * 16, b"43" * 16)

BAD_BYTES: dict[str, tuple[str, bytes, str]] = {
    "empty": ("bad.md", b"", "the file is empty"),
    "white space": ("bad.txt", b" \n\t \r\n", "only white space"),
    "garbage": ("bad.md", bytes(range(256)) * 40, "not text although its name says so"),
    "garbage without NUL": ("bad.md", bytes(range(1, 32)) * 40, "not text although its name says so"),
    "executable": ("bad.txt", b"\x7fELF\x02\x01\x01" + bytes(5_000), "not text although its name says so"),
    "PDF called md": ("bad.md", pdf(PAGE), "not text although its name says so"),
    "encrypted PDF": ("bad.pdf", pdf(PAGE, ENCRYPTED), "the PDF is encrypted"),
    "truncated PDF": ("bad.pdf", pdf(PAGE)[:300], "PDF"),
    "no PDF": ("bad.pdf", b"hello", "PDF"),
    "PDF without text": ("bad.pdf", pdf([[]]), "text"),
    "zip bomb": ("bad.docx", archive({"word/document.xml": bytes(40_000_000)}), "expands to more than is allowed"),
    "no docx": ("bad.docx", b"PK\x03\x04 broken", "damaged"),
    "unknown format": ("bad.bin", bytes(300), "unknown format"),
    "json": ("bad.json", b'{"open": [', ""),
    "deep json": ("bad.json", b"[" * 100_000, ""),
    "deep xml": ("bad.xml", b"<a>" * 100_000, ""),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two good documents, among which tests put a bad one."""
    return folder_of(tmp_path / "files", GOOD)


def _failures(store: Store) -> dict[str, str]:
    return {record.name: record.message for _, record in store.scan("failures", Failure, CORPUS)}


def _built_names(store: Store) -> list[str]:
    build_all(store)
    assert validate(store, CORPUS).findings == ()
    return sorted(version.name for version in open_view(store, CORPUS).documents.values())


@pytest.mark.parametrize(("name", "raw", "message"), BAD_BYTES.values(), ids=BAD_BYTES.keys())
def test_ingest_of_a_bad_file_names_it_and_takes_the_others(
    name: str, raw: bytes, message: str, folder: Path, memory: Store
) -> None:
    """A message and a hint of its own; the good files are built; repaired, the failure is gone."""
    (folder / name).write_bytes(raw)
    report = ingest_all(memory, folder)
    bad = next(outcome for outcome in report.outcomes if outcome.name == name)
    assert (bad.status, report.count("added"), report.partial) == ("failed", 2, True)
    assert message in bad.message
    assert bad.hint
    assert bad.error == "ReadError"
    assert list(_failures(memory)) == [name]
    assert corpus_status(memory, CORPUS)[0].failures[0].name == name
    assert _built_names(memory) == sorted(GOOD)
    if name.endswith((".md", ".txt")):
        (folder / name).write_text("The clerk shall keep the seal in the safe at night.\n")
        again = ingest_all(memory, folder)
        assert (again.count("added"), again.count("unchanged"), again.partial) == (1, 2, False)
        assert _failures(memory) == {}
        assert _built_names(memory) == sorted([*GOOD, name])


def test_ingest_of_bytes_that_are_not_utf8_reads_them_and_says_so(folder: Path, memory: Store) -> None:
    """A few damaged bytes do not cost a document, but the reader is told."""
    (folder / "latin.md").write_bytes("Der Prüfer shall review the Bücher each year.\n".encode("latin-1"))
    (folder / "damaged.md").write_bytes("Prüfer shall review all “books” ".encode() + b"\xff each year.\n")
    report = ingest_all(memory, folder)
    assert report.count("failed") == 0
    said = {outcome.name: outcome.message for outcome in report.outcomes}
    assert said["latin.md"]
    assert "U+FFFD" in said["damaged.md"]
    assert "latin.md" in _built_names(memory)


def _link_to_itself(folder: Path) -> None:
    (folder / "bad.md").symlink_to("bad.md")


def _dangling(folder: Path) -> None:
    (folder / "bad.md").symlink_to("nowhere.md")


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / "bad.md")


def _socket(folder: Path) -> None:
    here = Path.cwd()
    os.chdir(folder)  # a socket's path may have 108 bytes
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("bad.md")
    finally:
        os.chdir(here)


def _cycle(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "bad.md").symlink_to(folder, target_is_directory=True)


def _device(folder: Path) -> None:
    (folder / "bad.md").symlink_to("/dev/zero")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (_link_to_itself, "leads back to itself"),
        (_dangling, "leads nowhere"),
        (_pipe, "not a regular file"),
        (_socket, "not a regular file"),
        (_device, "leads out of the folder"),
        (_cycle, "leads to a folder that is read already"),
    ],
)
def test_ingest_of_what_is_no_file_names_it_and_takes_the_others(
    make: Callable[[Path], None], message: str, folder: Path, memory: Store
) -> None:
    """Links in a circle, dangling links, pipes, sockets and devices: nothing hangs, each has its message."""
    make(folder)
    report = ingest_all(memory, folder)
    bad = next(outcome for outcome in report.outcomes if outcome.status == "failed")
    assert bad.name.endswith("bad.md")
    assert message in bad.message
    assert bad.hint
    assert _built_names(memory) == sorted(GOOD)


def test_ingest_of_two_links_at_every_level_reads_each_folder_once(tmp_path: Path, memory: Store) -> None:
    """Links to the same folders again and again do not multiply the work: 2^40 paths, 40 folders."""
    folder = folder_of(tmp_path / "files", GOOD)
    for level in range(40):
        (folder / f"{level:02}").mkdir()
    for level in range(39):
        for side in "ab":
            (folder / f"{level:02}" / side).symlink_to(folder / f"{level + 1:02}", target_is_directory=True)
    assert ingest_all(memory, folder).count("added") == 2


def test_ingest_of_links_that_lead_out_of_the_folder_names_them(tmp_path: Path, memory: Store) -> None:
    """Neither a file nor a folder elsewhere is read through a link, whatever its place; what it leads to inside is."""
    folder_of(tmp_path / "elsewhere", {"secret.md": DOCUMENTS["access.md"]})
    folder = folder_of(tmp_path / "files", {"a.md": DOCUMENTS["incident.md"], "sub/b.md": DOCUMENTS["retention.txt"]})
    (folder / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (folder / "sub" / "secret.md").symlink_to("../../elsewhere/secret.md")
    (folder / "twice.md").symlink_to("sub/secret.md")
    (folder / "inside.md").symlink_to("sub/b.md")
    (folder / "files-too").symlink_to(tmp_path / "files" / ".." / "files-not", target_is_directory=True)
    folder_of(tmp_path / "files-not", {"c.md": "x"})
    report = ingest_all(memory, folder)
    failed = {outcome.name: outcome for outcome in report.outcomes if outcome.status == "failed"}
    assert set(failed) == {"link", "sub/secret.md", "twice.md", "files-too"}
    assert all("leads out of the folder" in outcome.message for outcome in failed.values())
    assert all("--follow-links" in outcome.hint for outcome in failed.values())
    assert report.partial
    assert {o.name for o in report.outcomes if o.status == "added"} == {"a.md", "inside.md"}
    assert [o.name for o in report.outcomes if o.status == "duplicate"] == ["sub/b.md"]


def test_ingest_of_a_link_to_a_folder_elsewhere_reads_its_files_where_that_is_wanted(
    tmp_path: Path, memory: Store
) -> None:
    """A link is followed, and its files are called by the link; a later run that does not follow it withdraws nothing."""
    folder_of(tmp_path / "elsewhere", {"linked.md": DOCUMENTS["access.md"]})
    folder = folder_of(tmp_path / "files", {"a.md": DOCUMENTS["incident.md"]})
    (folder / "link").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    ingest(memory, CORPUS, [folder], clock=clock, jobs=1, follow_links=True)
    assert _built_names(memory) == ["a.md", "link/linked.md"]
    report = ingest_all(memory, folder, sync=True)
    assert (report.count("withdrawn"), report.count("failed")) == (0, 1)
    assert _built_names(memory) == ["a.md", "link/linked.md"]


def test_ingest_of_a_link_that_was_given_follows_it(tmp_path: Path, memory: Store) -> None:
    """A path that the user names is the user's choice, also where it is a link to a folder or a file."""
    folder_of(tmp_path / "elsewhere", {"a.md": DOCUMENTS["access.md"], "b.md": DOCUMENTS["incident.md"]})
    (tmp_path / "folder").symlink_to("elsewhere", target_is_directory=True)
    (tmp_path / "c.md").symlink_to("elsewhere/b.md")
    assert ingest_all(memory, tmp_path / "folder").count("added") == 2
    assert [o.name for o in ingest_all(memory, tmp_path / "c.md").outcomes] == ["c.md"]


def test_find_files_below_a_thousand_folders_finds_them(tmp_path: Path) -> None:
    """Depth is no recursion."""
    deep, depth = tmp_path / "f", 1_050
    here = Path.cwd()
    deep.mkdir()
    try:
        os.chdir(deep)
        for _ in range(depth):
            Path("d").mkdir()
            os.chdir("d")
        Path("a.md").write_text("x")
        assert [file.name for file in find_files([deep])] == ["d/" * depth + "a.md"]
        Path("a.md").unlink()
    finally:
        for _ in range(depth):  # pytest could not remove it: shutil.rmtree is a recursion
            os.chdir("..")
            Path("d").rmdir()
        os.chdir(here)


NAMES = {
    "spaces": "a policy with  spaces .md",
    "unicode": "Prüfbericht – §4 🗝️ (Entwurf).md",
    "newline": "two\nlines.md",
    "tab and quote": 'a\t"b".md',
    "colon": "Policy: Access.md",
    "long": "l" * 250 + ".md",
    "long unicode": "ü" * 120 + ".md",
    "percent": "%s%n{0}.md",
    "dash": "-rf.md",
    "backslash": "a\\b.md",
    "deep": "/".join(["folder with a rather long name"] * 30) + "/a.md",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_ingest_of_a_file_with_an_unusual_name_builds_and_leads_back_to_it(
    name: str, tmp_path: Path, memory: Store
) -> None:
    """Any name that is Unicode can be cited: built, validated, and found again from an extraction."""
    ingest_all(memory, folder_of(tmp_path / "files", {**GOOD, name: DOCUMENTS["suppliers/cloud.md"]}))
    assert name in _built_names(memory)
    view = open_view(memory, CORPUS)
    version = next(v for v in view.documents.values() if v.name == name)
    chunk = view.chunks(version.document_id)[0]
    assert {source.document_name for source in drill_down(memory, chunk.chunk_id)} == {name}
    assert ingest_all(memory, tmp_path / "files").count("unchanged") == 3


def test_ingest_of_a_name_that_is_no_text_says_rename_it(folder: Path, memory: Store) -> None:
    """A name that is not UTF-8 cannot be cited; it is shown with escapes, so that it can be found."""
    raw = os.fsencode(folder) + b"/caf\xe9 \xff.md"
    try:
        Path(os.fsdecode(raw)).write_text(DOCUMENTS["retention.txt"])
    except OSError:
        pytest.skip("this file system takes no such name")
    os.mkdir(os.fsdecode(os.fsencode(folder) + b"/d\xff"))  # noqa: PTH102
    report = ingest_all(memory, folder)
    failed = {outcome.name: outcome for outcome in report.outcomes if outcome.status == "failed"}
    assert set(failed) == {"caf\\xe9 \\xff.md", "d\\xff"}
    assert all("Rename" in outcome.hint for outcome in failed.values())
    assert _built_names(memory) == sorted(GOOD)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_ingest_of_an_unreadable_file_and_folder_names_them(folder: Path, memory: Store) -> None:
    """What may not be read is told as that."""
    (folder / "bad.md").write_text("x")
    (folder / "bad.md").chmod(0)
    (folder / "sub").mkdir(mode=0)
    report = ingest_all(memory, folder)
    (folder / "sub").chmod(0o700)
    failed = {outcome.name: outcome.message for outcome in report.outcomes if outcome.status == "failed"}
    assert set(failed) == {"bad.md", "sub"}
    assert all("may not be read" in message for message in failed.values())
    assert _built_names(memory) == sorted(GOOD)


def test_ingest_of_a_file_over_the_limit_is_refused_unread(folder: Path, memory: Store) -> None:
    """Its size is looked at first: a sparse file of a terabyte takes no memory."""
    with (folder / "bad.md").open("wb") as file:
        file.truncate(ReadLimits().max_file_bytes * 4_000)
    report = ingest_all(memory, folder)
    assert next(o.message for o in report.outcomes if o.status == "failed").startswith("the file is too large")
    assert _built_names(memory) == sorted(GOOD)


def test_ingest_of_a_path_that_is_not_there_is_refused_before_anything(folder: Path, memory: Store) -> None:
    """A typing error makes no corpus and takes nothing in."""
    for wrong in (folder / "nowhere", folder / ("x" * 5_000), folder / "a\0b"):
        with pytest.raises(UsageError):
            ingest_all(memory, folder, wrong)
    assert memory.corpora() == []


def test_ingest_of_a_file_that_becomes_bad_keeps_its_earlier_version(folder: Path, memory: Store) -> None:
    """The corpus goes on with what it had, and says what it could not take in; also with sync."""
    ingest_all(memory, folder)
    assert _built_names(memory) == sorted(GOOD)
    before = open_view(memory, CORPUS)
    (folder / "good.md").write_bytes(bytes(100))
    report = ingest_all(memory, folder, sync=True)
    assert (report.count("failed"), report.count("withdrawn")) == (1, 0)
    assert list(_failures(memory)) == ["good.md"]
    build_all(memory)
    after = open_view(memory, CORPUS)
    assert (after.manifest.trees, after.manifest.sections) == (before.manifest.trees, before.manifest.sections)
    assert after.summary.unread == ("good.md",)
    (folder / "good.md").write_text(GOOD["good.md"])
    assert ingest_all(memory, folder).count("unchanged") == 2
    assert _failures(memory) == {}


def test_ingest_of_a_bad_file_that_is_removed_forgets_it_with_sync(folder: Path, memory: Store) -> None:
    """A failure is a thing to do; without the file there is nothing to do."""
    (folder / "bad.md").touch()
    ingest_all(memory, folder)
    (folder / "bad.md").unlink()
    ingest_all(memory, folder)
    assert list(_failures(memory)) == ["bad.md"], "without sync nothing is said of files that were not given"
    ingest_all(memory, folder, sync=True)
    assert _failures(memory) == {}


def test_ingest_with_sync_keeps_what_lies_in_a_folder_that_cannot_be_looked_into(
    tmp_path: Path, memory: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may not be read today does not withdraw the documents below it."""
    folder = folder_of(tmp_path / "files", {**GOOD, "sub/kept.md": DOCUMENTS["retention.txt"]})
    ingest_all(memory, folder)
    listed = Path.iterdir

    def refuse(path: Path) -> object:
        if path.name == refused:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    refused = "sub"
    (folder / "good.md").unlink()
    report = ingest_all(memory, folder, sync=True)
    assert {o.name: o.status for o in report.outcomes if o.status != "unchanged"} == {
        "good.md": "withdrawn",
        "sub": "failed",
    }
    refused = "files"
    report = ingest_all(memory, folder, sync=True)
    assert (report.count("withdrawn"), report.count("failed")) == (0, 1)
    monkeypatch.undo()
    assert _built_names(memory) == ["sub/kept.md", "z-good.md"]


def test_ingest_of_hidden_files_passes_them_over_unless_given(tmp_path: Path, memory: Store) -> None:
    """A leading dot hides files and folders in a folder, not a file that was named."""
    folder = folder_of(tmp_path / "files", {".a.md": "x", ".git/b.md": "x", **GOOD})
    assert [o.name for o in ingest_all(memory, folder).outcomes] == sorted(GOOD)
    assert [o.name for o in ingest_all(memory, folder / ".a.md").outcomes] == [".a.md"]


def test_ingest_of_a_reader_that_slips_costs_one_file(
    folder: Path, memory: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a reader raises by mistake, the other files are taken in."""
    from coditect.knowledge.ingest import reading as module

    def slip(raw: bytes, name: str) -> object:
        if name == "good.md":
            raise IndexError("nobody thought of this")
        return read_source(raw, name)

    monkeypatch.setattr(module, "read_source", slip)
    report = ingest_all(memory, folder)
    assert (report.count("failed"), report.count("added")) == (1, 1)
    assert "nobody thought of this" in _failures(memory)["good.md"]
    monkeypatch.undo()
    assert ingest_all(memory, folder).count("added") == 1
    assert _failures(memory) == {}


def test_ingest_of_a_package_with_a_damaged_member_costs_one_file(tmp_path: Path, memory: Store) -> None:
    """A zip whose LZMA stream is broken fails by itself, and the files beside it are taken in."""
    import zipfile

    folder = folder_of(tmp_path / "files", GOOD)
    with zipfile.ZipFile(folder / "broken.docx", "w", zipfile.ZIP_LZMA) as package:
        package.writestr("[Content_Types].xml", "<Types/>" * 50)
        package.writestr("word/document.xml", "<w:document/>" * 200)
    data = bytearray((folder / "broken.docx").read_bytes())
    for name in (b"[Content_Types].xml", b"word/document.xml"):
        at = data.index(name) + len(name) + 9  # behind the properties of the stream
        data[at : at + 12] = bytes(b ^ 0xFF for b in data[at : at + 12])
    (folder / "broken.docx").write_bytes(bytes(data))
    report = ingest_all(memory, folder)
    assert (report.count("failed"), report.count("added")) == (1, len(GOOD))
    assert set(_failures(memory)) == {"broken.docx"}


def test_hidden_files_and_folders_are_named_and_not_taken_in(tmp_path: Path) -> None:
    """Whoever gives a folder learns what of it was passed over."""
    (tmp_path / ".drafts").mkdir()
    (tmp_path / ".drafts" / "a.md").write_text("Keys must be returned.")
    (tmp_path / ".note.md").write_text("Keys must be returned.")
    (tmp_path / "b.md").write_text("Keys must be returned.")
    passed_over: list[str] = []
    assert [each.name for each in find_files([tmp_path], passed_over=passed_over)] == ["b.md"]
    assert sorted(passed_over) == [".drafts/", ".note.md"]
