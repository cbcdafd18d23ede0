"""The commands from end to end, in this process: what they print, where, and how they end."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import click.testing
import jsonschema
import pytest

from coditect.cli import coditect
from coditect.errors import Conflict
from coditect.knowledge.service import Knowledge
from tests.command_line import invoke
from tests.corpora import CORPUS, DOCUMENTS, folder_of
from tests.places import ON_CLUSTER, copy_place, lmdb_only, store_at

Run = Callable[..., click.testing.Result]

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"

# The topics are given: which ones are found by themselves is another test's business.
BUILD = ("build", "--corpus-id", CORPUS, "--topic", "incident", "--topic", "access")


@pytest.fixture(scope="module")
def built_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store on disk with the small corpus, ingested and built by the commands."""
    place = tmp_path_factory.mktemp("cli")
    folder = folder_of(place / "documents", DOCUMENTS)
    assert invoke(place / "store", "ingest", "--corpus-id", CORPUS, "--name", "Rules", str(folder)).exit_code == 0
    assert invoke(place / "store", *BUILD).exit_code == 0
    return place / "store"


@pytest.fixture
def run(built_store: Path) -> Run:
    """Reads the built store; writes nothing."""
    return lambda *words: invoke(built_store, *words)


@pytest.fixture
def own(built_store: Path, tmp_path: Path) -> Path:
    """A copy of the built store that a test may change."""
    return copy_place(built_store, tmp_path / "own")


def parsed(result: click.testing.Result) -> Any:  # noqa: ANN401 - any JSON value
    """The one JSON document on stdout."""
    return json.loads(result.stdout)


def first_id(run: Run, tier: str) -> str:
    """The id of some item of a tier."""
    result = run("query", "--corpus-id", CORPUS, "--query", "incident", "--tier", tier, "--format", "json")
    return str(parsed(result)["hits"][0]["item"]["item_id"])


def test_decision_record_commands_work_word_for_word(own: Path, tmp_path: Path) -> None:
    """The four commands of ADR-029, with its corpus id, on a corpus of that name."""
    source = folder_of(tmp_path / "again", DOCUMENTS)
    corpus = "corpus_20260115"
    assert invoke(own, "ingest", "--corpus-id", corpus, str(source)).exit_code == 0
    build = f"build --corpus-id {corpus} --extraction-method textrank --max-synthesis-ratio 0.2"
    assert invoke(own, *build.split()).exit_code == 0
    asked = invoke(
        own,
        "query",
        "--corpus-id",
        corpus,
        "--query",
        "customer complaints about pricing",
        "--tier",
        "section",
        "--include-sources",
    )
    assert asked.exit_code == 0
    report = parsed(invoke(own, "report", "--corpus-id", corpus, "--output", "-", "--format", "json"))
    section = report["sections"][0]["section_id"]
    drilled = invoke(own, "drilldown", "--item-id", section, "--format", "json")
    assert drilled.exit_code == 0
    assert parsed(drilled)["item_id"] == section
    checked = invoke(own, *f"validate --corpus-id {corpus} --check-citations --check-synthesis-ratios".split())
    assert checked.exit_code == 0, checked.output


def test_drilldown_of_the_decision_records_example_says_what_an_id_is(run: Run) -> None:
    """'section_abc123' stands for an id; taken literally it is refused in JSON, with the way out."""
    result = run("drilldown", "--item-id", "section_abc123", "--format", "json")
    error = json.loads(result.stderr)
    assert (result.exit_code, result.stdout, error["error"]) == (2, "", "UsageError")
    assert "query" in error["hint"]


def test_ingest_is_partial_where_a_file_fails(own: Path, tmp_path: Path) -> None:
    """Exit code 3; the failed file and the duplicate are listed with reason and way out, the others are in."""
    rule = "# A\n\nStaff shall report."
    folder = folder_of(tmp_path / "mixed", {"a.md": rule, "b.pdf": b"no pdf", "c.md": rule})
    text = invoke(own, "ingest", "--corpus-id", "mixed", str(folder))
    assert text.exit_code == 3
    assert "Corpus mixed: 3 files\n       1  added\n       1  duplicate\n       1  failed\n" in text.stdout
    assert "Not taken in as documents of their own" in text.stdout
    body = parsed(invoke(own, "ingest", "--corpus-id", "mixed", "--format", "json", str(folder)))
    assert body["partial"] is True
    assert body["counts"]["failed"] == 1
    failed = next(file for file in body["files"] if file["status"] == "failed")
    assert (failed["name"], failed["error"]) == ("b.pdf", "ReadError")
    assert failed["hint"]


