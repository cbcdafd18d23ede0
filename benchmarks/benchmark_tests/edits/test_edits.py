"""The pairs are what they say, the same for the same seed, and the figures count them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from coditect_benchmarks.edits.__main__ import main
from coditect_benchmarks.edits.check import check, severity
from coditect_benchmarks.edits.contradicting import CONTRADICTING
from coditect_benchmarks.edits.contradicting_templates import MODALITY, NEGATION, SCOPE, TURNS
from coditect_benchmarks.edits.faithful import FAITHFUL
from coditect_benchmarks.edits.grammar import Family, be, in_words, main_matches, table
from coditect_benchmarks.edits.pairs import EditPair, family_of, generate
from coditect_benchmarks.edits.report import as_json, as_text
from coditect_benchmarks.edits.source import documents, places

from coditect.language.quantities.numbers import parse_number

CLAUSES = """1. DUTIES

The Supplier shall deliver the pumps to the Customer within thirty (30) days after the order has been received.

The Customer must pay an amount of $4,000 for each of the 12 shipments unless the pumps are defective.

The Supplier may inspect the premises of the Customer at least 2 times in each year under Section 4.2 of this Agreement.

If the Customer returns a pump, the Supplier shall refund the price no later than 14 days after March 3, 2024.

All employees of the Supplier shall comply with the policies of the site, including the rules on safety and access.

The Supplier shall not disclose the plans of the Customer to any person without the written consent of the Customer.
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder whose documents belong to both families."""
    folder = tmp_path / "contracts" / "docs"
    folder.mkdir(parents=True)
    for number in range(12):
        (folder / f"contract {number}.txt").write_text(CLAUSES, encoding="utf-8")
    return tmp_path


def test_pairs_are_the_same_for_the_same_seed(data: Path) -> None:
    """Two runs give the same pairs in the same order; another seed gives others."""
    files = documents(data)
    pairs = list(generate(files, 80, 3))
    assert pairs == list(generate(files, 80, 3))
    assert pairs != list(generate(files, 80, 4))


def test_pairs_are_edits_of_their_source_among_its_neighbours(data: Path) -> None:
    """The source is one of at most ten evidence sentences and never the claim itself, white space and case aside."""
    pairs = list(generate(documents(data), 120, 3))
    assert len(pairs) > 60
    for pair in pairs:
        assert pair.source in pair.evidence
        assert len(pair.evidence) <= 10
        assert pair.claim != pair.source
        assert pair.family == family_of(pair.document)


def test_pairs_are_of_both_labels_and_families(data: Path) -> None:
    """Both families and both labels are made, no kind more often than its share."""
    pairs = list(generate(documents(data), 120, 3))
    assert {(pair.family, pair.label) for pair in pairs} == {
        (family, label) for family in ("dev", "heldout") for label in ("contradicted", "faithful")
    }
    most = -(-60 // (2 * len(CONTRADICTING)))
    for kind in CONTRADICTING:
        assert sum(pair.family == "dev" and pair.kind == kind for pair in pairs) <= most


@pytest.mark.parametrize("tables", [MODALITY, SCOPE, TURNS, NEGATION], ids=["modality", "scope", "turns", "negation"])
def test_held_out_templates_are_not_those_to_develop_on(tables: dict[str, list[tuple[object, str]]]) -> None:
    """Of the held-out exchanges, few are developed on."""
    dev, held = (
        {(str(getattr(p, "pattern", p)), words) for p, words in tables[family]} for family in ("dev", "heldout")
    )
    assert len(dev & held) <= 1


@pytest.mark.parametrize("family", ["dev", "heldout"])
@pytest.mark.parametrize("kind", ["modality", "negation", "duration", "amount", "number", "reference", "date"])
def test_contradicting_edit_is_caught(data: Path, kind: str, family: Family) -> None:
    """Each plain kind of edit applies to a clause that has what it edits, and the rules catch it."""
    made = 0
    for place in places(documents(data)[0]):
        claim = CONTRADICTING[kind](place.text, random.Random(7), family)  # noqa: S311 - a seeded choice
        if claim is not None and claim != place.text:
            made += 1
            assert severity(claim, place.evidence) >= 0.5, claim
    assert made


@pytest.mark.parametrize("family", ["dev", "heldout"])
@pytest.mark.parametrize("kind", ["modal synonym", "number form", "reorder", "lead-in", "passive", "abbreviation"])
def test_faithful_edit_is_spared(data: Path, kind: str, family: Family) -> None:
    """No faithful edit of the clauses is held back."""
    for place in places(documents(data)[0]):
        claim = FAITHFUL[kind](place.text, random.Random(7), family)  # noqa: S311 - a seeded choice
        if claim is not None:
            assert severity(claim, place.evidence) < 0.5, claim


def test_check_counts_what_is_held_back() -> None:
    """Every pair is counted once in its kind and once in all; a contradiction is held back, a restatement is not."""
    source = "The guard shall lock the gate."
    wrong = EditPair("The guard may lock the gate.", (source,), "contradicted", "modality", "dev", "a", source)
    right = EditPair("The guard must lock the gate.", (source,), "faithful", "modal synonym", "dev", "a", source)
    report = check([wrong, right, right], statistics=False)
    caught, spared = report.row("dev", "contradicted"), report.row("dev", "faithful")
    assert caught is not None
    assert spared is not None
    assert (caught.pairs, caught.held["rules"], caught.held["both"]) == (1, 1, 1)
    assert (spared.pairs, spared.held["rules"]) == (2, 0)
    assert report.row("heldout", "faithful") is None
    assert "modal synonym" in as_text(report, statistics=False)
    assert as_json(report)["rows"][0]["pairs"] == 1


def test_command_writes_the_same_figures_twice(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The figures go to a file as well, byte for byte the same for the same input; so do the pairs."""
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for file in files:
        assert main(["--data", str(data), "--count", "40", "--json", str(file), "--output", f"{file}.pairs"]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    rows = [json.loads(line) for line in Path(f"{files[0]}.pairs").read_text("utf-8").splitlines()]
    assert {row["label"] for row in rows} == {"contradicted", "faithful"}
    assert "held out" in capsys.readouterr().out


def test_command_says_that_a_folder_has_nothing_to_edit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder without contracts and regulations ends with 2 and a sentence."""
    assert main(["--data", str(tmp_path)]) == 2
    assert "neither" in capsys.readouterr().err


@pytest.mark.parametrize("value", [0, 7, 13, 20, 45, 100, 219, 999])
def test_number_in_words_reads_back(value: int) -> None:
    """A number that is written out is read as the same number."""
    assert parse_number(in_words(value)) == float(value)


def test_main_matches_leave_out_subordinate_clauses() -> None:
    """A verb that "if" or "which" governs is none of the main clause."""
    ((pattern, _),) = table([(r"\bshall\b", "may")])
    assert [m.start() for m in main_matches(pattern, "The list, which shall be kept, shall grow.")] == [31]


def test_be_agrees_with_its_subject() -> None:
    """One guard is, two guards are."""
    assert be("The guard shall", 10) == "is"
    assert be("The guards shall", 11) == "are"
