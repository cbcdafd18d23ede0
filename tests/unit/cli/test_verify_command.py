"""What the command that checks texts takes, prints, writes, and ends with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.cli import gateway, replays, verify
from coditect.cli.exit_codes import ExitCode
from coditect.errors import ReadError, UsageError
from coditect.schemas import CheckedSentence, ReplayReport, TextReport
from tests.unit.cli.commands import Desk, noting

OF = ("--corpus-id", "c")
LABELS = ("supported", "needs_review", "sources_disagree", "unsupported")


def checked(label: str, *labels: str | None, name: str = "a.md") -> TextReport:
    """A text of sentences with these labels."""
    sentences = tuple(
        CheckedSentence.model_validate({"text": f"Rule {n}.", "char_start": 0, "char_end": 7, "support_score": 0.5, "label": each})
        for n, each in enumerate(labels, 1)
    )  # fmt: skip
    return TextReport.model_validate(
        {
            "corpus_id": "c", "generation": 1, "build_id": "b", "name": name, "text": "x", "label": label, "minimum_support": 0.5,
            "checker": "staged/1", "weights_version": "w", "weights_sha256": "ab" * 32, "sentences": sentences,
        }
    )  # fmt: skip


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Desk:
    """Commands in an empty folder, which find one sentence of a label in whatever they check."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verify, "check_output", lambda ctx, output: None)
    desk = Desk(monkeypatch, SimpleNamespace(unweighed_model=lambda: ""))
    monkeypatch.setattr(gateway, "open_session", desk._session)
    monkeypatch.setattr(replays, "open_session", desk._session)
    return desk


def labelled(label: str) -> Callable[..., TextReport]:
    """A checker that finds this."""
    return lambda *given, **more: checked(label, label, name=given[2])


@pytest.mark.parametrize("fail_on", ["needs_review", "unsupported"])
@pytest.mark.parametrize("label", LABELS)
def test_claim_and_file_end_as_their_label_says(desk: Desk, label: str, fail_on: str) -> None:
    """What needs review passes only where nothing but what is unsupported fails; a folder ends as its files do."""
    desk.knowledge.verify = labelled(label)
    passes = label == "supported" or (label, fail_on) == ("needs_review", "unsupported")
    code = ExitCode.OK if passes else ExitCode.FOUND
    Path("a.md").write_text("Rule 1.", encoding="utf-8")
    for words in (("--claim", "x"), ("--file", "a.md"), ("a.md",), (".",)):
        assert desk.run(verify.verify, *OF, "--fail-on", fail_on, *words).code == code


@pytest.mark.parametrize(
    "words",
    [
        (), ("--claim", "x", "--file", "a.md"), ("--claim", "x", "--replay"), ("--file", "a.md", "--replay"),
        ("--claim", "x", "a.md"), ("--file", "a.md", "b.md"),
    ],
)  # fmt: skip
def test_there_is_one_thing_to_verify(desk: Desk, words: tuple[str, ...]) -> None:
    """Neither none nor two."""
    with pytest.raises(UsageError, match="one thing to verify"):
        desk.run(verify.verify, *OF, *words)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--claim", " "), "the claim is empty"),
        (("--claim", "x", "--format", "sarif"), "needs a file to point at"),
        (("--claim", "x", "--format", "junit"), "needs a file to point at"),
        (("--file", "-", "--format", "junit"), "needs a file to point at"),
        (("--file", "absent.md"), "the file cannot be read"),
        (("--claim", "x", "--output", "o.txt"), "text goes to the standard output"),
        (("a.md", "--output", "o.txt"), "text goes to the standard output"),
        (("a.md", "--format", "html"), "a page shows one text"),
        (("empty",), "no file to check"),
        (("--replay", "--format", "html"), "neither a page nor another minimum"),
        (("--replay", "--minimum-support", "0"), "neither a page nor another minimum"),
    ],
)
def test_what_cannot_be_verified_is_refused_with_the_way_out(desk: Desk, words: tuple[str, ...], told: str) -> None:
    """By the option that does not fit."""
    desk.knowledge.verify = labelled("supported")
    Path("a.md").write_text("Rule 1.", encoding="utf-8")
    Path("empty").mkdir()
    with pytest.raises(UsageError, match=told):
        desk.run(verify.verify, *OF, *words)