def test_ingest_again_changes_nothing(own: Path, built_store: Path) -> None:
    """The same files are passed over, and the user is told that there is nothing to build."""
    result = invoke(own, "ingest", "--corpus-id", CORPUS, str(built_store.parent / "documents"))
    assert result.exit_code == 0
    assert f"{len(DOCUMENTS):>6}  unchanged" in result.stdout
    assert "Nothing changed; there is nothing to build." in result.stdout


def test_ingest_sync_withdraws_what_is_gone_and_status_says_so(own: Path, tmp_path: Path) -> None:
    """--sync makes the folder the whole truth; the withdrawal waits for the next build."""
    folder = folder_of(tmp_path / "fewer", {"access.md": DOCUMENTS["access.md"]})
    body = parsed(invoke(own, "ingest", "--corpus-id", CORPUS, "--sync", "--format", "json", str(folder)))
    assert body["counts"]["withdrawn"] == len(DOCUMENTS) - 1
    shown = invoke(own, "status", "--corpus-id", CORPUS)
    assert f"{len(DOCUMENTS) - 1} documents have changed since the last build" in shown.stdout


def test_build_again_says_that_nothing_changed(own: Path) -> None:
    """The generation stays."""
    result = invoke(own, *BUILD)
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        0,
        "Corpus policies: nothing changed; generation 1 stays",
    )
    assert parsed(invoke(own, *BUILD, "--format", "json"))["changed"] is False


def test_build_settings_reach_the_build_and_the_status(own: Path) -> None:
    """Every option of a build is kept with it."""
    words = ["--extraction-method", "tfidf", "--max-synthesis-ratio", "0.5", "--topic", "incident", "--topic", "access"]
    result = invoke(own, "build", "--corpus-id", CORPUS, *words, "--max-topics", "3", "--minimum-support", "0.9")
    assert result.exit_code == 0
    (status,) = parsed(invoke(own, "status", "--corpus-id", CORPUS, "--format", "json"))["corpora"]
    assert status["settings"] == {
        "extraction_method": "tfidf",
        "max_synthesis_ratio": 0.5,
        "topics": ["incident", "access"],
        "max_topics": 3,
        "minimum_support": 0.9,
        "passages": {
            "chunk_levels": [256, 512, 1024, 2048],
            "overlap_ratio": 0.0,
            "boundaries": "sentence",
            "min_propositions": 1,
            "max_propositions": 10,
        },
        "agents": None,
        "today": None,
    }
    assert status["generation"] == 2
    assert (
        parsed(invoke(own, "query", "--corpus-id", CORPUS, "--query", "x", "--as-of", "1", "--format", "json"))[
            "generation"
        ]
        == 1
    )


@pytest.mark.parametrize("tier", ["corpus", "section", "chunk", "extraction"])
def test_query_answers_at_every_tier(run: Run, tier: str) -> None:
    """Text names rank, id and place; JSON is one document without sources unless asked."""
    words = ("query", "--corpus-id", CORPUS, "--query", "incident", "--tier", tier)
    text = run(*words, "--include-sources")
    body = parsed(run(*words, "--format", "json"))
    assert text.exit_code == 0
    assert body["hits"][0]["item"]["item_id"] in text.stdout
    assert "\n1. " in text.stdout
    assert all(hit["item"]["sources"] == [] for hit in body["hits"])


def test_query_sources_lead_to_characters_and_file_hash(run: Run) -> None:
    """--include-sources fills the chain down to Tier 1."""
    words = ("query", "--corpus-id", CORPUS, "--query", "incident", "--include-sources", "--format", "json")
    quote = parsed(run(*words))["hits"][0]["item"]["sources"][0]
    extraction = quote["sources"][0]
    assert extraction["tier"] == 1
    file = DOCUMENTS[extraction["document_name"]]
    assert extraction["raw_sha256"] == hashlib.sha256(file.encode()).hexdigest()
    assert " ".join(extraction["text"].split()) in " ".join(file.split())
    assert extraction["char_offset_end"] - extraction["char_offset_start"] == len(extraction["text"])


