"""A corpus manifest: read with the line of all that is wrong, kept with the intake, and part of what a build depends on."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from coditect.documents.profile.guess import Guess, Guesses
from coditect.documents.profile.guessing import guess_profile
from coditect.errors import UsageError
from coditect.integrity.sweeping.sweep import sweep
from coditect.integrity.validate import validate
from coditect.knowledge.archive.export import export_corpus
from coditect.knowledge.archive.format import open_archive
from coditect.knowledge.archive.importing import import_archive
from coditect.knowledge.ingest.intake import IngestReport, ingest
from coditect.knowledge.ingest.manifest import read_manifest
from coditect.knowledge.report.collection import collect_report
from coditect.knowledge.report.standing import standing_of
from coditect.knowledge.report.status import corpus_status
from coditect.reports.html import render_html
from coditect.schemas import BuildSettings
from coditect.store.store import Store
from coditect.store.view import View, open_view
from coditect.testing.engine.memory import MemoryEngine
from tests.corpora import CORPUS, build_all, clock, folder_of

RULE = (
    "# Access Rulebook\n\n## 1 Rules\n\n1.1 A firm must review the access rights of all accounts at least quarterly.\n"
)
POLICY = "# Access Policy\n\n## 1 Rules\n\n1.1 The access rights of all accounts must be reviewed at least every two years.\n"
FILES = {"law/rule.md": RULE, "policy.md": POLICY}


def _folder(tmp_path: Path, manifest: str | None = None, files: dict[str, str] | None = None) -> Path:
    given: dict[str, str | bytes] = {**(files or FILES), **({} if manifest is None else {"corpus.yaml": manifest})}
    for name in given:
        (tmp_path / "files" / name).parent.mkdir(parents=True, exist_ok=True)
    return folder_of(tmp_path / "files", given)


def _taken(store: Store, folder: Path, manifest: Path | None = None) -> IngestReport:
    return ingest(store, CORPUS, [folder], clock=clock, jobs=1, manifest=manifest)


def _built(store: Store, today: str = "2026-09-30") -> View:
    build_all(store, settings=BuildSettings(today=today))
    return open_view(store, CORPUS)


def _told(view: View, name: str, field: str) -> tuple[str, bool]:
    """The value of a fact of the document of this name, and whether it is given."""
    profile = next(view.profiles[d] for d, version in view.documents.items() if version.name == name)
    fact = getattr(profile, field)
    return ("", False) if fact is None else (fact.value, fact.is_given)


def _problems(report: IngestReport) -> list[tuple[str, str, str]]:
    return [(each.name, each.message, each.hint) for each in report.outcomes if each.status == "failed"]


def test_manifest_at_the_root_of_the_folder_is_no_document(tmp_path: Path) -> None:
    """What it states is given, what it leaves out is guessed, and it is not taken in itself."""
    store = Store(MemoryEngine())
    folder = _folder(tmp_path, "documents:\n  - document: policy.md\n    owner: Ann\n    parties: [Acme]\n")
    report = _taken(store, folder)
    assert sorted(each.name for each in report.outcomes) == ["law/rule.md", "policy.md"]
    view = _built(store)
    assert _told(view, "policy.md", "owner") == ("Ann", True)
    assert _told(view, "policy.md", "role") == ("policy", False)
    assert _told(view, "law/rule.md", "role") == ("rule", False)
    assert _told(view, "law/rule.md", "owner") == ("", False)


def test_exact_name_outweighs_a_pattern_and_a_later_entry_an_earlier_one(tmp_path: Path) -> None:
    """Key by key; a star stays in its folder, two stars do not."""
    entries = (
        "  - {document: law/rule.md, owner: exact}\n"
        "  - {document: '**/*.md', owner: first, edition: '1'}\n"
        "  - {document: '*.md', owner: second}\n"
        "  - {document: '**', edition: '2'}\n"
    )
    store = Store(MemoryEngine())
    _taken(store, _folder(tmp_path, f"documents:\n{entries}"))
    view = _built(store)
    assert (_told(view, "law/rule.md", "owner")[0], _told(view, "policy.md", "owner")[0]) == ("exact", "second")
    assert _told(view, "law/rule.md", "edition")[0] == "2"


@pytest.mark.parametrize("key", ["date", "effective_from", "effective_to", "next_review"])
@pytest.mark.parametrize("given", ["2026-94-10", "2026-W40-3", "20260930"])
def test_every_date_of_a_manifest_must_be_a_day(tmp_path: Path, key: str, given: str) -> None:
    """The line, the key and the form asked for are told."""
    report = _taken(
        Store(MemoryEngine()), _folder(tmp_path, f"documents:\n  - document: policy.md\n    {key}: {given}\n")
    )
    ((name, told, way_out),) = _problems(report)
    assert name == "corpus.yaml:3"
    assert key in told
    assert "YYYY-MM-DD" in told + way_out


@pytest.mark.parametrize(
    ("entry", "line", "message", "hint"),
    [
        ("  - document: policy.md\n    ownr: Ann\n", 3, "unknown key 'ownr'", "Did you mean 'owner'?"),
        ("  - document: policy.md\n    date: 2026-02-30\n", 3, "there is no such day", "Write the day as YYYY-MM-DD"),
        ("  - document: policy.md\n    date: 1.2.2026\n", 3, "written YYYY-MM-DD", "Write the day as YYYY-MM-DD"),
        ("  - document: policy.md\n    role: polcy\n", 3, "unknown role 'polcy'", "Roles are law, rule"),
        ("  - document: polcy.md\n    role: law\n", 2, "unknown document 'polcy.md'", "Did you mean 'policy.md'?"),
        ("  - document: '*.pdf'\n    role: law\n", 2, "the pattern '*.pdf' matches no document", "'*' stops at a '/'"),
        ("  - role: law\n", 2, "an entry without 'document'", "its name in the corpus, or a pattern"),
        ("  - policy.md\n", 2, "an entry is not a mapping", "Write 'documents:'"),
        ("  - document: policy.md\n    owner: A\n    owner: B\n", 4, "is there twice", "Keep one of them"),
        (
            "  - document: policy.md\n    effective_from: 2026-02-01\n    effective_to: 2026-01-01\n",
            2,
            "effective_to lies before effective_from",
            "",
        ),
    ],
)
def test_bad_entry_is_told_with_its_line_and_costs_itself(
    tmp_path: Path, entry: str, line: int, message: str, hint: str
) -> None:
    """The files go in, and so do the entries that are right."""
    store = Store(MemoryEngine())
    folder = _folder(tmp_path, f"documents:\n{entry}  - document: law/rule.md\n    owner: Bob\n")
    report = _taken(store, folder)
    ((name, told, way_out),) = _problems(report)
    assert name == f"corpus.yaml:{line}"
    assert message in told
    assert hint in way_out
    assert report.partial
    assert report.count("added") == 2
    assert _told(_built(store), "law/rule.md", "owner") == ("Bob", True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"documents: [", "not YAML"),
        (b"- a\n", "a mapping with the key 'documents'"),
        (b"documents: 3\n", "'documents' is not a list"),
        (b"owner: x\n", "unknown key 'owner'"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"a: &a [*a]\n", "unknown key 'a'"),
        (b"[" * 5000, "not a manifest"),
    ],
)
def test_file_that_is_no_manifest_is_told_and_raises_nothing(tmp_path: Path, text: bytes, message: str) -> None:
    """Whatever stands in it, the ingest goes on."""
    path = tmp_path / "corpus.yaml"
    path.write_bytes(text)
    reading = read_manifest(path)
    assert not reading.entries
    assert any(message in problem.message or "not YAML" in problem.message for problem in reading.problems)


def test_manifest_that_is_given_by_name_stands_for_the_one_in_the_folder(tmp_path: Path) -> None:
    """And one that is not there is refused before anything."""
    store = Store(MemoryEngine())
    folder = _folder(tmp_path, "documents:\n  - {document: policy.md, owner: root}\n")
    other = tmp_path / "other.yaml"
    other.write_text("documents:\n  - {document: policy.md, owner: given}\n")
    _taken(store, folder, other)
    assert _told(_built(store), "policy.md", "owner") == ("given", True)
    with pytest.raises(UsageError, match="no such manifest"):
        _taken(store, folder, tmp_path / "none.yaml")


def test_changed_manifest_changes_findings_and_neither_versions_nor_tier_1(tmp_path: Path) -> None:
    """The rule becomes a record of what is done: nothing is in conflict with it any more but by falling short."""
    store = Store(MemoryEngine())
    folder = _folder(tmp_path)
    _taken(store, folder)
    before = _built(store)
    (folder / "corpus.yaml").write_text(
        "documents:\n  - {document: law/rule.md, parties: [banks]}\n  - {document: policy.md, parties: [Acme]}\n"
    )
    report = _taken(store, folder)
    assert report.count("described") == 2
    assert corpus_status(store, CORPUS)[0].pending == 2
    after = _built(store)
    assert corpus_status(store, CORPUS)[0].pending == 0
    assert after.manifest.build_id != before.manifest.build_id
    for document_id, entry in before.entries.items():
        later = after.entries[document_id]
        assert (entry.version_id, entry.extractions, entry.chunks) == (
            later.version_id,
            later.extractions,
            later.chunks,
        )
        assert entry.profile != later.profile
    assert [claim.claim_kind for claim in before.claims.values() if "differ" in claim.text] == ["conflict"]
    assert [claim.claim_kind for claim in after.claims.values() if "differ" in claim.text] == []


def test_what_was_declared_stays_until_a_manifest_says_otherwise(tmp_path: Path) -> None:
    """An ingest without one, and a new version of the file, keep it; a manifest that is silent of a given file takes it back."""
    store = Store(MemoryEngine())
    folder = _folder(tmp_path, "documents:\n  - {document: policy.md, owner: Ann}\n")
    _taken(store, folder)
    (folder / "corpus.yaml").unlink()
    (folder / "policy.md").write_text(POLICY.replace("two", "three"))
    _taken(store, folder)
    assert _told(_built(store), "policy.md", "owner") == ("Ann", True)
    (folder / "corpus.yaml").write_text("documents: []\n")
    _taken(store, folder)
    assert _told(_built(store), "policy.md", "owner") == ("", False)


def test_day_that_passes_a_date_makes_another_build_and_others_do_not(tmp_path: Path) -> None:
    """The day is part of a build where it decides something; the text of the summary says what."""
    store = Store(MemoryEngine())
    folder = _folder(tmp_path, "documents:\n  - {document: policy.md, next_review: 2026-06-30}\n")
    _taken(store, folder)
    builds = [_built(store, day) for day in ("2026-01-01", "2026-06-30", "2026-07-01", "2026-12-31")]
    ids = [view.manifest.build_id for view in builds]
    assert ids[0] == ids[1] != ids[2] == ids[3]
    assert [view.manifest.settings.today for view in builds] == [None, None, "2026-07-01", "2026-07-01"]
    assert "to be reviewed by 2026-06-30" in builds[2].summary.summary_text
    assert list(standing_of(builds[0], "2026-07-01").values()) == [("overdue: to be reviewed by 2026-06-30",)]


def test_profiles_are_exported_imported_validated_swept_and_reported_as_other_records(tmp_path: Path) -> None:
    """An archive holds them, validation reads them, no sweep takes one that a generation needs, and the report shows them."""
    store = Store(MemoryEngine())
    folder = _folder(tmp_path, "documents:\n  - {document: policy.md, owner: Ann, supersedes: law/rule.md}\n")
    _taken(store, folder)
    view = _built(store)
    archive = BytesIO()
    export_corpus(store, CORPUS, archive)
    archive.seek(0)
    other = Store(MemoryEngine())
    report = import_archive(other, open_archive(archive))
    assert report.rows["profiles"] == 2
    assert open_view(other, CORPUS).profiles == view.profiles
    assert validate(store, CORPUS).clean
    dead = sweep(store, CORPUS).corpora[0]
    assert dead.live["profiles"].rows == 2
    assert "profiles" not in dead.dead
    collected = collect_report(store, view, generated_at="2026-09-30T00:00:00Z")
    page = render_html(collected)
    assert "superseded by policy.md" in page
    assert "<bdi>Ann</bdi></b>, given" in page
    assert "guessed from the title" in page


def test_guess_that_rests_on_other_words_than_the_text_holds_is_found_by_validation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The words that a guess rests on are verbatim, like every quote."""

    def forged(name: str, title: str, text: str) -> Guesses:
        return replace(guess_profile(name, title, text), owner=Guess("Eve", "text", "Owner: Eve", 0, 10))

    monkeypatch.setattr("coditect.knowledge.derivation.profiles.guess_profile", forged)
    store = Store(MemoryEngine())
    _taken(store, _folder(tmp_path))
    _built(store)
    found = validate(store, CORPUS).findings
    assert {(each.check, each.record.partition("/")[0]) for each in found} == {("verbatim", "profiles")}
    assert len(found) == len(FILES)
