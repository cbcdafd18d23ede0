"""``keys``, ``log``, ``audit``, ``sign`` and signed ``review`` from end to end: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import click.testing
import pytest

from coditect.cli import coditect
from coditect.transparency.checkpoints import open_checkpoint
from coditect.transparency.notes import VerifierKey
from coditect.transparency.proofs import verify_log_proof
from tests.corpora import CORPUS, folder_of
from tests.places import copy_place, options_at

POLICY = (
    "# Rules\n\nManagers shall review access rights every 90 days. The clerk shall sign each report within 3 days.\n"
)
MANIFEST = "approvals:\n  persons: 2\n  decisions: [dismiss]\n"


def run(store: Path, *words: str, key: Path | None = None, code: int = 0) -> click.testing.Result:
    """Run ``coditect`` with these words, with a log key, and see how it ends."""
    environment = {"CODITECT_PRINCIPAL": "Petra Principal"} | ({"CODITECT_LOG_KEY": str(key)} if key else {})
    line = [*options_at(store), "--cache", f"{store}-cache", "--jobs", "1", *words]
    result = click.testing.CliRunner().invoke(coditect, line, env=environment)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, (words, result.output, result.stderr)
    return result


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a key of the log and a store with a built corpus."""
    place = tmp_path_factory.mktemp("audited")
    folder = folder_of(place / "documents", {"rules.md": POLICY, "corpus.yaml": MANIFEST, "broken.pdf": "no PDF"})
    run(place / "store", "keys", "new", "--name", "log.example.com/t", "--output", str(place / "log.key"))
    key = place / "log.key"
    run(place / "store", "knowledge", "ingest", "--corpus-id", CORPUS, str(folder), key=key, code=3)
    run(place / "store", "knowledge", "build", "--corpus-id", CORPUS, "--today", "2026-09-30", key=key)
    return place


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    """A copy of the store, without a key of the log."""
    return copy_place(made / "store", tmp_path / "own")


@pytest.fixture
def anna(store: Path) -> Path:
    """The key of a registered person."""
    return person(store, "Anna Auditor")


def person(store: Path, name: str) -> Path:
    """Make a person's key, and register it."""
    path = store.with_name(name.split()[0].lower() + ".key")
    run(store, "keys", "new", "--person", name, "--role", "head of compliance", "--output", str(path))
    return path


def item_of(store: Path) -> str:
    """An extraction that a question finds."""
    words = ("--corpus-id", CORPUS, "--query", "review access rights", "--tier", "extraction", "--format", "json")
    answer = json.loads(run(store, "knowledge", "query", *words).stdout)
    return str(answer["hits"][0]["item"]["item_id"])


def test_key_of_the_log_is_made_once_and_shows_no_secret(tmp_path: Path) -> None:
    """The public part is printed; a file is never written over; and a key is of the log or of a person."""
    path = tmp_path / "log.key"
    shown = run(tmp_path / "none", "keys", "new", "--name", "log.example.com/x", "--output", str(path)).stdout
    assert VerifierKey.parse(shown).name == "log.example.com/x"
    assert "PRIVATE" not in shown
    assert path.stat().st_mode & 0o077 == 0
    run(tmp_path / "none", "keys", "new", "--name", "log.example.com/x", "--output", str(path), code=2)
    run(tmp_path / "none", "keys", "new", "--output", str(tmp_path / "x"), code=2)
    run(tmp_path / "none", "keys", "new", "--person", "A. Nna", "--output", str(tmp_path / "x"), code=2)
    assert not (tmp_path / "x").exists()


def test_checkpoint_proof_consistency_and_files_verify_with_the_public_key(made: Path, tmp_path: Path) -> None:
    """What the commands print is verified with the line that 'keys new' printed, and nothing else."""
    place, key = made / "store", made / "log.key"
    from coditect.transparency.custody.key_files import read_key_file

    public = read_key_file(key).key
    note = run(place, "log", "checkpoint", key=key).stdout
    opened = open_checkpoint(note.encode(), [public]).checkpoint
    entry = run(place, "log", "prove", "--index", "1", "--entry").stdout_bytes
    proof = run(place, "log", "prove", "--index", "1").stdout
    assert verify_log_proof(proof, entry, [public]).checkpoint == opened
    words = ("--first", "1", "--second", str(opened.size), "--format", "json")
    assert json.loads(run(place, "log", "consistency", *words).stdout)["proof"]
    run(place, "log", "consistency", "--first", "1", "--second", str(opened.size + 1), code=2)
    run(place, "log", "serve-files", "--output", str(tmp_path / "served"))
    assert (tmp_path / "served" / "checkpoint").read_text() == note
    assert "0 files written" in run(place, "log", "serve-files", "--output", str(tmp_path / "served")).stderr
    run(place, "log", "prove", "--index", str(opened.size), code=2)


