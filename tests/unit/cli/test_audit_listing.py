"""The audit trail as the command prints it: entries, pages, and the exit code of the worst of them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coditect.cli import audit
from coditect.cli.exit_codes import ExitCode
from coditect.errors import NotFound
from coditect.schemas import AuditEntry
from tests.unit.cli.commands import Desk, noting

AT = "2026-01-02T03:04:05Z"


def entry(index: int, **more: object) -> AuditEntry:
    """Something that somebody did."""
    fields = {
        "index": index,
        "at": AT,
        "who": "A",
        "kind": "review",
        "what": "decided",
        "corpus_id": "c",
        "subject": "s",
    }
    return AuditEntry.model_validate({**fields, "state": "present", "sha256": "", "release": "1", **more})


ENTRIES = [
    entry(0, who="", at="", corpus_id="", subject="", state="none"),
    entry(1, role="auditor", document="a.md", reason="asked for", note="a note"),
    entry(2, state="gone", note="its record is gone"),
    entry(3, before={"b": "x", "a": {"z": 1, "y": "\u00e9"}}, after={"a": 2}),
    entry(4, state="differs", note="it is another one"),
    entry(5, state="gone", note="gone, too"),
]
TOLD = [
    ["     0  time not logged  decided"],
    [f"     1  {AT}  decided  A, auditor", "        c  a.md  s", "        asked for", "        a note"],
    [f"     2  {AT}  decided  A", "        c  s", "        gone: its record is gone"],
    [f"     3  {AT}  decided  A", "        c  s"],
    [f"     4  {AT}  decided  A", "        c  s", "        differs: it is another one"],
    [f"     5  {AT}  decided  A", "        c  s", "        gone: gone, too"],
]


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Commands on a log of six entries, of which the first three are proven."""

    def proof(index: int) -> str:
        if index > 2:
            raise NotFound("not proven")
        return "proof"

    def trail(filters: Any, *, first: int = 0, last: int | None = None) -> Any:  # noqa: ANN401 - filters, entries
        return iter(ENTRIES[first:last])

    known = SimpleNamespace(
        audit=trail, log_proof=proof, log_entries=lambda first, last: iter([(n, f"entry {n}".encode()) for n in range(first, last)])
    )  # fmt: skip
    return Desk(monkeypatch, known)


@pytest.mark.parametrize(
    ("words", "first", "last", "code"),
    [
        ((), 0, 6, ExitCode.FOUND),
        (("--limit", "2"), 0, 2, ExitCode.OK),
        (("--limit", "3"), 0, 3, ExitCode.PARTIAL),
        (("--limit", "5"), 0, 5, ExitCode.FOUND),
        (("--after", "0", "--limit", "1"), 1, 2, ExitCode.OK),
        (("--after", "2", "--limit", "1"), 3, 4, ExitCode.OK),
        (("--after", "4"), 5, 6, ExitCode.PARTIAL),
        (("--after", "5"), 6, 6, ExitCode.OK),
        (("--limit", "6"), 0, 6, ExitCode.FOUND),
    ],
)
def test_entries_are_listed_page_by_page(
    desk: Desk, words: tuple[str, ...], first: int, last: int, code: ExitCode
) -> None:
    """Behind an entry, so many, and how to go on where there are more; what differs is worse than what is gone."""
    count = last - first
    more = [f"There are more: the same command with --after {last - 1}"] if last < 6 else []
    ran = desk.run(audit.list_, *words)
    lines = [line for told in TOLD[first:last] for line in told]
    nobody = "Entries without a name: nobody had said who runs the command (CODITECT_PRINCIPAL)"
    unnamed = [nobody] if any(not each.who for each in ENTRIES[first:last]) else []
    assert ran.lines == [*lines, "1 entry" if count == 1 else f"{count} entries", *more, *unnamed]
    assert ran.code == code
    ran = desk.run(audit.list_, *words, "--format", "json")
    found = json.loads(ran.out)
    assert ([each["index"] for each in found["entries"]], ran.code) == (list(range(first, last)), code)
    assert found["next_after"] == (last - 1 if more else None)
    ran = desk.run(audit.list_, *words, "--format", "jsonl")
    assert ([json.loads(line)["index"] for line in ran.lines], ran.code) == (list(range(first, last)), code)


def test_a_page_has_a_hundred_entries(desk: Desk) -> None:
    """Where nobody says how many."""
    desk.knowledge.audit = lambda filters, **more: iter([entry(n) for n in range(101)])
    assert desk.run(audit.list_).lines[-2:] == ["100 entries", "There are more: the same command with --after 99"]


def test_entries_are_chosen_by_every_filter(desk: Desk) -> None:
    """What is not given restricts nothing."""
    calls: list[Any] = []
    desk.knowledge.audit = lambda filters, **more: noting(calls, filters, iter(()))
    words = "--kind key --kind review --corpus-id c --corpus-id d --since 2026-01-01 --until 2026-02-01 --subject s"
    desk.run(audit.list_, *words.split(), "--document", "d", "--person", "p")
    desk.run(audit.list_)
    chosen, every = calls
    assert (tuple(chosen.kinds), tuple(chosen.corpora)) == (("key", "review"), ("c", "d"))
    assert (chosen.since, chosen.until, chosen.subject) == ("2026-01-01", "2026-02-01", "s")
    assert (chosen.document, chosen.person) == ("d", "p")
    assert not any((every.kinds, every.corpora, every.since, every.until, every.subject, every.document, every.person))


def test_one_entry_is_shown_with_all_that_is_known_of_it(desk: Desk) -> None:
    """Values before and after, the entry itself, and whether it is proven."""
    ran = desk.run(audit.show, "--index", "3")
    assert ran.lines == [
        *TOLD[3], "        before  b: x", '        before  a: {"y": "\u00e9", "z": 1}', "        after  a: 2",
        "        entry  entry 3",
        "        no signed checkpoint holds it: nothing is proven",
    ]  # fmt: skip
    ran = desk.run(audit.show, "--index", "2")
    assert (ran.code, ran.lines[-2:]) == (
        ExitCode.PARTIAL,
        ["        entry  entry 2", "        a signed checkpoint holds it"],
    )
    assert desk.run(audit.show, "--index", "4").code == ExitCode.FOUND
    for index, proven in ((2, True), (3, False)):
        found = json.loads(desk.run(audit.show, "--index", str(index), "--format", "json").out)
        assert (found["index"], found["entry"], found["proven"]) == (index, f"entry {index}", proven)
    with pytest.raises(NotFound, match="no entry of this index"):
        desk.run(audit.show, "--index", "6")


def test_trail_is_written_to_a_file(desk: Desk, tmp_path: Path) -> None:
    """How many entries is told on the standard error; the exit code is that of the worst."""
    desk.monkeypatch.setattr(audit, "check_output", lambda ctx, output: None)
    ran = desk.run(audit.export, "--output", str(tmp_path / "a.csv"))
    assert (ran.code, ran.out, ran.err) == (ExitCode.FOUND, "", f"6 entries written to {tmp_path / 'a.csv'}\n")
    assert len(list(csv.reader((tmp_path / "a.csv").read_text(encoding="utf-8-sig").splitlines()))) == 7