def test_query_without_answer_is_done(run: Run) -> None:
    """No answer at a tier: exit code 0, and the hint to try another."""
    result = run("query", "--corpus-id", CORPUS, "--query", "xylophone")
    assert result.exit_code == 0
    assert result.stdout.startswith("No answer to “xylophone” in corpus policies, generation 1, tier section.\n")


@pytest.mark.parametrize(("tier", "below"), [("corpus", 3), ("section", 2), ("chunk", 1)])
def test_drilldown_goes_one_tier_down(run: Run, tier: str, below: int) -> None:
    """Without a corpus: the id alone is enough."""
    item_id = first_id(run, tier)
    sources = parsed(run("drilldown", "--item-id", item_id, "--format", "json"))["sources"]
    assert sources
    assert {source["tier"] for source in sources} == {below}
    text = run("drilldown", "--item-id", item_id, "--corpus-id", CORPUS)
    assert all(source["item_id"] in text.stdout for source in sources)


def test_drilldown_chain_holds_every_tier(run: Run) -> None:
    """--chain goes down to the characters."""
    item_id = first_id(run, "section")
    body = parsed(run("drilldown", "--item-id", item_id, "--chain", "--format", "json"))
    text = run("drilldown", "--item-id", item_id, "--chain").stdout
    assert body["item_id"] == item_id
    for quote in body["sources"]:
        assert quote["item_id"] in text
        assert all(extraction["item_id"] in text for extraction in quote["sources"])


def test_drilldown_of_an_extraction_shows_its_place(run: Run) -> None:
    """There is nothing below Tier 1."""
    item_id = first_id(run, "extraction")
    assert parsed(run("drilldown", "--item-id", item_id, "--format", "json"))["sources"] == []
    assert "Nothing below this extraction" in run("drilldown", "--item-id", item_id).stdout


NOT_DEEP = "everything that rules compute, from the files"
"""What is left out unless it is asked for, as it takes as long as a build."""
NOT_LOGGED = "every row against the log"
"""What is left out unless a checkpoint is given."""


@pytest.mark.parametrize(
    ("flags", "left_out"),
    [
        ([], [NOT_DEEP, NOT_LOGGED]),
        (["--check-citations"], ["synthesis ratios", NOT_DEEP, NOT_LOGGED]),
        (["--check-synthesis-ratios"], ["citations, verdicts, figures", NOT_DEEP, NOT_LOGGED]),
        (["--check-citations", "--check-synthesis-ratios"], [NOT_DEEP, NOT_LOGGED]),
        (["--deep"], [NOT_LOGGED]),
    ],
)
def test_validate_checks_what_is_asked_and_says_so(run: Run, flags: list[str], left_out: list[str]) -> None:
    """Neither flag: everything that is read. One: that one, on top of what is always checked. Computing again is asked for."""
    result = run("validate", "--corpus-id", CORPUS, *flags)
    assert result.exit_code == 0, result.stdout
    assert [line.removeprefix("  left out   ") for line in result.stdout.splitlines() if "left out" in line] == left_out


def test_validate_of_a_changed_byte_ends_in_1(own: Path) -> None:
    """A finding names the record and ends in exit code 1, in text and in JSON."""
    store = store_at(own)
    begin, end = store.keys.bounds("chunks", CORPUS)
    key, value = next(iter(next(iter(store.pages(begin, end)))))
    changed = value[:-2] + bytes([value[-2] ^ 1]) + value[-1:]
    store.engine.run(lambda transaction: transaction.set(key, changed))
    store.engine.close()
    text = invoke(own, "validate", "--corpus-id", CORPUS)
    body = parsed(invoke(own, "validate", "--corpus-id", CORPUS, "--format", "json"))
    assert text.exit_code == 1
    assert "\nFindings\n" in text.stdout
    assert body["clean"] is False
    jsonschema.validate(body, json.loads((SCHEMAS / "validation-report.json").read_text()))
    assert all(finding["record"] in text.stdout for finding in body["findings"])


