"""How self-contained statements are counted."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from coditect_benchmarks import standalone


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four statements of two files: of what is resolved one is right and one wrong, and one is left as it should be."""
    rows = [
        {"file": "a", "start": 0, "end": 9, "case": "it", "standalone": "The key is kept."},
        {"file": "a", "start": 9, "end": 20, "case": "it", "standalone": "The lock is kept."},
        {"file": "a", "start": 20, "end": 30, "case": "leave", "standalone": None},
        {"file": "b", "start": 0, "end": 9, "case": "such", "standalone": "Such a key is kept."},
    ]
    (tmp_path / "gold.json").write_text(json.dumps(rows), encoding="utf-8")
    said = {
        "a": {(0, 9): SimpleNamespace(text="The key is kept."), (9, 20): SimpleNamespace(text="The door is kept.")},
        "b": {},
    }
    monkeypatch.setattr(standalone, "GOLD", tmp_path / "gold.json")
    monkeypatch.setattr(standalone, "read_statements", lambda path: (path.name, None))
    monkeypatch.setattr(standalone, "resolve_document", lambda name, _: said[name])


@pytest.mark.usefixtures("gold")
def test_precision_is_of_what_is_resolved_and_recall_of_what_should_be(capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrongly resolved is printed."""
    assert standalone.measure_gold() == 0.5
    assert capsys.readouterr().out.splitlines() == [
        "  wrong: a 9: 'The door is kept.', not 'The lock is kept.'",
        "gold: 4 statements; of 2 resolved 1 are right: precision 0.500",
        "  it             n   2   recall 0.50",
        "  leave          n   1   left as they are 1.00",
        "  such           n   1   recall 0.00",
    ]


@pytest.mark.parametrize(("target", "fails"), [(0.5, False), (0.51, True)])
@pytest.mark.usefixtures("gold")
def test_command_fails_below_its_target(
    target: float, fails: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """At the target it does not; without contracts no speed is told."""
    monkeypatch.setattr(standalone, "TARGET", target)
    monkeypatch.setattr(sys, "argv", ["standalone", str(tmp_path)])
    if fails:
        with pytest.raises(SystemExit) as ended:
            standalone.main()
        assert ended.value.code == 1
    else:
        standalone.main()


def test_speed_is_told_of_every_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Statements of all files are read and resolved where they do not stand on their own; headings are none."""
    text = "# The clerk shall have duties\n\nThe clerk shall keep the key. It must be returned within 2 days.\n"
    for name in ("a.txt", "b.txt", "c.md"):
        (tmp_path / name).write_text(text, encoding="utf-8")
    reading, found = standalone.read_statements(tmp_path / "c.md")
    assert all("duties" not in reading.source.text[each.start : each.end] for each in found)
    assert [reading.source.text[each.start : each.end] for each in found]
    resolved = standalone.resolve_document(reading, found)
    assert set(resolved) <= {(each.start, each.end) for each in found}
    _, found = standalone.read_statements(tmp_path / "a.txt")
    standalone.measure_speed(tmp_path)
    assert capsys.readouterr().out.startswith(f"contracts: 2 documents, {2 * len(found)} statements in ")
