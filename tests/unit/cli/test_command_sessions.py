"""How commands open a store, and which of their options go together."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest

from coditect.cli import prove, report, review, validate
from coditect.errors import UsageError
from tests.unit.cli.commands import Desk, noting

AT = "2026-01-02T03:04:05Z"
OF = ("--corpus-id", "c")


class OpenedError(Exception):
    """A command has opened its store."""


class Nothing:
    """Answers nothing: whoever asks it has opened the store."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever is asked
        raise OpenedError(name)

    def __setattr__(self, name: str, value: object) -> None:
        raise OpenedError(name)


def command(name: str) -> click.Command:
    """A command by its module and the name there."""
    module, _, attribute = name.partition(".")
    found = getattr(importlib.import_module(f"coditect.cli.{module}"), attribute or module)
    assert isinstance(found, click.Command)
    return found


SILENT = (
    "changes",
    "crosswalk",
    "deadlines",
    "definitions",
    "document",
    "documents",
    "drilldown",
    "list_",
    "obligations",
    "query",
    "references",
)
MAKING = ("ingest", "tokens.new")
WORDS: dict[str, tuple[str, ...]] = {
    "crosswalk": (*OF, "--framework", "x"), "document": (*OF, "--name", "x"), "drilldown": (*OF, "--item-id", "x"),
    "query": (*OF, "--query", "x"), "ingest": (*OF, __file__), "tokens.new": ("--name", "n", "--role", "reader"),
    "verify": (*OF, "--claim", "x"), "hold.holds": (), "audit.list_": (), "log.checkpoint": (),
    "sign": (*OF, "--list"), "review": OF, "mark": (*OF, "--list"), "validate": OF, "feed": OF, "erasures": (), "keys.list_": (),
}  # fmt: skip