def test_checkpoint_without_a_key_says_that_nothing_is_proven(store: Path) -> None:
    """Exit code 3."""
    assert "nothing is proven" in run(store, "log", "checkpoint", code=3).stderr


def test_older_copy_of_a_store_is_not_signed(store: Path, tmp_path: Path) -> None:
    """The memory beside the key knows of more; exit code 1, with the way out."""
    key = tmp_path / "own.key"
    run(store, "keys", "new", "--name", "log.example.com/t", "--output", str(key))
    run(store, "log", "checkpoint", key=key)
    older = copy_place(store, tmp_path / "older")
    run(
        store,
        "knowledge",
        "mark",
        "--corpus-id",
        CORPUS,
        "--query",
        "x",
        "--item-id",
        item_of(store),
        "--relevant",
        "--by",
        "B",
        key=key,
    )
    archive = tmp_path / "archive"
    run(store, "knowledge", "export", "--corpus-id", CORPUS, "--output", str(archive), key=key)
    imported = run(tmp_path / "other", "knowledge", "import", str(archive), key=key, code=1)
    assert "the corpus was imported, whole; the log is not signed" in imported.stderr.replace("\n", " ")
    refused = run(older, "log", "checkpoint", key=key, code=1)
    assert "move the file away" in refused.stderr.replace("\n", " ")


def test_person_signs_and_a_second_person_approves(store: Path, anna: Path) -> None:
    """Shown, signed as shown, waiting, approved; and the list says who signed as what."""
    ben, item = person(store, "Ben Boss"), item_of(store)
    decision = (
        "knowledge",
        "review",
        "--corpus-id",
        CORPUS,
        "--item",
        item,
        "--decision",
        "dismiss",
        "--meaning",
        "not ours",
    )
    shown = json.loads(run(store, *decision, "--sign-key", str(anna), "--show", "--format", "json").stdout)
    assert "Managers shall review" in shown["shown"]
    run(store, *decision, "--sign-key", str(anna), "--shown", "0" * 64, code=2)
    signed = run(store, *decision, "--sign-key", str(anna), "--shown", shown["sha256"]).stdout
    assert "waiting for a second person" in signed
    listed = ("knowledge", "review", "--corpus-id", CORPUS, "--list")
    assert "waiting for a second person" in run(store, *listed).stdout
    assert "waiting for signatures" in run(store, "knowledge", "review", "--corpus-id", CORPUS).stdout
    review_id = json.loads(run(store, *listed, "--format", "json").stdout)[0]["review"]["review_id"]
    approval = ("knowledge", "review", "--corpus-id", CORPUS, "--item", review_id, "--approve", "--meaning", "agreed")
    run(store, *approval, code=2)
    assert "SHA-256" in run(store, *approval, "--show").stdout
    assert "next build" in run(store, *approval, "--sign-key", str(ben)).stdout
    said = run(store, *listed).stdout
    assert "Anna Auditor, head of compliance" in said
    assert "Ben Boss, head of compliance" in said
    run(store, *decision, "--by", "Somebody Else", "--sign-key", str(anna), code=2)


def test_statement_and_report_are_signed_and_listed(store: Path, anna: Path, tmp_path: Path) -> None:
    """With the evidence that was shown; without a key or a meaning nothing is."""
    words = ("knowledge", "sign", "--corpus-id", CORPUS)
    run(store, *words, "--item", item_of(store), "--meaning", "read", "--sign-key", str(anna))
    report = tmp_path / "report.html"
    run(store, "knowledge", "report", "--corpus-id", CORPUS, "--output", str(report))
    run(store, *words, "--report", str(report), "--meaning", "approved", "--sign-key", str(anna))
    found = json.loads(run(store, *words, "--list", "--format", "json").stdout)
    assert [each["problems"] for each in found] == [[], []]
    assert "signed" in run(store, *words, "--list").stdout
    run(store, *words, "--item", item_of(store), "--meaning", "read", code=2)
    run(store, *words, "--sign-key", str(anna), code=2)
    run(store, *words, "--list", "--meaning", "x", code=2)