def test_content_is_that_of_the_claim_the_file_or_the_standard_input(desk: Desk) -> None:
    """A claim has no name; what is piped in is Markdown; settings are handed on."""
    calls: list[Any] = []
    desk.knowledge.verify = lambda *given, **more: noting(calls, (given, more), checked("supported", "supported"))
    Path("a.md").write_text("Rule 1.", encoding="utf-8")
    desk.run(verify.verify, *OF, "--claim", "x", "--minimum-support", "0.25", "--as-of", "3")
    desk.run(verify.verify, *OF, "--file", "a.md")
    desk.run(verify.verify, *OF, "--file", "-")
    assert [given for given, _ in calls] == [("c", b"x", ""), ("c", b"Rule 1.", "a.md"), ("c", b"", "stdin.md")]
    assert (calls[0][1]["minimum_support"], calls[0][1]["as_of"]) == (0.25, 3)


@pytest.mark.parametrize(("form", "begins"), [("json", '{\n  "format"'), ("html", "<!DOCTYPE html>")])
def test_report_goes_to_the_standard_output_or_to_a_file(desk: Desk, form: str, begins: str) -> None:
    """The same bytes; of a file its name is printed; "-" is the standard output."""
    desk.knowledge.verify = labelled("supported")
    words = (*OF, "--claim", "x", "--format", form)
    shown = desk.run(verify.verify, *words).out
    assert shown.lower().startswith(begins.lower())
    assert desk.run(verify.verify, *words, "--output", "-").out == shown
    assert desk.run(verify.verify, *words, "--output", "o").out == "o\n"
    assert Path("o").read_text(encoding="utf-8") == shown


@pytest.mark.parametrize(
    ("form", "begins"), [("json", '{\n  "format"'), ("sarif", '{\n  "$schema"'), ("junit", "<?xml")]
)
def test_report_of_files_goes_to_the_standard_output_or_to_a_file(desk: Desk, form: str, begins: str) -> None:
    """One document for all of them; of one file given as such, too."""
    desk.knowledge.verify = labelled("unsupported")
    Path("a.md").write_text("Rule 1.", encoding="utf-8")
    shown = desk.run(verify.verify, *OF, "a.md", "--format", form)
    assert shown.out.startswith(begins)
    assert desk.run(verify.verify, *OF, "a.md", "--format", form, "--output", "-").out == shown.out
    assert desk.run(verify.verify, *OF, "a.md", "--format", form, "--output", "o").out == "o\n"
    assert Path("o").read_text(encoding="utf-8") == shown.out
    if form != "json":
        assert desk.run(verify.verify, *OF, "--file", "a.md", "--format", form).out == shown.out


def test_files_are_told_one_by_one_and_counted(desk: Desk) -> None:
    """What is not supported is shown; a file that cannot be read costs itself; totals are those of all files."""
    found = {
        "a.md": checked("unsupported", None, "supported", "supported", "unsupported", name="a.md"),
        "b.md": checked("supported", "supported", name="b.md"),
    }

    def checker(corpus_id: str, content: bytes, name: str, **more: object) -> TextReport:
        if name == "bad.md":
            raise ReadError("no text.", hint="Save it\nagain.")
        if name == "long.md":
            raise UsageError("too many sentences", sentences=9)
        return found[name]

    desk.knowledge.verify = checker
    for name in ("a.md", "b.md", "bad.md", "long.md"):
        Path(name).write_text("x", encoding="utf-8")
    ran = desk.run(verify.verify, *OF, ".")
    assert (ran.lines, ran.code) == (
        [
            "", "a.md  2 supported, 1 unsupported, 1 no claim", "", "unsupported  0.50", "  Rule 4.",
            "", "b.md  1 supported", "", "bad.md  could not be read", "  no text. Save it again",
            "", "long.md  could not be read", "  too many sentences", "", "4 files: 3 supported, 1 unsupported, 1 no claim",
        ],
        ExitCode.FOUND,
    )  # fmt: skip
    assert desk.run(verify.verify, *OF, "b.md", "bad.md").code == ExitCode.PARTIAL
    listed = json.loads(desk.run(verify.verify, *OF, "b.md", "bad.md", "--format", "json").out)["files"]
    assert [(each["file"], each["error"], each["report"] is None) for each in listed] == [
        ("b.md", None, False), ("bad.md", "no text. Save it again", True),
    ]  # fmt: skip
    assert desk.run(verify.verify, *OF, "bad.md").lines[-1] == "1 file"


