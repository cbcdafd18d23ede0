"""What commands print of the feed, the log, a document and calibrations: bytes as they are, and JSON for programs."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.cli import calibrate, document, feed, log
from coditect.cli.exit_codes import ExitCode
from coditect.errors import NotFound, UsageError
from coditect.schemas import FeedEntry
from coditect.schemas.build import FeedEvent
from tests.unit.cli.commands import Desk

AT = "2026-01-02T03:04:05Z"
OF = ("--corpus-id", "c")


EVENTS = [
    FeedEntry(cursor="1", event=FeedEvent(corpus_id="c", event="ingested", at=AT, counts={"added": 2, "failed": 0})),
    FeedEntry(cursor="2", event=FeedEvent(corpus_id="c", event="generation", generation=3, at=AT)),
]


def test_feed_tells_what_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    """One document for what there is, a line of JSON for each event that comes; counts of nothing are left out."""
    desk = Desk(monkeypatch, SimpleNamespace(feed=lambda *given: iter(EVENTS), follow=lambda *given: iter(EVENTS)))
    told = [f"1  {AT}  ingested: 2 added", f"2  {AT}  generation 3"]
    assert desk.run(feed.feed, *OF).lines == told
    assert desk.run(feed.feed, *OF, "--follow", "--count", "1").lines == told[:1]
    listed = json.loads(desk.run(feed.feed, *OF, "--format", "json").out)
    assert [each["cursor"] for each in listed["events"]] == ["1", "2"]
    lines = desk.run(feed.feed, *OF, "--follow", "--format", "json").lines
    assert [json.loads(each)["cursor"] for each in lines] == ["1", "2"]


def test_log_prints_proofs_and_entries_as_they_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is added to their bytes; what is not there is not found; without a key nothing is proven."""
    entries = {3: (3, b"entry\n"), 4: (4, b"next\n")}
    knowledge = SimpleNamespace(
        checkpoint=lambda: None, log_head=lambda: SimpleNamespace(size=5), log_proof=lambda index: f"proof of {index}\n",
        log_entries=lambda first, last: iter([entries[n] for n in range(first, last) if n in entries]),
        log_consistency=lambda first, second: [b"\0" * 32], log_witness=lambda *given: "note\n",
        log_files=lambda: iter([("checkpoint", b"new"), ("tile/0/000", b"tile")]),
    )  # fmt: skip
    desk = Desk(monkeypatch, knowledge)
    ran = desk.run(log.checkpoint)
    assert (ran.code, ran.out) == (ExitCode.PARTIAL, "")
    assert ran.err.startswith("5 entries. ")
    knowledge.checkpoint = lambda: "note\n"
    ran = desk.run(log.checkpoint)
    assert (ran.code, ran.out) == (ExitCode.OK, "note\n")
    assert desk.run(log.prove, "--index", "3").out == "proof of 3\n"
    assert desk.run(log.prove, "--index", "3", "--entry").out == "entry\n"
    with pytest.raises(NotFound, match="no entry of this index"):
        desk.run(log.prove, "--index", "5", "--entry")
    sizes = ("--first", "1", "--second", "2")
    assert desk.run(log.consistency, *sizes).out == "A" * 43 + "=\n"
    assert json.loads(desk.run(log.consistency, *sizes, "--format", "json").out)["first"] == 1
    assert desk.run(log.witness, "--url", "u", "--key", "k").out == "note\n"
    assert desk.run(log.serve_files, "--output", str(tmp_path)).err == "2 files written.\n"
    (tmp_path / "checkpoint").write_bytes(b"old")
    assert desk.run(log.serve_files, "--output", str(tmp_path)).err == "1 files written.\n"
    assert desk.run(log.serve_files, "--output", str(tmp_path)).err == "0 files written.\n"
    assert sorted(each.relative_to(tmp_path).as_posix() for each in tmp_path.rglob("*") if each.is_file()) == [
        "checkpoint",
        "tile/0/000",
    ]


@pytest.mark.parametrize("count", [1, 8, 9, 11])
def test_unknown_document_is_told_with_those_that_there_are(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """Eight names are told, the others counted."""
    versions = {str(n): SimpleNamespace(name=f"{n:02}.md", document_id=str(n)) for n in range(count)}
    view = SimpleNamespace(documents=versions)
    desk = Desk(monkeypatch, SimpleNamespace(view=lambda *given: view))
    with pytest.raises(NotFound) as told:
        desk.run(document.document, *OF, "--name", "x.md")
    names = ", ".join(f"{n:02}.md" for n in range(min(count, 8)))
    more = f" and {count - 8} more" if count > 8 else ""
    assert told.value.hint == f"Documents of this corpus: {names}{more}."


def test_document_is_printed_byte_for_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name or id; losses go to the standard error, and only of its text; what is stored of it is JSON."""
    version = SimpleNamespace(
        name="a.md", document_id="d1", version_id="v1", raw_sha256="raw", raw_bytes=3, text_sha256="text", text_bytes=4,
        warnings=("2 pictures",), model_dump=lambda mode: {"name": "a.md"},
    )  # fmt: skip
    view = SimpleNamespace(documents={"d1": version}, generation=1)
    store = SimpleNamespace(get_blob=lambda corpus, sha, size: f"{sha}{size}".encode())
    desk = Desk(monkeypatch, SimpleNamespace(view=lambda *given: view, note_read=lambda *given: None, store=store))
    ran = desk.run(document.document, *OF, "--name", "a.md")
    assert (ran.out, ran.err) == ("text4", "note: 2 pictures\n")
    ran = desk.run(document.document, *OF, "--name", "d1", "--raw")
    assert (ran.out, ran.err) == ("raw3", "")
    assert json.loads(desk.run(document.document, *OF, "--name", "d1", "--format", "json").out) == {"name": "a.md"}
    with pytest.raises(UsageError, match="no JSON"):
        desk.run(document.document, *OF, "--name", "d1", "--format", "json", "--raw")


@pytest.mark.parametrize(
    ("words", "called"),
    [
        (("--list",), ("calibrations", "c")),
        (("--apply", "k", "--by", "A", "--meaning", "m"), ("switch_calibration", "c", "k")),
        (("--revert", "--by", "A", "--meaning", "m"), ("switch_calibration", "c", "")),
        (("--seed", "3"), ("calibrate", "c", 3)),
        ((), ("calibrate", "c", 0)),
    ],
)
def test_calibrate_does_what_it_is_asked(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], called: tuple[object, ...]
) -> None:
    """For programs as JSON; without a seed that of zero."""
    calls: list[tuple[object, ...]] = []

    def answering(name: str) -> Any:  # noqa: ANN401 - a function
        def answer(*given: object, **more: object) -> object:
            calls.append((name, *given, *([more["seed"]] if "seed" in more else [])))
            return SimpleNamespace(model_dump=lambda mode: {"called": name})

        return answer

    names = ("calibrations", "switch_calibration", "calibrate")
    desk = Desk(monkeypatch, SimpleNamespace(**{name: answering(name) for name in names}))
    told = json.loads(desk.run(calibrate.calibrate, *OF, *words, "--format", "json").out)
    assert told == {"called": called[0]}
    assert calls == [called]