def test_report_is_written_whole_and_its_path_printed(run: Run, tmp_path: Path) -> None:
    """HTML by default, JSON by suffix or option; nothing else is left in the folder."""
    html, data = tmp_path / "r" / "report.html", tmp_path / "r" / "report.json"
    html.parent.mkdir()
    first = run("report", "--corpus-id", CORPUS, "--output", str(html))
    assert (first.exit_code, first.stdout) == (0, f"{html}\n")
    assert run("report", "--corpus-id", CORPUS, "--output", str(data), "--validate").exit_code == 0
    assert html.read_text().lstrip().lower().startswith("<!doctype html")
    body = json.loads(data.read_text())
    assert (body["corpus_id"], body["validation"]["findings"]) == (CORPUS, [])
    assert sorted(path.name for path in html.parent.iterdir()) == ["report.html", "report.json"]


def test_report_goes_to_stdout_where_asked(run: Run) -> None:
    """'-' is the standard output, and nothing but the report is there."""
    assert parsed(run("report", "--corpus-id", CORPUS, "--output", "-", "--format", "json"))["generation"] == 1


def test_report_into_a_folder_that_is_not_there_is_refused(run: Run, tmp_path: Path) -> None:
    """Before the work is done, not after."""
    result = run("report", "--corpus-id", CORPUS, "--output", str(tmp_path / "no" / "r.html"))
    assert result.exit_code == 2
    assert "the folder of the output does not exist" in result.stderr


def test_status_of_an_empty_store_says_how_to_begin(tmp_path: Path) -> None:
    """The first command of a new user."""
    result = invoke(tmp_path / "new", "status")
    assert result.exit_code == 0
    assert "Next: coditect knowledge ingest" in result.stdout
    assert "There is no store there" in result.stdout
    told = parsed(invoke(tmp_path / "new", "status", "--format", "json"))
    assert (told["corpora"], told["exists"]) == ([], False)


def test_status_shows_a_row_for_each_corpus(run: Run) -> None:
    """Counts, generation, what is pending and what failed."""
    header, row = (line.split() for line in run("status").stdout.splitlines()[2:4])
    assert header[:5] == ["corpus", "generation", "built", "documents", "extractions"]
    assert header[5:] == ["sections", "claims", "possible", "refused", "pending", "failed"]
    assert row[:2] == [CORPUS, "1"]
    assert row[3] == str(len(DOCUMENTS))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["query", "--corpus-id", "nope", "--query", "x"], f"Corpora in this store: {CORPUS}"),
        (["status", "--corpus-id", "nope"], f"Corpora in this store: {CORPUS}"),
        (
            ["query", "--corpus-id", CORPUS, "--query", "x", "--tier", "top"],
            "'corpus', 'section', 'chunk', 'extraction'",
        ),
        (["query", "--corpus-id", CORPUS, "--query", "x", "--format", "xml"], "'text', 'json'"),
        (["query", "--corpus-id", CORPUS, "--query", "x", "--as-of", "9"], "Generations of this corpus: 1 to 1"),
        (["query", "--corpus-id", CORPUS], "Missing option '--query'"),
        (["query", "--corpus-id", CORPUS, "--query", "  "], "it is empty"),
        (["query", "--corpus-id", "a\udcff", "--query", "x"], "not UTF-8"),
        (["build", "--corpus-id", CORPUS, "--extraction-method", "llm"], "'textrank', 'tfidf'"),
        (["build", "--corpus-id", CORPUS, "--max-synthesis-ratio", "1.5"], "from 0 to 1"),
        (["build", "--corpus-id", CORPUS, "--minimum-support", "nan"], "from 0 to 1"),
        (["ingest", "--corpus-id", CORPUS, "/no/such/place"], "no such file or folder"),
        (["ingest", "--corpus-id", CORPUS, "a\udcff"], "not UTF-8"),
        (["ingest", "--corpus-id", CORPUS], "Missing argument 'PATH...'"),
        (["drilldown", "--item-id", "section_" + "0" * 40], "unknown item"),
        (["drilldown", "--item-id", "b\udcff"], "not UTF-8"),
        (["validate", "--corpus-id", CORPUS, "--check"], "No such option"),
        (["destroy"], "destroy"),
    ],
)
def test_wrong_use_ends_in_2_with_the_way_out(run: Run, words: list[str], message: str) -> None:
    """The message names what is valid; stdout stays empty; JSON where JSON was asked for."""
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    if "--format" not in words:
        body = json.loads(run(*words, "--format", "json").stderr)
        assert set(body) == {"error", "message", "hint", "context"}