def test_wrong_corpus_is_wrong_for_every_file(desk: Desk) -> None:
    """It is refused, and not told of each file."""

    def checker(*given: object, **more: object) -> TextReport:
        raise UsageError("no such generation")

    desk.knowledge.verify = checker
    Path("a.md").write_text("x", encoding="utf-8")
    with pytest.raises(UsageError, match="no such generation"):
        desk.run(verify.verify, *OF, "a.md")


def test_files_are_named_from_where_the_command_runs(desk: Desk, tmp_path: Path) -> None:
    """Below it relative, elsewhere whole."""
    Path("deep").mkdir()
    (tmp_path / "deep" / "a.md").write_text("x", encoding="utf-8")
    assert gateway._name(Path("deep/a.md")) == "deep/a.md"
    assert gateway._name(tmp_path / "deep" / "a.md") == "deep/a.md"
    assert gateway._name(tmp_path.parent / "a.md") == (tmp_path.parent / "a.md").as_posix()


def test_file_that_is_too_large_is_not_read(desk: Desk) -> None:
    """A hundred million bytes are, and one more is not."""
    desk.knowledge.verify = labelled("supported")
    for size, code in ((100_000_000, ExitCode.OK), (100_000_001, ExitCode.PARTIAL)):
        with Path("a.md").open("wb") as file:
            file.truncate(size)
        assert desk.run(verify.verify, *OF, "a.md").code == code


DRIFT = {
    "claim_id": "claim_1", "verdict_id": "v", "text": "It is.", "cause": "evidence", "changed": True, "old_label": "supported",
    "new_label": None, "old_score": 0.9, "new_score": None,
}  # fmt: skip


@pytest.mark.parametrize(("drift", "code"), [((), ExitCode.OK), ((DRIFT,), ExitCode.PARTIAL)])
def test_replay_ends_as_what_drifted(desk: Desk, drift: tuple[Any, ...], code: ExitCode) -> None:
    """As text, as JSON, and as JSON in a file."""
    report = ReplayReport.model_validate(
        {
            "corpus_id": "c", "generation": 1, "build_id": "b", "checker": "staged/1", "weights_version": "w",
            "weights_sha256": "ab" * 32, "replayed": 1, "identical": 1 - len(drift), "drift": drift, "seconds": 0.5,
        }
    )  # fmt: skip
    desk.knowledge.replay = lambda *given, **more: report
    ran = desk.run(verify.verify, *OF, "--replay")
    assert (ran.code, ran.lines[0].startswith("Corpus c, generation 1")) == (code, True)
    ran = desk.run(verify.verify, *OF, "--replay", "--format", "json")
    assert (ran.code, ReplayReport.model_validate_json(ran.out)) == (code, report)
    ran = desk.run(verify.verify, *OF, "--replay", "--format", "json", "--output", "o")
    assert (ran.code, ran.out) == (code, "o\n")
    assert Path("o").read_text(encoding="utf-8") == report.model_dump_json(indent=2) + "\n"
    ran = desk.run(verify.verify, *OF, "--replay", "--output", "p")
    assert ran.lines[0].startswith("Corpus c, generation 1")


def test_a_model_without_weights_is_told_beside_the_report(desk: Desk, tmp_path: Path) -> None:
    """On the error stream, of a claim and of files; the report is as it is."""
    desk.knowledge.verify = labelled("supported")
    (tmp_path / "a.md").write_text("It is so.", "utf-8")
    for words in (("--claim", "It is so."), (str(tmp_path / "a.md"),)):
        desk.knowledge.unweighed_model = lambda: ""
        plain = desk.run(verify.verify, *OF, *words)
        desk.knowledge.unweighed_model = lambda: "small@0123456789ab"
        told = desk.run(verify.verify, *OF, *words)
        assert (told.out, told.code) == (plain.out, plain.code)
        assert "small@0123456789ab: it compares words alone" in told.err
        assert "words alone" not in plain.err
