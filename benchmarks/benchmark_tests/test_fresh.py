"""A fresh draw of edits: what its figures say, and that no document of an earlier draw is in it."""

from __future__ import annotations

from pathlib import Path

from coditect_benchmarks.edits.source import documents
from coditect_benchmarks.tier4 import fresh
from coditect_benchmarks.tier4.fresh import FreshVerdict, differences, shares

TEXT = """The Supplier shall deliver the goods to the Customer within thirty days after the date of the order.

The Customer shall pay each invoice to the Supplier within sixty days after the receipt of the goods.
"""


def _verdicts(*supported: bool) -> list[FreshVerdict]:
    return [
        FreshVerdict("contracts", f"{number % 2}.txt", "contradicted", "scope", number, "supported" if each else "needs_review")
        for number, each in enumerate(supported)
    ]  # fmt: skip


def test_shares_count_verdicts_of_a_kind() -> None:
    """One of four supported is a quarter, with Wilson's interval and that of two documents."""
    (line,) = shares(_verdicts(True, False, False, False), lambda each: each.kind)
    assert line.split()[:5] == ["contradicted", "scope", "4", "1", "3"]
    assert "25.0% (4.6% to 69.9%; by document 0.0% to 50.0%)" in line


def test_differences_compare_the_same_edits() -> None:
    """One is supported no longer, another one is now: no change in sum; cases are paired by name, not by place."""
    before, after = _verdicts(True, True, False, False), _verdicts(False, True, True, False)
    (line,) = differences(list(reversed(before)), after)
    assert "supported now 1, no longer 1: +0.00 points" in line


def test_draw_names_each_edit_and_leaves_the_source_out_where_it_says_so(tmp_path: Path) -> None:
    """The label "absent" comes with every faithful edit."""
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    cases = list(fresh.draw({"contracts": [tmp_path / "a.txt"]}, 47, 400))
    labels = [label for _, label, _, _ in cases]
    assert labels.count("faithful") == labels.count("absent") > 0
    assert {genre for genre, *_ in cases} == {"contracts"}


def test_documents_of_earlier_draws_are_not_drawn_from(tmp_path: Path) -> None:
    """A folder whose contracts all gave edits before gives none now; policies and rulebooks for development do."""
    folder, rulebooks = tmp_path / "contracts" / "docs", tmp_path / "rulebooks"
    for each in (folder, rulebooks, tmp_path / "policies"):
        each.mkdir(parents=True)
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text(TEXT, encoding="utf-8")
    for name in ("GEN_VER08.181223.txt", "kept for acceptance.txt"):
        (rulebooks / name).write_text(TEXT, encoding="utf-8")
    (tmp_path / "policies" / "access.md.tmpl").write_text(TEXT, encoding="utf-8")
    assert len(documents(tmp_path)) == 2
    found = {genre: [path.name for path in paths] for genre, paths in fresh.genres(tmp_path, rulebooks).items()}
    assert found["contracts"] == []
    assert found["policies"] == ["access.md.tmpl"]
    assert found["rulebooks"] == ["GEN_VER08.181223.txt"]