@pytest.mark.parametrize("name", [*SILENT, *MAKING, *(each for each in WORDS if each not in (*SILENT, *MAKING))])
def test_only_what_takes_in_makes_a_store_and_what_only_reads_waits_for_no_logging(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """For every other command a store that is not there was mistyped; a command that logs does so from its first line on."""
    desk = Desk(monkeypatch, Nothing())
    with pytest.raises(OpenedError):
        desk.run(command(name), *WORDS.get(name, OF))
    assert desk.opened == [{"must_exist": name not in MAKING, "logs": name not in (*SILENT, "ingest")}]


SIGNED = ("--decision", "accept", "--by", "A", "--meaning", "m")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        *(((option,), "are of one decision") for option in ("--approve", "--show")),
        (("--shown", "x"), "are of one decision"),
        (("--item", "i", "--list", "--approve"), "are of one decision"),
        (("--item", "i", "--list", "--show"), "are of one decision"),
        (("--item", "i", "--list", "--shown", "x"), "are of one decision"),
        *(
            (("--list", *more), "--list decides nothing")
            for more in (("--item", "i"), ("--meaning", "m"), ("--set", "a=b"), ("--until", "2026-01-01"))
        ),
        *((more, "choose among decisions") for more in (("--state", "expired"), ("--document", "d"))),
        *(
            (more, "of one claim or extraction")
            for more in (("--decision", "accept"), ("--by", "A"), ("--meaning", "m"), ("--set", "a=b"), ("--until", "2026-01-01"))
        ),
        *((("--item", "i", *SIGNED[:at], *SIGNED[at + 2 :]), "a decision, a name and a meaning") for at in (0, 2, 4)),
        (("--item", "i", "--approve", "--decision", "accept"), "who approves decides nothing else"),
        (("--item", "i", "--approve", "--by", "A"), "who approves decides nothing else"),
        (("--item", "i", "--approve"), "needs a key and a meaning"),
        (("--item", "i", "--approve", "--meaning", "m"), "needs a key and a meaning"),
    ],
)  # fmt: skip
def test_review_says_which_options_do_not_go_together(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    """Listing, deciding and approving each have their own; nothing is opened before."""
    monkeypatch.setattr(review, "person_key", lambda ctx: None)
    desk = Desk(monkeypatch, Nothing())
    with pytest.raises(UsageError, match=told):
        desk.run(review.review, *OF, *words)
    assert desk.opened == []


SHOWN = "What is signed.\nAll of it."


@pytest.mark.parametrize(
    ("words", "key", "shown", "called"),
    [
        (("--approve", "--show"), None, True, ("shown_review", "c", "i")),
        (("--approve", "--show", "--meaning", "m"), "key", True, ("shown_review", "c", "i")),
        (("--approve", "--meaning", "m"), "key", False, ("approve", "c", "i", "key")),
        (("--show", *SIGNED), None, True, ("shown", "c", "i")),
        (SIGNED, None, False, ("review", "c", "i")),
        (("--decision", "accept", "--meaning", "m"), "key", False, ("review", "c", "i")),
    ],
)
def test_review_signs_or_shows_what_would_be_signed(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], key: str | None, shown: bool, called: tuple[str, ...]
) -> None:
    """Nothing is stored where it is only shown."""
    calls: list[tuple[object, ...]] = []

    def answering(name: str, answer: object) -> Any:  # noqa: ANN401 - a function
        return lambda *given, **more: noting(calls, (name, *given), answer)

    signed = SimpleNamespace(
        decision="accept", until=None, by="A", at=AT, review_id="review_1", claim_text="It is.", changes=None, meaning="m",
        model_dump=lambda mode: {"review_id": "review_1"},
    )  # fmt: skip
    answers = {"shown": SHOWN, "shown_review": SHOWN, "approve": signed, "review": signed}
    knowledge = SimpleNamespace(**{name: answering(name, answer) for name, answer in answers.items()})
    knowledge.waits_for = lambda signed: ""
    monkeypatch.setattr(review, "person_key", lambda ctx: key)
    desk = Desk(monkeypatch, knowledge)
    ran = desk.run(review.review, *OF, "--item", "i", *words)
    assert calls == [called]
    assert ran.lines[:2] == ([*SHOWN.splitlines()] if shown else [f"accept  A, {AT}  review_1", "  It is."])
    told = json.loads(desk.run(review.review, *OF, "--item", "i", *words, "--format", "json").out)
    assert told.get("shown" if shown else "review_id") == (SHOWN if shown else "review_1")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--output", "r.html", "--edition", "executive"), "only a PDF has editions"),
        (("--output", "r.pdf", "--claim", "x"), "only the annex is of single findings"),
        (("--output", "r.pdf", "--framework", "x"), "only OSCAL assessment results take a framework"),
        (("--output", "r.pdf", "--framework-corpus", "x"), "only OSCAL assessment results take a framework"),
        (("--output", "r.docx"), "a report is HTML, PDF, a workbook or JSON"),
        (("--output", "r.txt", "--format", "html", "--claim", "x"), "only the annex"),
    ],
)
def test_report_says_which_options_do_not_go_together(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], told: str
) -> None:
    """Before anything is opened."""
    desk = Desk(monkeypatch, Nothing())
    with pytest.raises(UsageError, match=told):
        desk.run(report.report, *OF, *words)
    assert desk.opened == []


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("r", "html"),
        ("r.HTM", "html"),
        ("r.html", "html"),
        ("r.pdf", "pdf"),
        ("r.xlsx", "xlsx"),
        ("r.json", "json"),
        ("-", "html"),
    ],
)
def test_report_has_the_format_that_its_name_says(name: str, form: str) -> None:
    """On the standard output HTML."""
    assert report._format_of(Path(name)) == form


@pytest.mark.parametrize(
    ("words", "citations", "ratios"),
    [
        ((), True, True),
        (("--check-citations",), True, False),
        (("--check-synthesis-ratios",), False, True),
        (("--check-citations", "--check-synthesis-ratios"), True, True),
    ],
)
def test_validate_checks_everything_unless_told_what(
    monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], citations: bool, ratios: bool
) -> None:
    """What is named alone is checked alone."""
    calls: list[dict[str, Any]] = []

    def checked(*given: object, **more: Any) -> None:  # noqa: ANN401
        calls.append(more)
        raise OpenedError

    desk = Desk(monkeypatch, SimpleNamespace(validate=checked))
    with pytest.raises(OpenedError):
        desk.run(validate.validate, *OF, *words)
    assert (calls[0]["citations"], calls[0]["synthesis_ratios"]) == (citations, ratios)


@pytest.mark.parametrize("words", [(), ("--report", "--section", "s"), ("--claim", "a", "--report")])
def test_a_bundle_proves_one_thing(monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], tmp_path: Path) -> None:
    """Not none, and not several."""
    desk = Desk(monkeypatch, Nothing())
    with pytest.raises((UsageError, click.UsageError)):
        desk.run(prove.prove, *OF, *words, "--output", str(tmp_path / "b"))