def test_keys_are_listed_rotated_registered_and_revoked(store: Path, anna: Path, tmp_path: Path) -> None:
    """Each holds until the next begins or it is revoked; a key that is there is registered with its file."""
    run(store, "keys", "rotate", "--key", str(anna), "--output", str(tmp_path / "next.key"))
    other = tmp_path / "other.key"
    run(store, "keys", "new", "--name", "device.example.com/7", "--output", str(other))
    run(store, "keys", "register", "--key", str(other), "--person", "Ben Boss", "--role", "owner")
    run(store, "keys", "revoke", "--key", "device.example.com/7", "--reason", "lost", "--at", "soon", code=2)
    run(store, "keys", "revoke", "--key", "device.example.com/7", "--reason", "lost")
    run(store, "keys", "revoke", "--key", "nobody", "--reason", "lost", code=2)
    lives = json.loads(run(store, "keys", "list", "--format", "json").stdout)["keys"]
    assert sorted(each["ended"] for each in lives) == ["", "revoked: lost", "rotated"]
    assert "holds" in run(store, "keys", "list").stdout
    run(store, "keys", "rotate", "--output", str(tmp_path / "x.key"), code=2)
    run(store, "keys", "rotate", "--lost", "nobody", "--output", str(tmp_path / "x.key"), code=2)
    assert not (tmp_path / "x.key").exists()


def test_audit_trail_is_listed_shown_and_exported(made: Path, store: Path, anna: Path, tmp_path: Path) -> None:
    """By pages, with who did it; an entry with its record and the proof that there is; and as a table."""
    listed = json.loads(run(store, "audit", "list", "--limit", "2", "--format", "json").stdout)
    assert [each["index"] for each in listed["entries"]] == [0, 1]
    more = json.loads(run(store, "audit", "list", "--after", "1", "--format", "json").stdout)
    assert (listed["next_after"], more["next_after"]) == (1, None)
    assert "Petra Principal" in run(store, "audit", "list").stdout
    lines = run(store, "audit", "list", "--kind", "key", "--format", "jsonl").stdout.splitlines()
    assert [json.loads(each)["after"]["person"] for each in lines] == ["Anna Auditor"]
    index = str(json.loads(lines[0])["index"])
    assert "no signed checkpoint" in run(store, "audit", "show", "--index", index).stdout
    assert json.loads(run(store, "audit", "show", "--index", "0", "--format", "json").stdout)["proven"] is True
    run(store, "audit", "show", "--index", "9999", code=2)
    assert "Kinds: access, answer, calibration" in run(store, "audit", "list", "--kind", "keys", code=2).stderr
    output = tmp_path / "audit.csv"
    run(store, "audit", "export", "--output", str(output))
    assert output.read_bytes().startswith(b"\xef\xbb\xbfindex,at,who")


def test_audit_trail_ends_as_what_it_found(store: Path, anna: Path) -> None:
    """A record that is gone is exit code 3, one that is another than was logged exit code 1."""
    from contextlib import closing

    from coditect.schemas import Generation, Review
    from tests.places import store_at

    words = ("--corpus-id", CORPUS, "--item", item_of(store), "--decision", "accept", "--meaning", "read")
    run(store, "knowledge", "review", *words, "--sign-key", str(anna))
    opened = store_at(store)
    with closing(opened.engine):
        ((_, review),) = opened.scan("reviews", Review, CORPUS)
        opened.remove("reviews", CORPUS, review.review_id)
    assert "gone" in run(store, "audit", "list", code=3).stdout
    opened = store_at(store)
    with closing(opened.engine):
        held = opened.get("generations", Generation, CORPUS, 1)
        assert held is not None
        opened.put("generations", held.model_copy(update={"tool_version": "0.0.0"}), CORPUS, 1)
    assert "differs" in run(store, "audit", "list", code=1).stdout
