from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from coditect_benchmarks.gold.__main__ import main
from coditect_benchmarks.gold.records import Label, Span, Unit, read_lines
from coditect_benchmarks.gold.resolution import resolve
from coditect_benchmarks.gold.sampling import draw
from coditect_benchmarks.gold.sources import Library, load_plan
from coditect_benchmarks.gold.store import load, make_gold, open_test, write_gold

from benchmark_tests.gold.material import label

TABLE = """
seed = "s"
[[genre]]
name = "rulebook"
quota = 8
root = "rules"
public = true
licence = "our own"
files = ["*.txt"]
families = [
  { name = "left out", pattern = "left", split = "heldout" },
  { name = "rules", pattern = "tested", split = "test" },
  { name = "rules", pattern = ".", split = "dev" },
]
"""
DAY = datetime.date(2026, 1, 2)


@pytest.fixture
def roots(tmp_path: Path) -> dict[str, Path]:
    folder = tmp_path / "rules"
    folder.mkdir()
    for name in ("first", "left", "tested"):
        lines = [f"{n}.1\tThe {name} officer must file form {n} within {n} days.\n" for n in range(1, 9)]
        (folder / f"{name}.txt").write_text("".join(lines), "utf-8")
    (tmp_path / "sources.toml").write_text(TABLE, "utf-8")
    (tmp_path / "OPENINGS.md").write_text("| date | commit | reason |\n|---|---|---|\n", "utf-8")
    return {"rules": folder}


def _labels(units: list[Unit], library: Library) -> dict[str, Label[Span]]:
    fact = label(statement="fact")
    return {
        unit.id: resolve(library.text(unit.document, unit.sha256), unit, fact.model_copy(update={"id": unit.id}))
        for unit in units
    }


def test_the_same_seed_draws_the_same_sample_by_split(tmp_path: Path, roots: dict[str, Path]) -> None:
    """Half for dev, a quarter each for held-out and test, and the same again from the same files."""
    plan = load_plan(tmp_path / "sources.toml", roots)
    units, training = draw(plan, Library(roots))
    assert [u.split for u in units].count("dev") == 4
    assert {u.document for u in units if u.split == "heldout"} == {"rules:left.txt"}
    assert training == []
    assert draw(plan, Library(roots))[0] == units


def test_the_test_part_is_sealed_and_its_opening_is_written_down(tmp_path: Path, roots: dict[str, Path]) -> None:
    """Nothing of a test unit can be read in the files, and what open_test gives is what was sealed."""
    library = Library(roots)
    units, _ = draw(load_plan(tmp_path / "sources.toml", roots), library)
    gold = make_gold({u.id: u for u in units}, _labels(units, library), library)
    assert write_gold(tmp_path, gold) == {"dev": 4, "heldout": 2, "test": 2}
    tested = [g for g in gold if g.unit.split == "test"]
    written = "".join((tmp_path / name).read_text("utf-8") for name in ("dev.jsonl", "heldout.jsonl", "test.sealed"))
    assert not any(g.unit.id in written for g in tested)
    assert load(tmp_path, "dev") == [g for g in gold if g.unit.split == "dev"]
    assert open_test(tmp_path, "release | 1", "abc", DAY) == tested
    assert (tmp_path / "OPENINGS.md").read_text("utf-8").endswith("| 2026-01-02 | abc | release / 1 |\n")


def test_the_test_part_is_not_opened_without_a_reason(tmp_path: Path, roots: dict[str, Path]) -> None:
    """No reason or the ordinary loader: refused, and nothing is written down."""
    before = (tmp_path / "OPENINGS.md").read_text("utf-8")
    with pytest.raises(ValueError, match="reason"):
        open_test(tmp_path, " ", "abc", DAY)
    with pytest.raises(ValueError, match="open_test"):
        load(tmp_path, "test")
    assert (tmp_path / "OPENINGS.md").read_text("utf-8") == before


def test_a_text_that_has_changed_is_refused(tmp_path: Path, roots: dict[str, Path]) -> None:
    """Offsets hold for one text only."""
    units, _ = draw(load_plan(tmp_path / "sources.toml", roots), Library(roots))
    (roots["rules"] / "first.txt").write_text("Another text.\n", "utf-8")
    changed = next(u for u in units if u.document == "rules:first.txt")
    with pytest.raises(ValueError, match="no longer hold"):
        Library(roots).text(changed.document, changed.sha256)


def test_private_texts_stay_out_of_the_gold(tmp_path: Path, roots: dict[str, Path]) -> None:
    """Without a licence to copy, a unit has offsets and no words."""
    library = Library(roots)
    units, _ = draw(load_plan(tmp_path / "sources.toml", roots), library)
    private = {u.id: u.model_copy(update={"public": False}) for u in units}
    write_gold(tmp_path, make_gold(private, _labels(units, library), library))
    assert "officer" not in (tmp_path / "dev.jsonl").read_text("utf-8")


def test_the_whole_way_from_sample_to_gold(
    tmp_path: Path, roots: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Sample, label twice, check, compare, adjudicate, merge and open, each by its command."""
    work, root = tmp_path / "work", ["--root", f"rules={roots['rules']}"]
    assert main(["sample", "--work", str(work), "--gold", str(tmp_path), *root]) == 0
    shown = [json.loads(line) for line in (work / "packs" / "01.jsonl").read_text("utf-8").splitlines()]
    assert not any("split" in unit for unit in shown)
    for name in ("pass-a", "pass-b"):
        (work / name).mkdir()
        statements = ["fact"] * len(shown)
        statements[0] = "fact" if name == "pass-a" else "other"
        lines = [json.dumps({"id": u["id"], "statement": s}) for u, s in zip(shown, statements, strict=True)]
        (work / name / "01.jsonl").write_text("\n".join(lines), "utf-8")
        assert main(["check", str(work / name / "01.jsonl")]) == 0
    assert main(["agree", "--work", str(work), *root]) == 0
    assert main(["adjudicate", "--work", str(work), *root]) == 0
    assert "1 units differ" in capsys.readouterr().out
    merge = ["merge", "--work", str(work), "--gold", str(tmp_path), *root]
    assert main(merge) == 1
    (work / "pass-c").mkdir()
    (work / "pass-c" / "01.jsonl").write_text(json.dumps({"id": shown[0]["id"], "take": "first"}), "utf-8")
    assert main(merge) == 0
    opened = tmp_path / "opened.jsonl"
    assert main(["open", "--gold", str(tmp_path), "--reason", "r", "--commit", "c", "--output", str(opened)]) == 0
    assert len(opened.read_text("utf-8").splitlines()) == 2
    assert len(list(read_lines(work / "register.jsonl", Unit))) == 8
