"""The command by itself: what it prints of an outcome, which options go together, and what it asks of whoever reads it."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from pathlib import Path

import pytest
from coditect_verify import command
from coditect_verify.log import ED25519, Key
from coditect_verify.result import Hop, Trust, Verification

KEY_ID = Key("log", ED25519, bytes(32)).key_id.hex()
KEY = f"log+{KEY_ID}+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
GOOD = Verification(
    "claim 1",
    hops=[Hop("claim", "1", True, "of “Lösungen”")],
    order=["a before b"],
    unchecked=["Nothing of b."],
    checkpoint="note\n",
)


def _wrong(resting: int) -> Verification:
    """One thing that is wrong, so many that rest on it, and two that hold."""
    hops = [Hop("quote", "q", True, ""), Hop("container", "x", True, "3 members"), Hop("file", "f", False, "changed")]
    rest = [Hop("claim", str(each), False, "it rests on file f, which is wrong") for each in range(resting)]
    return Verification("", hops=[*hops, *rest], unchecked=["One.", "Two."])


def test_an_outcome_that_holds_is_told_line_by_line() -> None:
    """The verdict first; each hop with what was found; the order; what was not checked."""
    assert command._text(GOOD).splitlines() == [
        "claim 1: all 1 hops hold; 1 thing was not checked.",
        "holds   claim 1: of “Lösungen”",
        "order   a before b",
        "Not checked:",
        "  - Nothing of b.",
    ]


@pytest.mark.parametrize(
    ("resting", "line"),
    [
        (0, None),
        (1, "        1 more that rest on what is wrong: claim 0"),
        (3, "        3 more that rest on what is wrong: claim 0, claim 1, claim 2"),
        (4, "        4 more that rest on what is wrong: claim 0, claim 1, claim 2, … (--format json has all)"),
    ],
)
def test_causes_are_told_and_three_of_what_rests_on_them(resting: int, line: str | None) -> None:
    """What is many is counted; a hop of which nothing was found ends with its name."""
    told = [
        f"bundle: WRONG: {1 + resting} of {3 + resting} hops; 2 things were not checked.",
        "WRONG   file f: changed",
        *([line] if line else []),
        "holds   quote: 1",
        "holds   container x: 3 members",
        "Not checked:",
        "  - One.",
        "  - Two.",
    ]
    assert command._text(_wrong(resting)).splitlines() == told


def test_hops_of_one_kind_stand_together_and_a_bare_one_ends_with_its_name() -> None:
    """In the order in which the kinds came."""
    hops = [Hop("claim", "1", True, ""), Hop("intake", "a", True, "x"), Hop("claim", "2", True, "y")]
    told = command._text(Verification("s", hops=[*hops, Hop("intake", "b", True, "")]))
    assert told.splitlines()[1:-1] == ["holds   claim 1", "holds   claim 2: y", "holds   intake: 2"]


def test_json_is_for_people_too() -> None:
    """Letters as they are, a member in each line; without what is only remembered, and without the checkpoint."""
    told = command._json(GOOD)
    assert "of “Lösungen”" in told
    assert told.splitlines()[:2] == ["{", '  "subject": "claim 1",']
    assert json.loads(told) == {
        "subject": "claim 1",
        "says": "",
        "unread": [],
        "hops": [{"kind": "claim", "subject": "1", "holds": True, "detail": "of “Lösungen”"}],
        "order": ["a before b"],
        "holds": True,
        "causes": [],
        "not_checked": ["Nothing of b."],
    }


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is a container."""
    with zipfile.ZipFile(tmp_path / "bundle", "w") as file:
        file.writestr("a", b"")
    return tmp_path / "bundle"


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> list[Trust]:
    """What each bundle was checked with; all of them hold."""
    found: list[Trust] = []

    def verified(_: Path, trust: Trust) -> Verification:
        found.append(trust)
        return GOOD

    monkeypatch.setattr(command, "verify_bundle", verified)
    return found


class _Gone(io.StringIO):
    """A reader who has seen enough."""

    asked = 0

    def flush(self) -> None:
        self.asked += 1
        raise BrokenPipeError


def test_a_reader_who_went_away_is_met_inside_the_command(
    path: Path, trusted: list[Trust], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was printed is sent off there and then, and the exit code is still that of the bundle."""
    monkeypatch.setattr(sys, "stdout", gone := _Gone())
    assert command.main([str(path), "--key", KEY]) == command.HOLDS
    assert gone.asked == 1
    assert len(trusted) == 1


@pytest.mark.parametrize("format_", [[], ["--format", "text"], ["--format", "json"]])
def test_the_format_is_text_unless_asked_for(
    path: Path, trusted: list[Trust], capsys: pytest.CaptureFixture[str], format_: list[str]
) -> None:
    """And nothing else is printed."""
    command.main([str(path), "--key", KEY, *format_])
    shown = capsys.readouterr()
    assert shown.out == (command._json(GOOD) if "json" in format_ else command._text(GOOD)) + "\n"
    assert shown.err == ""


@pytest.mark.parametrize(("asked", "quorum"), [([], 2), (["--quorum", "1"], 1), (["--quorum", "2"], 2)])
def test_all_witnesses_are_asked_for_unless_told_otherwise(
    path: Path, trusted: list[Trust], asked: list[str], quorum: int
) -> None:
    """From one to all of those that were given."""
    witnesses = [Key(name, 4, bytes(32)) for name in ("w", "v")]
    keys = [f"{each.name}+{each.key_id.hex()}+BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" for each in witnesses]
    given = ["--witness", keys[0], "--witness", keys[1]]
    assert command.main([str(path), "--key", KEY, *given, *asked]) == command.HOLDS
    assert trusted == [Trust([Key("log", ED25519, bytes(32))], None, witnesses, quorum, [], b"")]
    assert command.main([str(path), "--key", KEY, *given, "--quorum", "3"]) == command.USAGE


def test_an_authority_asks_for_a_library(
    path: Path, trusted: list[Trust], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without it, and without an authority, everything else is checked."""
    monkeypatch.setattr(command, "can_verify", lambda: False)
    assert command.main([str(path), "--key", KEY]) == command.HOLDS
    assert command.main([str(path), "--key", KEY, "--tsa", str(path)]) == command.USAGE
    assert "--tsa needs the library of coditect-verify[timestamp]" in capsys.readouterr().err
    monkeypatch.setattr(command, "can_verify", lambda: True)
    monkeypatch.setattr(command, "are_certificates", lambda pem: pem == path.read_bytes())
    assert command.main([str(path), "--key", KEY, "--tsa", str(path)]) == command.HOLDS
    assert [each.authority for each in trusted] == [b"", path.read_bytes()]


@pytest.mark.parametrize("holds", [True, False])
def test_only_a_checkpoint_that_holds_is_kept(path: Path, monkeypatch: pytest.MonkeyPatch, holds: bool) -> None:
    """A wrong bundle leaves what was kept before alone."""
    kept = path.with_name("kept")
    monkeypatch.setattr(command, "verify_bundle", lambda *_: GOOD if holds else _wrong(1))
    assert command.main([str(path), "--key", KEY, "--save-checkpoint", str(kept)]) == (0 if holds else 1)
    assert (kept.read_text() if kept.exists() else None) == ("note\n" if holds else None)
