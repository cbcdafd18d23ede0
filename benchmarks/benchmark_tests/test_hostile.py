"""What hostile files cost: how runs are started, counted and told."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from dataclasses import asdict
from types import SimpleNamespace

import pytest
from coditect_benchmarks import hostile
from coditect_benchmarks.hostile import Cost, _apart, _mb, _summarize, _tabulate, _timed, main

DEAR = Cost(ingest_mb=100, read_mb=513, build_mb=20, check_mb=3, ingest_s=40.0, build_s=20.0, check_s=99.0, refused=1)
CHEAP = Cost(ingest_mb=512, build_mb=512, ingest_s=1.5, build_s=58.5, message="not well-formed")


def test_most_and_total_of_a_run() -> None:
    """The most of any process; what is asked after the build is not part of its seconds."""
    assert (DEAR.most_mb, DEAR.total_s) == (513, 60.0)
    assert (CHEAP.most_mb, CHEAP.total_s) == (512, 60.0)
    assert Cost().files == 1
    assert Cost(check_mb=7, build_mb=6).most_mb == 7


def test_runs_are_summed_up(capsys: pytest.CaptureFixture[str]) -> None:
    """The most of each measure, runs over the limits, refusals, neighbours and tracebacks."""
    slow = Cost(build_s=60.1, files=3, harmed=2, error="Traceback")
    _summarize([DEAR, CHEAP, slow])
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "most ingest_mb 512", "most read_mb 513", "most build_mb 512", "most check_mb 3",
        "most ingest_s 40.0", "most build_s 60.1", "most check_s 99.0",
        "runs over 512 MB or 60 s: 2", "files refused 1 of 5", "neighbours harmed 2", "tracebacks 1",
    ]  # fmt: skip


def test_worst_of_each_kind_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each kind, in the order of the runs."""
    _tabulate(["bomb", "deep", "bomb"], [DEAR, CHEAP, CHEAP])
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert rows == [
        ["bomb", "512", "513", "512", "3", "40.0", "58.5", "99.0"],
        ["deep", "512", "0", "512", "0", "1.5", "58.5", "0.0"],
    ]


@pytest.mark.parametrize(
    ("cost", "mark"),
    [
        (CHEAP, " "),
        (DEAR, "!"),
        (Cost(harmed=1), "!"),
        (Cost(error="x"), "!"),
        (Cost(ingest_s=60.1), "!"),
        (Cost(check_mb=513), "!"),
        (Cost(check_s=500.0), " "),
    ],
)
def test_run_of_its_own_is_marked_where_it_cost_too_much(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], cost: Cost, mark: str
) -> None:
    """It is a program of its own, and its cost is what that prints."""
    commands: list[list[str]] = []

    def run(command: list[str], **_: object) -> SimpleNamespace:
        commands.append(command)
        return SimpleNamespace(returncode=0, stdout=json.dumps(asdict(cost)), stderr="")

    monkeypatch.setattr(subprocess, "run", run)
    assert _apart("bomb 3", "--case", "bomb", "3") == cost
    assert commands == [[sys.executable, "-m", "coditect_benchmarks.hostile", "--case", "bomb", "3"]]
    line = capsys.readouterr().out
    assert line.startswith(f"{mark} bomb 3 ")
    assert len(line) <= 281


def test_run_that_fails_or_does_not_end_harms(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last line of what it said is its error; without one its exit code is."""
    for stderr, error in (("Traceback\nKilled: out of memory\n", "Killed: out of memory"), ("", "ended with 9")):
        monkeypatch.setattr(
            subprocess, "run", lambda *_, s=stderr, **__: SimpleNamespace(returncode=9, stdout="", stderr=s)
        )
        assert _apart("it") == Cost(harmed=1, error=error)

    def late(*_: object, **options: float) -> None:
        raise subprocess.TimeoutExpired("it", options["timeout"])

    monkeypatch.setattr(subprocess, "run", late)
    assert _apart("it") == Cost(harmed=1, error="not done after 900 s", ingest_s=900)


def test_all_kinds_and_batches_are_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every size of each kind that is asked for, or the largest of each; mutants in batches of 250."""
    kinds = [SimpleNamespace(name="bomb", large=(1, 9)), SimpleNamespace(name="deep", large=(5,))]
    asked: list[tuple[str, ...]] = []

    def apart(label: str, *arguments: str) -> Cost:
        asked.append(arguments)
        return Cost(files=int(arguments[2]) if arguments[0] == "--batch" else 1)

    monkeypatch.setattr(hostile, "KINDS", kinds)
    monkeypatch.setattr(hostile, "_apart", apart)
    for arguments, runs in (
        (["--mutants", "0"], [("--case", "bomb", "1"), ("--case", "bomb", "9"), ("--case", "deep", "5")]),
        (["--mutants", "0", "--largest", "--only", "o"], [("--case", "bomb", "9")]),
        (
            ["--mutants", "501", "--only", "none"],
            [("--batch", "0", "250"), ("--batch", "250", "250"), ("--batch", "500", "1")],
        ),
    ):
        asked.clear()
        monkeypatch.setattr(sys, "argv", ["hostile", *arguments])
        main()
        assert asked == runs
        said = capsys.readouterr().out
        if "501" in arguments:
            assert "501 mutated files, 250 at a time" in said
        else:
            count, names = len(runs), len({run[1] for run in runs})
            assert f"{count} hostile files of {names} kinds" in said


def test_seconds_are_those_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this process and of those that ended; memory is told in whole MiB of the system's KiB."""
    used = iter([1.0, 2.0, 10.0, 20.0])
    monkeypatch.setattr(
        resource, "getrusage", lambda _: SimpleNamespace(ru_utime=(each := next(used)), ru_stime=each / 2)
    )
    assert _timed(lambda: "done") == ("done", 45.0 - 4.5)
    assert (_mb(1023), _mb(1024), _mb(4096)) == (0, 1, 4)