@lmdb_only("a store is a folder")
def test_store_that_cannot_be_opened_ends_in_4(tmp_path: Path) -> None:
    """A file where the store's folder should be."""
    place = tmp_path / "file"
    place.write_text("no store")
    result = invoke(place, "status")
    assert result.exit_code == 4
    assert "error: " in result.stderr
    assert "hint: " in result.stderr


def test_setting_of_the_environment_that_is_wrong_ends_in_2(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the setting."""
    monkeypatch.setenv("CODITECT_LOG_LEVEL", "loud")
    assert "DEBUG, INFO, WARNING, ERROR" in run("status").stderr
    monkeypatch.setenv("CODITECT_LOG_LEVEL", "info")
    monkeypatch.setenv("CODITECT_TENANT", "")
    result = click.testing.CliRunner().invoke(coditect, ["knowledge", "status"])
    assert result.exit_code == 2
    assert "CODITECT_TENANT" in result.stderr


@lmdb_only("stores are told apart by their folders")
def test_options_of_a_run_may_stand_anywhere_and_the_innermost_wins(
    built_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Program, group, command, and all of them before the environment."""
    monkeypatch.setenv("CODITECT_STORE", f"lmdb://{tmp_path / 'environment'}")
    here, other = f"lmdb://{built_store}", f"lmdb://{tmp_path / 'other'}"
    runner = click.testing.CliRunner()
    for words in (
        ["--store", here, "knowledge", "status", "--format", "json"],
        ["--store", other, "knowledge", "--store", here, "status", "--format", "json"],
        ["--store", other, "knowledge", "status", "--store", here, "--format", "json"],
    ):
        assert json.loads(runner.invoke(coditect, words).stdout)["store"] == here
    tenant = runner.invoke(coditect, ["knowledge", "status", "--store", here, "--tenant", "else", "--format", "json"])
    named = {"store": here, "tenant": "else", "exists": True}
    assert json.loads(tenant.stdout) == {**named, "space": None, "corpora": []}


@pytest.mark.parametrize(
    ("error", "code", "text"),
    [
        (KeyboardInterrupt(), 130, "error: interrupted\nhint: What was stored and derived so far is kept"),
        (Conflict("another build came first", hint="Run the build again."), 4, "hint: Run the build again."),
    ],
)
def test_build_that_ends_early_says_why(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, text: str
) -> None:
    """An interruption and a conflict have codes of their own."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Knowledge, "build", fail)
    result = run("build", "--corpus-id", CORPUS)
    assert result.exit_code == code
    assert text in result.stderr


def test_document_prints_the_text_that_offsets_refer_to(run: Run) -> None:
    """Byte for byte: its hash is the stored one, and a quotation stands at its offsets; --raw gives the file."""
    asked = run(
        "query",
        "--corpus-id",
        CORPUS,
        "--query",
        "incident",
        "--tier",
        "extraction",
        "--limit",
        "1",
        "--format",
        "json",
    )
    item = parsed(asked)["hits"][0]["item"]
    name = item["document_name"]
    text = run("document", "--corpus-id", CORPUS, "--name", name).stdout_bytes.decode()
    assert text[item["char_offset_start"] : item["char_offset_end"]] == item["text"]
    raw = run("document", "--corpus-id", CORPUS, "--name", name, "--raw").stdout_bytes
    assert raw == DOCUMENTS[name].encode()
    assert hashlib.sha256(raw).hexdigest() == item["raw_sha256"]
    unknown = run("document", "--corpus-id", CORPUS, "--name", "nothing.md")
    assert unknown.exit_code == 2
    assert name in unknown.stderr


def test_report_of_an_unknown_suffix_is_wrong_use(run: Run, tmp_path: Path) -> None:
    """A name that promises what no report is, is refused, unless the format is said; so is an edition of what has none."""
    result = run("report", "--corpus-id", CORPUS, "--output", str(tmp_path / "x.doc"))
    assert result.exit_code == 2
    assert not (tmp_path / "x.doc").exists()
    edition = run("report", "--corpus-id", CORPUS, "--output", str(tmp_path / "x.html"), "--edition", "executive")
    assert edition.exit_code == 2
    assert "only a PDF has editions" in edition.stderr
    for name, begins in (("x.pdf", b"%PDF-"), ("x.xlsx", b"PK")):
        assert run("report", "--corpus-id", CORPUS, "--output", str(tmp_path / name)).exit_code == 0
        assert (tmp_path / name).read_bytes().startswith(begins)
    assert run("report", "--corpus-id", CORPUS, "--output", str(tmp_path / "x.txt"), "--format", "json").exit_code == 0


def test_annex_and_assessment_results_of_a_report(run: Run, tmp_path: Path) -> None:
    """A page for a finding that is named; OSCAL takes a framework; each refuses what is meant for the other."""
    path = str(tmp_path / "x")
    assert run("report", "--corpus-id", CORPUS, "--output", f"{path}.json").exit_code == 0
    claim = json.loads(Path(f"{path}.json").read_bytes())["claims"][0]["claim_id"]
    annex = ("report", "--corpus-id", CORPUS, "--output", f"{path}.pdf", "--edition", "annex", "--claim")
    assert run(*annex, claim).exit_code == 0
    refused = run(*annex, "claim_none")
    assert (refused.exit_code, "the report has no such finding" in refused.stderr) == (2, True)
    oscal = (
        "report",
        "--corpus-id",
        CORPUS,
        "--output",
        f"{path}.json",
        "--format",
        "oscal",
        "--framework",
        "access.md",
    )
    assert run(*oscal).exit_code == 0
    (made,) = json.loads(Path(f"{path}.json").read_bytes())["assessment-results"]["results"]
    assert made["observations"]
    assert made["findings"]
    for wrong in (("--claim", claim), ("--framework-corpus", CORPUS)):
        assert run("report", "--corpus-id", CORPUS, "--output", f"{path}.html", *wrong).exit_code == 2


def test_build_names_topics_that_nothing_speaks_to(own: Path) -> None:
    """A topic without a section is said, not swallowed."""
    result = invoke(own, "build", "--corpus-id", CORPUS, "--topic", "incident", "--topic", "quantum teleportation")
    assert result.exit_code == 0
    assert "quantum teleportation" in result.stdout


def test_status_makes_no_store(tmp_path: Path) -> None:
    """Looking at a store that is not there leaves nothing behind."""
    assert invoke(tmp_path / "typo", "status").exit_code == 0
    assert not (tmp_path / "typo").exists()


@pytest.mark.parametrize(
    "words",
    [("export",), ("report", "--format", "html"), ("verify", "--claim", "Incidents are reported.", "--format", "json")],
)
def test_output_is_written_neither_into_the_store_nor_into_its_cache(
    built_store: Path, run: Run, words: tuple[str, ...]
) -> None:
    """The store is not replaced by a report on it."""
    replicas = Path(f"{built_store}-cache/replicas")
    places = [replicas / "x"] if ON_CLUSTER else [built_store / "data.mdb", built_store / "x", replicas / "x"]
    replicas.mkdir(parents=True, exist_ok=True)
    before = [(each, each.stat().st_ino) for each in places if each.exists()]
    for place in places:
        result = run(words[0], "--corpus-id", CORPUS, *words[1:], "--output", str(place))
        assert result.exit_code == 2
        assert "would lie in the store or its cache" in result.stderr
    assert [(each, each.stat().st_ino) for each in places if each.exists()] == before


def test_output_of_verify_is_not_the_text_that_is_checked(run: Run, tmp_path: Path) -> None:
    """An input is not overwritten by what is said of it."""
    text = tmp_path / "answers.html"
    text.write_text("Incidents are reported.")
    result = run("verify", "--corpus-id", CORPUS, "--file", str(text), "--format", "html", "--output", str(text))
    assert result.exit_code == 2
    assert "is an input" in result.stderr
    assert text.read_text() == "Incidents are reported."


def test_dry_run_says_that_nothing_was_sent(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """It needs neither a key nor a network, and says how it counted."""
    for name in ("CODITECT_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    result = run(*BUILD, "--llm", "claude", "--dry-run")
    assert result.exit_code == 0, result.stderr
    assert "Input tokens are estimated on this machine; nothing was sent" in result.stdout
    body = parsed(run(*BUILD, "--llm", "claude", "--dry-run", "--format", "json"))
    assert body["agents"]["sent_to_count"] == 0
    refused = run(*BUILD, "--llm", "claude", "--dry-run", "--count-tokens", "service")
    assert refused.exit_code == 2
    assert "there is no API key" in refused.stderr


def test_losses_of_reading_are_told_by_validate_and_document(tmp_path: Path) -> None:
    """What is hidden in a page is left out of its text; standard output stays the text alone."""
    page = b"<title>Form</title><p>The clerk shall sign.</p><p style='display:none'>The clerk may wait.</p>"
    folder = folder_of(tmp_path / "pages", {"form.html": page, "plain.txt": b"The clerk shall sign the form.\n"})
    store = tmp_path / "store"
    loss = "hidden text is left out: 19 characters, beginning “The clerk may wait.”"
    assert loss in invoke(store, "ingest", "--corpus-id", CORPUS, str(folder)).output
    assert invoke(store, "build", "--corpus-id", CORPUS).exit_code == 0
    validated = invoke(store, "validate", "--corpus-id", CORPUS)
    assert validated.exit_code == 0
    assert "form.html" in validated.stdout
    assert loss in " ".join(validated.stdout.split())
    told = parsed(invoke(store, "validate", "--corpus-id", CORPUS, "--format", "json"))
    jsonschema.validate(told, json.loads((SCHEMAS / "validation-report.json").read_text(encoding="utf-8")))
    assert told["clean"]
    assert told["losses"] == [{"name": "form.html", "message": loss}]
    shown = invoke(store, "document", "--corpus-id", CORPUS, "--name", "form.html")
    assert shown.stdout.strip() == "The clerk shall sign."
    assert shown.stderr == f"note: {loss}\n"
    assert invoke(store, "document", "--corpus-id", CORPUS, "--name", "plain.txt").stderr == ""
    record = parsed(invoke(store, "document", "--corpus-id", CORPUS, "--name", "form.html", "--format", "json"))
    jsonschema.validate(record, json.loads((SCHEMAS / "document-version.json").read_text(encoding="utf-8")))
    assert record["warnings"] == [loss]
    both = invoke(store, "document", "--corpus-id", CORPUS, "--name", "form.html", "--raw", "--format", "json")
    assert both.exit_code == 2


def test_documents_are_listed_with_what_is_given_and_what_guessed(tmp_path: Path) -> None:
    """A manifest beside the documents is read; each guess shows its words; dates are held against the day that is given."""
    store, folder = tmp_path / "store", tmp_path / "described"
    folder.mkdir()
    text = "# Access Policy\n\nNext review: 2026-06-30.\n\n1. Staff shall lock the door daily.\n"
    (folder / "access.md").write_text(text)
    manifest = "documents:\n  - document: access.md\n    owner: Ann\n  - document: gone.md\n    role: law\n"
    (folder / "corpus.yaml").write_text(manifest)
    taken = invoke(store, "ingest", "--corpus-id", "described", str(folder))
    assert taken.exit_code == 3
    assert "corpus.yaml:4" in taken.stdout
    assert invoke(store, "build", "--corpus-id", "described", "--today", "2026-09-30").exit_code == 0
    listed = invoke(store, "documents", "--corpus-id", "described", "--today", "2026-07-01")
    assert "Ann  given" in listed.stdout
    assert "guessed in the title: “Access Policy”" in listed.stdout
    assert "to be reviewed by 2026-06-30" in listed.stdout
    early = invoke(store, "documents", "--corpus-id", "described", "--today", "2026-06-30", "--format", "json")
    assert parsed(early)["documents"][0]["standing"] == []
    assert invoke(store, "documents", "--corpus-id", "described", "--today", "tomorrow").exit_code == 2


def test_documents_holds_dates_against_a_day_without_its_time(run: Run) -> None:
    """Today unless another day is asked for, and always a day: ten characters."""
    today = parsed(run("documents", "--corpus-id", CORPUS, "--format", "json"))["today"]
    assert len(today) == 10
    assert date.fromisoformat(today)
    asked = parsed(run("documents", "--corpus-id", CORPUS, "--today", "2031-02-03", "--format", "json"))
    assert asked["today"] == "2031-02-03"
    assert [each["name"] for each in asked["documents"]] == sorted(DOCUMENTS)
