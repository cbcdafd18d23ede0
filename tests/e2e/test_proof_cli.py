"""From the log's key to a bundle that somebody else verifies, on the command line: witness, time stamp, bundle, kept checkpoint."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import click.testing
import pytest
from coditect_verify.command import main

from coditect.cli import coditect
from coditect.transparency.notes import SigningKey
from coditect.transparency.witness.folder import FolderLastSeen
from coditect.transparency.witness.judgement import Witness, witness_key
from coditect.transparency.witness.server import witness_server
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.places import options_at, store_at
from tests.unit.transparency.time_authority import TimeAuthority

WITNESS = SigningKey("witness.example.com/w1", bytes([9] * 32))
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def _run(place: Path, *words: str) -> click.testing.Result:
    result = click.testing.CliRunner().invoke(coditect, [*options_at(place), *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def _authority_server(authority: TimeAuthority) -> HTTPServer:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = authority.answer(self.rfile.read(int(self.headers["Content-Length"])), NOW)
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return HTTPServer(("127.0.0.1", 0), Handler)


def test_bundle_with_witness_and_time_stamp_is_verified_by_the_verifier_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Everything that a log can have, through the commands; and what a kept checkpoint finds of a deleted row."""
    place, key = tmp_path / "store", tmp_path / "log.key"
    folder = folder_of(tmp_path / "documents", {**DOCUMENTS, "broken.pdf": "no PDF"})
    assert _run(place, "keys", "new", "--name", "log.example.com/e2e", "--output", str(key)).exit_code == 0
    monkeypatch.setenv("CODITECT_LOG_KEY", str(key))
    assert invoke(place, "ingest", "--corpus-id", CORPUS, str(folder)).exit_code == 3
    kept = tmp_path / "kept"
    kept.write_text(_run(place, "log", "checkpoint").stdout, "utf-8")
    assert invoke(place, "build", "--corpus-id", CORPUS).exit_code == 0
    log_key = json.loads(invoke(place, "report", "--corpus-id", CORPUS, "--output", "-", "--format", "json").stdout)[
        "proof"
    ]["key"]

    witness = Witness(
        WITNESS, {"log.example.com/e2e": [SigningKey.parse(key.read_text()).key]}, FolderLastSeen(tmp_path / "w")
    )
    authority = TimeAuthority((datetime(2020, 1, 1, tzinfo=UTC), datetime(2040, 1, 1, tzinfo=UTC)))
    certificates = tmp_path / "tsa.pem"
    certificates.write_bytes(authority.certificates)
    for server, words in (
        (witness_server(witness, ("127.0.0.1", 0)), ("log", "witness", "--key", str(witness_key(WITNESS)))),
        (_authority_server(authority), ("log", "timestamp", "--tsa", str(certificates))),
    ):
        with server:
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            done = _run(place, *words, "--url", f"http://127.0.0.1:{server.server_address[1]}")
            server.shutdown()
            thread.join()
        assert done.exit_code == 0, done.output

    bundle = tmp_path / "report.bundle"
    wanted = ("prove", "--corpus-id", CORPUS, "--report", "--kept", str(kept), "--output", str(bundle))
    assert json.loads(invoke(place, *wanted, "--format", "json").stdout)["documents"]
    trusted = [
        "--key",
        log_key,
        "--checkpoint",
        str(kept),
        "--witness",
        str(witness_key(WITNESS)),
        "--tsa",
        str(certificates),
    ]
    capsys.readouterr()
    assert main([str(bundle), *trusted, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"kept checkpoint", "witnesses", "time stamp", "intake"} <= {each["kind"] for each in told["hops"]}
    assert told["order"]

    for wrong in (("--claim", "a", "--report"), ()):
        assert invoke(place, "prove", "--corpus-id", CORPUS, *wrong, "--output", str(tmp_path / "no")).exit_code == 2
    checked = ("validate", "--corpus-id", CORPUS, "--checkpoint", str(kept))
    assert invoke(place, *checked).exit_code == 0
    store = store_at(place)
    with closing(store.engine):
        store.remove("failures", CORPUS, "broken.pdf")
    assert invoke(place, "validate", "--corpus-id", CORPUS).exit_code == 0
    found = invoke(place, *checked)
    assert found.exit_code == 1
    assert "the log tells of it, and it is gone" in found.stdout


def test_bundle_of_a_signed_report_shows_who_signed_what_and_in_which_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Intake before the generation, the generation before the signature; an erased document is no finding."""
    place, key, person = tmp_path / "store", tmp_path / "log.key", tmp_path / "anna.key"
    folder = folder_of(tmp_path / "documents", DOCUMENTS)
    _run(place, "keys", "new", "--name", "log.example.com/signed", "--output", str(key))
    monkeypatch.setenv("CODITECT_LOG_KEY", str(key))
    for words in (("ingest", "--corpus-id", CORPUS, str(folder)), ("build", "--corpus-id", CORPUS)):
        assert invoke(place, *words).exit_code == 0
    made = _run(place, "keys", "new", "--person", "Anna Auditor", "--role", "auditor", "--output", str(person))
    assert made.exit_code == 0, made.output
    report = tmp_path / "report.html"
    assert invoke(place, "report", "--corpus-id", CORPUS, "--output", str(report)).exit_code == 0
    signing = (
        "sign",
        "--corpus-id",
        CORPUS,
        "--report",
        str(report),
        "--meaning",
        "approved",
        "--sign-key",
        str(person),
    )
    assert invoke(place, *signing).exit_code == 0
    bundle = tmp_path / "report.bundle"
    assert invoke(place, "prove", "--corpus-id", CORPUS, "--report", "--output", str(bundle)).exit_code == 0
    kept = tmp_path / "kept"
    kept.write_text(_run(place, "log", "checkpoint").stdout, "utf-8")
    capsys.readouterr()
    assert main([str(bundle), "--key", str(SigningKey.parse(key.read_text()).key), "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (signature,) = (each for each in told["hops"] if each["kind"] == "signature")
    assert "Anna Auditor, auditor" in json.dumps(signature)
    assert any("before Anna Auditor signed" in each for each in told["order"])

    name = sorted(DOCUMENTS)[0]
    erasing = (
        "erase",
        "--corpus-id",
        CORPUS,
        "--document",
        name,
        "--reason",
        "asked for",
        "--by",
        "A. Officer",
        "--yes",
    )
    erased = invoke(place, *erasing)
    assert erased.exit_code == 0, erased.output
    found = invoke(place, "validate", "--corpus-id", CORPUS, "--checkpoint", str(kept))
    assert found.exit_code == 0, found.stdout


def test_bundle_with_a_signature_by_a_revoked_key_says_so_when_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever gets the bundle cannot know of the revocation: who makes it can, and is told; a kept file is one, or is refused."""
    place, key, person = tmp_path / "store", tmp_path / "log.key", tmp_path / "ben.key"
    folder = folder_of(tmp_path / "documents", DOCUMENTS)
    _run(place, "keys", "new", "--name", "log.example.com/revoked", "--output", str(key))
    monkeypatch.setenv("CODITECT_LOG_KEY", str(key))
    for words in (("ingest", "--corpus-id", CORPUS, str(folder)), ("build", "--corpus-id", CORPUS)):
        assert invoke(place, *words).exit_code == 0
    assert _run(place, "keys", "new", "--person", "Ben Boss", "--role", "owner", "--output", str(person)).exit_code == 0
    report, bundle = tmp_path / "report.html", tmp_path / "report.bundle"
    report.write_text("a report", "utf-8")
    signing = ("--report", str(report), "--meaning", "approved", "--sign-key", str(person))
    signed = invoke(place, "sign", "--corpus-id", CORPUS, *signing)
    assert signed.exit_code == 0
    assert f"a file of SHA-256 {sha256(b'a report').hexdigest()}" in " ".join(signed.stdout.split())
    proving = ("prove", "--corpus-id", CORPUS, "--report", "--output", str(bundle))
    assert "not valid" not in invoke(place, *proving).output
    (known,) = json.loads(_run(place, "keys", "list", "--format", "json").stdout)["keys"]
    ended = ("--reason", "it was lost before", "--at", known["since"])
    assert _run(place, "keys", "revoke", "--key", known["key"], *ended).exit_code == 0
    again = invoke(place, *proving)
    assert (again.exit_code, "a signature that is not valid" in again.stderr) == (0, True)
    assert "its key did not hold" in json.loads(invoke(place, *proving, "--format", "json").stdout)["not_valid"][0]
    for asked in ((*proving, "--kept", str(report)), ("validate", "--corpus-id", CORPUS, "--checkpoint", str(report))):
        refused = invoke(place, *asked)
        assert (refused.exit_code, "the file holds no checkpoint" in refused.stderr) == (2, True)
        assert str(report) in refused.stderr
